"""Completion of classes and pools: one table, completed by Python and by Terraform."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES, Release
from modules.core.expressions import Expr
from modules.provisioners import objects
from modules.provisioners.kinds import generation
from modules.provisioners.settings import ProvisionerSettings
from tests.evaluation import evaluate, unformatted
from tests.provisioners.facts import RELEASE, classes, pools

GIVEN = ("node_classes", "node_pools", "tags", "ip_family")
CASES: dict[str, dict[str, Any]] = {
    case.pop("case"): case
    for case in yaml.safe_load(Path(__file__).with_name("completion.yaml").read_text())
}
FACTS = {
    "node_classes": {},
    "node_pools": {},
    "tags": {},
    "ip_family": "ipv4",
    "cluster_name": "blueprint",
    "node_role_name": "blueprint-node",
}


def given(case: dict[str, Any]) -> dict[str, Any]:
    return {**FACTS, **{name: case[name] for name in GIVEN if name in case}}


def version(case: dict[str, Any]) -> str:
    return str(case.get("version", RELEASE.version))


VERSIONS = sorted({version(case) for case in CASES.values()})


@pytest.mark.parametrize("name", CASES)
def test_python_completes(name: str) -> None:
    case = CASES[name]
    facts = {**given(case), "karpenter_version": version(case)}
    assert classes(**facts) == case.get("classes", {})
    assert pools(**facts) == case.get("pools", {})


def test_completion_leaves_what_it_was_given_alone() -> None:
    facts = given(CASES["the cluster's tags go into the class, whose own win"])
    before = json.dumps(facts)
    classes(**facts)
    assert json.dumps(facts) == before


def test_an_expression_for_a_fact_becomes_a_leaf() -> None:
    role = Expr("aws_iam_role.node.name")
    assert classes(node_role_name=role)["default"]["spec"]["role"] == role


def inlined(name: str, value: Expr) -> Expr:  # a local would stand outside of the loop over cases
    return Expr(value.text)


def expressions(reference: str, release: Release) -> dict[str, str]:
    """Classes and pools in Terraform, for facts that are attributes of `reference`."""
    facts = {name: Expr(f"{reference}.{name}") for name in FACTS}
    variables = ProvisionerSettings.expressions(karpenter_version=release.version, **facts)
    made = {
        "classes": objects.node_classes(variables, generation(release), inlined),
        "pools": objects.node_pools(variables, generation(release), inlined),
    }
    return {name: expression.text for name, expression in made.items()}


@pytest.mark.parametrize("at", VERSIONS)
def test_terraform_completes_as_python_does(at: str, tmp_path: Path) -> None:
    # One run for all cases. The JSON text is compared, so a number that became a string shows.
    outputs = {
        kind: f"${{{{ for id, case in var.cases : id => jsonencode({text}) }}}}"
        for kind, text in expressions("case", RELEASES[at]).items()
    }
    chosen = {name: case for name, case in CASES.items() if version(case) == at}
    cases = {name: given(case) for name, case in chosen.items()}
    made = evaluate(tmp_path, outputs, variables={"cases": cases})
    seen = {
        name: {kind: json.loads(texts[name]) for kind, texts in made.items()} for name in chosen
    }
    assert seen == {
        name: {"classes": case.get("classes", {}), "pools": case.get("pools", {})}
        for name, case in chosen.items()
    }


@pytest.mark.parametrize("at", VERSIONS)
def test_locals_of_the_published_module_are_formatted(at: str, tmp_path: Path) -> None:
    variables = ProvisionerSettings.expressions(karpenter_version=at)
    made: dict[str, str] = {}

    def local(name: str, value: Expr) -> Expr:
        made[name] = value.text
        return Expr(f"local.{name}")

    objects.node_classes(variables, generation(RELEASES[at]), local)
    objects.node_pools(variables, generation(RELEASES[at]), local)
    assert sorted(made) == ["node_class_specs", "node_classes", "node_pool_specs", "node_pools"]
    for name, text in made.items():
        indented = text.replace("\n", "\n  ")
        (tmp_path / f"{name}.tf").write_text(f"locals {{\n  {name} = {indented}\n}}\n")
    assert unformatted(tmp_path) == ""
