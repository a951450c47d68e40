"""Completion of classes and pools: one table, completed by Python and by Terraform."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.expressions import Expr
from modules.provisioners import objects
from modules.provisioners.kinds import node_class_kind
from modules.provisioners.settings import ProvisionerSettings
from tests.provisioners.conftest import Terraform
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


@pytest.mark.parametrize("name", CASES)
def test_python_completes(name: str) -> None:
    case = CASES[name]
    assert classes(**given(case)) == case.get("classes", {})
    assert pools(**given(case)) == case.get("pools", {})


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


def expressions(reference: str) -> dict[str, str]:
    """Classes and pools in Terraform, for facts that are attributes of `reference`."""
    facts = {name: Expr(f"{reference}.{name}") for name in FACTS}
    variables = ProvisionerSettings.expressions(karpenter_version=RELEASE.version, **facts)
    made = {
        "classes": objects.node_classes(variables, inlined),
        "pools": objects.node_pools(variables, node_class_kind(RELEASE), inlined),
    }
    return {name: expression.text for name, expression in made.items()}


def test_terraform_completes_as_python_does(terraform: Terraform) -> None:
    folder = terraform.folder
    made = expressions("case")
    # One run for all cases. The JSON text is compared, so a number that became a string shows.
    (folder / "main.tf").write_text(
        'variable "cases" {\n  type = any\n}\n\noutput "made" {\n  value = {\n'
        "    for id, case in var.cases : id => {\n"
        f"      classes = jsonencode({made['classes']})\n"
        f"      pools   = jsonencode({made['pools']})\n"
        "    }\n  }\n}\n"
    )
    cases = {name: given(case) for name, case in CASES.items()}
    (folder / "cases.auto.tfvars.json").write_text(json.dumps({"cases": cases}))
    terraform.run("apply", "-auto-approve", "-no-color", "-input=false")
    state = json.loads((folder / "terraform.tfstate").read_text())
    seen = {
        name: {kind: json.loads(text) for kind, text in both.items()}
        for name, both in state["outputs"]["made"]["value"].items()
    }
    assert seen == {
        name: {"classes": case.get("classes", {}), "pools": case.get("pools", {})}
        for name, case in CASES.items()
    }


def test_locals_of_the_published_module_are_formatted(
    terraform: Terraform,
) -> None:
    folder = terraform.folder
    variables = ProvisionerSettings.expressions(karpenter_version=RELEASE.version)
    made: dict[str, str] = {}

    def local(name: str, value: Expr) -> Expr:
        made[name] = value.text
        return Expr(f"local.{name}")

    objects.node_classes(variables, local)
    objects.node_pools(variables, node_class_kind(RELEASE), local)
    assert sorted(made) == ["node_class_specs", "node_classes", "node_pool_specs", "node_pools"]
    for name, text in made.items():
        indented = text.replace("\n", "\n  ")
        (folder / f"{name}.tf").write_text(f"locals {{\n  {name} = {indented}\n}}\n")
        terraform.run("fmt", "-check", "-diff", f"{name}.tf")
