"""The same faults, judged by Terraform: the validations of a published module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import RELEASES
from modules.core.expressions import template
from modules.core.inputs import Validation
from modules.release.checks import check_values
from modules.release.validations import validations
from tests.release.cases import CASES, Case
from tests.release.evaluation import evaluate


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], list[str]]:
    """The messages of the validations that a case breaks; one Terraform run judges all cases."""
    blocks = {case: validations(RELEASES[case.version])["values"] for case in CASES}
    outputs = {
        f"case_{index}": "${[" + ", ".join(_of_case(block, index) for block in blocks[case]) + "]}"
        for index, case in enumerate(blocks)
    }
    data = {f"case_{index}": case.values for index, case in enumerate(CASES)}
    found = evaluate(tmp_path_factory.mktemp("cases"), outputs, variables={"data": data})

    def messages(case: Case) -> list[str]:
        holds = found[f"case_{CASES.index(case)}"]
        return [b.error_message for b, held in zip(blocks[case], holds, strict=True) if not held]

    return messages


def _of_case(block: Validation, index: int) -> str:
    return block.condition.replace("var.values", f"var.data.case_{index}")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_terraform_refuses_what_python_refuses_and_nothing_else(
    case: Case, failing: Callable[[Case], list[str]]
) -> None:
    assert bool(failing(case)) is bool(case.faults)
    assert len(failing(case)) <= max(1, len(case.faults))


@pytest.mark.parametrize("case", [case for case in CASES if case.faults], ids=str)
def test_terraform_says_what_python_says(case: Case, failing: Callable[[Case], list[str]]) -> None:
    said = "\n".join(failing(case))
    for fault in check_values(case.values, RELEASES[case.version]):
        if fault.problem.startswith("is not a key"):
            # The nearest key is for Python to find.
            assert "one of " in said
        else:
            assert f"Allowed: {fault.allowed}. Fix: {fault.fix}." in said


def blocks_for(version: str, variable: str) -> list[dict[str, str]]:
    return [
        {"condition": "${" + block.condition + "}", "error_message": template(block.error_message)}
        for block in validations(RELEASES[version]).get(variable, [])
    ]


def test_terraform_takes_the_blocks_as_validations_of_the_variable(tmp_path: Path) -> None:
    given = {"variables": {"values": {"settings": {"batchMaxDuration": "20s"}}}}
    blocks = {"values": blocks_for("1.15.1", "values")}
    assert evaluate(tmp_path, {"found": "ok"}, validations=blocks, **given) == {"found": "ok"}


def test_a_broken_validation_says_its_message(tmp_path: Path) -> None:
    given: dict[str, Any] = {"variables": {"values": {"settings": {"clusterName": "x", "b": 10}}}}
    blocks = {"values": blocks_for("1.15.1", "values")}
    with pytest.raises(ValueError, match=r"values\.settings\.clusterName: Allowed") as caught:
        evaluate(tmp_path, {"found": "ok"}, validations=blocks, **given)
    assert "Fix: correct the spelling, or remove it." in " ".join(str(caught.value).split())


@pytest.mark.parametrize("version", ["1.1.10", "1.2.0"])
@pytest.mark.parametrize("delete_crds", [None, True, False])
def test_terraform_judges_the_deletion_of_crds(
    version: str, delete_crds: bool | None, tmp_path: Path
) -> None:
    refused = version == "1.1.10" and delete_crds is False
    blocks = {"delete_crds": blocks_for(version, "delete_crds")}
    variables = {"delete_crds": delete_crds}
    if refused:
        with pytest.raises(ValueError, match=r"only charts from 1\.2\.0"):
            evaluate(tmp_path, {"found": "ok"}, variables=variables, validations=blocks)
    else:
        evaluate(tmp_path, {"found": "ok"}, variables=variables, validations=blocks)


@pytest.mark.parametrize(
    ("switch", "queue_name", "refused"),
    [(True, "q", False), (True, None, True), (False, None, False), (False, "q", False)],
)
def test_terraform_judges_the_queue_name(
    switch: bool, queue_name: str | None, refused: bool, tmp_path: Path
) -> None:
    blocks = {"queue_name": blocks_for("1.14.2", "queue_name")}
    variables = {"interruption_handling": switch, "queue_name": queue_name}
    if refused:
        with pytest.raises(ValueError, match="a queue name where interruption"):
            evaluate(tmp_path, {"found": "ok"}, variables=variables, validations=blocks)
    else:
        evaluate(tmp_path, {"found": "ok"}, variables=variables, validations=blocks)
