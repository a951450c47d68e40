"""The same cases as `terraform test` runs of the real modules: what a plan refuses, and where.

One run for the refused case of each validation, one for a case of each variable that passes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Set
from pathlib import Path
from typing import Any

import pytest

from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.cases import MODULES, Case
from tests.terraform.published.judging import Judged, blocks, judging_variables
from tests.terraform.published.roots import CLASS, OBJECTS, POOL, literal, take_modules

MOCKED = {
    "aws": {
        "mock_data": {
            "aws_partition": {"defaults": {"partition": "aws"}},
            "aws_region": {"defaults": {"region": "us-west-2"}},
            "aws_caller_identity": {"defaults": {"account_id": "111122223333"}},
        }
    },
    "helm": {},
}
PROVIDERS = {"karpenter-iam": "aws", "karpenter-release": "helm", "karpenter-provisioners": "helm"}

CHECKED = "helm_release.classes"
"""Its preconditions judge the values of specs, which no validation does."""

WRONG_VALUES = [
    {**OBJECTS, "node_pools": {"default": {**POOL, "weight": 101}}},
    {**OBJECTS, "node_classes": {"default": {**CLASS, "kubelet": {"maxPods": "many"}}}},
    {**OBJECTS, "node_classes": {"default": {**CLASS, "role": "arn:aws:iam::1:role/a"}}},
]
RIGHT_VALUES = [
    {**OBJECTS, "node_pools": {"default": {**POOL, "weight": 100}}},
    {**OBJECTS, "node_classes": {"default": {**CLASS, "kubelet": {"maxPods": 110}}}},
    {**OBJECTS, "node_classes": {"default": {**CLASS, "role": "a"}}},
]

Runs = dict[str, dict[str, Any]]


@pytest.mark.parametrize("module", MODULES)
def test_terraform_s_own_tests_expect_what_is_refused_and_take_what_is_not(
    module: str, judged: Judged, terraform: MakeTerraform, tmp_path: Path
) -> None:
    take_modules(tmp_path)
    folder = tmp_path / "modules" / module
    runs = {**refused(module, judged), **accepted(module, judged), **of_values(module)}
    tree = {
        "mock_provider": {PROVIDERS[module]: MOCKED[PROVIDERS[module]]},
        "variables": literal(MODULES[module].facts),
        "run": runs,
    }
    (folder / "tests/cases.tftest.json").write_text(json.dumps(tree), encoding="utf-8")
    tf = terraform(folder)
    tf.init()
    said = tf.test("-filter=tests/cases.tftest.json").text
    assert f"Success! {len(runs)} passed, 0 failed." in said


def refused(module: str, judged: Judged) -> Runs:
    """A case of each validation."""
    lines = {
        case: {refusal.line for refusal in found}
        for case, found in judged.items()
        if case.module == module and found
    }
    return {
        name_of("refused", number, case): run(
            case.given, {f"var.{r.variable}" for r in judged[case]}
        )
        for number, case in enumerate(covering(blocks(module), lines))
    }


def accepted(module: str, judged: Judged) -> Runs:
    """A case of each variable that has validations."""
    names = {
        case: {name for name, value in case.given.items() if value not in (None, {}, [])}
        for case, found in judged.items()
        if case.module == module and not found
    }
    return {
        name_of("accepted", number, case): run(case.given)
        for number, case in enumerate(covering(judging_variables(module), names))
    }


def of_values(module: str) -> Runs:
    """Cases of the preconditions."""
    if module != "karpenter-provisioners":
        return {}
    wrong = {f"wrong_{n}": run(given, {CHECKED}) for n, given in enumerate(WRONG_VALUES)}
    return wrong | {f"right_{n}": run(given) for n, given in enumerate(RIGHT_VALUES)}


def covering(wanted: Set[Any], offered: dict[Case, set[Any]]) -> Iterable[Case]:
    """Cases that have, together, all that is wanted: those with least besides it first."""
    missing = set(wanted)
    for case in sorted(offered, key=lambda case: len(offered[case])):
        if offered[case] & missing:
            missing -= offered[case]
            yield case
    assert not missing


def run(given: dict[str, Any], fails: Set[str] = frozenset()) -> dict[str, Any]:
    expected = {"expect_failures": sorted(fails)} if fails else {}
    return {"command": "plan", "variables": literal(given), **expected}


def name_of(verdict: str, number: int, case: Case) -> str:
    """What Terraform calls the run: an identifier."""
    return f"{verdict}_{number}_" + re.sub(r"\W+", "_", case.name, flags=re.ASCII)
