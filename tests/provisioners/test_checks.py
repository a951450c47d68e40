"""Checks of pools and classes: one table, judged by Python and by Terraform."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.core.faults import Fault, dotted
from modules.core.inputs import parse
from modules.provisioners.checks import check, notices
from modules.provisioners.object_validations import validations
from modules.provisioners.settings import ProvisionerOptions
from tests.provisioners.conftest import Terraform
from tests.provisioners.facts import CLASS, POOL, RELEASE, settings

CASES: dict[str, dict[str, Any]] = {
    case.pop("case"): case
    for case in yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text())
}
BASELINE = {"node_classes": {"default": CLASS}, "node_pools": {"default": POOL}}


VARIABLES = {"nodeClasses": "node_classes", "nodePools": "node_pools"}


def given(case: dict[str, Any]) -> dict[str, Any]:
    return {name: case.get(name, value) for name, value in BASELINE.items()}


def message(fault: Fault) -> str:
    return f"Allowed: {fault.allowed}. Fix: {fault.fix}."


@pytest.mark.parametrize("name", CASES)
def test_python_finds_the_faults_and_no_others(name: str) -> None:
    faults = check(settings(**given(CASES[name])), RELEASE)
    found = {dotted(fault.path): fault.problem for fault in faults}
    expected = CASES[name]["faults"]
    assert found.keys() == expected.keys()
    assert len(faults) == len(expected)
    assert all(expected[path] in problem for path, problem in found.items())


@pytest.mark.parametrize("version", {r.line: r.version for r in RELEASES.values()}.values())
def test_the_newest_release_of_every_line_takes_the_completed_baseline(version: str) -> None:
    for ip_family in ("ipv4", "ipv6"):
        assert check(settings(ip_family=ip_family, tags={"team": "a"}), RELEASES[version]) == []


def test_the_options_alone_are_judged_alike() -> None:
    for name, case in CASES.items():
        options = ProvisionerOptions(**given(case))
        assert check(options, RELEASE) == check(settings(**given(case)), RELEASE), name


def test_the_clusters_tags_are_judged_where_they_end_up() -> None:
    faults = check(settings(tags={"karpenter.sh/nodepool": "mine"}), RELEASE)
    assert [dotted(fault.path)[:24] for fault in faults] == ["nodeClasses.default.tags"]


@pytest.mark.parametrize("field", ["node_classes", "node_pools"])
def test_expressions_are_left_to_terraform(field: str) -> None:
    wrong = {"node_classes": {"Wrong": 1}, "node_pools": {"Wrong": 1}}
    assert check(settings(**wrong), RELEASE)
    everything = {name: Expr(f"var.{name}") for name in wrong}
    assert check(settings(**everything), RELEASE) == []
    assert all(
        fault.path[0] != {"node_classes": "nodeClasses", "node_pools": "nodePools"}[field]
        for fault in check(settings(**{**wrong, field: everything[field]}), RELEASE)
    )


def test_an_object_that_is_an_expression_is_left_to_terraform() -> None:
    assert check(settings(node_classes={"default": Expr("local.default")}), RELEASE) == []


def test_notices_say_which_object_they_are_about() -> None:
    [about] = notices(settings(), RELEASE)
    assert about.startswith("nodePools.default: limits")
    limited = settings(node_pools={"default": {**POOL, "limits": {"cpu": "100"}}})
    assert notices(limited, RELEASE) == []


def test_terraform_finds_the_same_faults_in_the_same_words(terraform: Terraform) -> None:
    blocks = [
        (variable, block) for variable, found in validations(RELEASE).items() for block in found
    ]
    conditions = "".join(
        f"        {{ met = {block.condition.replace('var.', 'case.')}, "
        f"told = {json.dumps([variable, block.error_message])} }},\n"
        for variable, block in blocks
    )
    # One run for all cases.
    (terraform.folder / "main.tf").write_text(
        'variable "cases" {\n  type = any\n}\n\noutput "broken" {\n  value = {\n'
        "    for id, case in var.cases : id => [\n      for rule in [\n"
        f"{conditions}      ] : rule.told if !rule.met\n    ]\n  }}\n}}\n"
    )
    cases = {name: given(case) for name, case in CASES.items()}
    no_maps = {"node_classes": ["default"], "node_pools": "default"}
    inputs = {"cases": {**cases, "no maps": no_maps}}
    (terraform.folder / "cases.auto.tfvars.json").write_text(json.dumps(inputs))
    terraform.run("apply", "-auto-approve", "-no-color", "-input=false")
    state = json.loads((terraform.folder / "terraform.tfstate").read_text())
    found = {
        name: {tuple(told) for told in broken}
        for name, broken in state["outputs"]["broken"]["value"].items()
    }
    own = {(variable, block.error_message) for variable, block in blocks}
    # The settings model refuses these before any check, in the same words.
    _, refused = parse(ProvisionerOptions, no_maps)
    no_map = {(str(fault.path[0]), message(fault)) for fault in refused}
    expected = {"no maps": no_map} | {
        name: {(VARIABLES[fault.path[0]], message(fault)) for fault in faults} & (own - no_map)
        for name, facts in cases.items()
        for faults in [check(settings(**facts), RELEASE)]
    }
    assert found == expected
    assert set.union(*expected.values()) == own, "every block has a case that it refuses"
