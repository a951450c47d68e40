"""The same faults, judged by Terraform: the validations of a published module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import RELEASES
from modules.core.inputs import Validation
from modules.release.checks import check_values
from modules.release.keys import KEYS, levels_of
from modules.release.validations import validations
from tests.evaluation import evaluate
from tests.release.cases import CASES, Case


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, list[str]]:
    """The messages of the validations that each case breaks; one Terraform run judges all."""
    versions = {case.version for case in CASES}
    blocks = {version: validations(RELEASES[version])["values"] for version in versions}
    cases = {version: [c for c in CASES if c.version == version] for version in versions}
    outputs = {
        _name(version): f"${{[for values in var.{_name(version)} : [{_conditions(of_version)}]]}}"
        for version, of_version in blocks.items()
    }
    data = {_name(version): [case.values for case in cases[version]] for version in versions}
    found = evaluate(tmp_path_factory.mktemp("cases"), outputs, variables=data)
    return {
        case: [b.error_message for b, held in zip(blocks[version], holds, strict=True) if not held]
        for version in versions
        for case, holds in zip(cases[version], found[_name(version)], strict=True)
    }


def _name(version: str) -> str:
    return "v" + version.replace(".", "_")


def _conditions(blocks: list[Validation]) -> str:
    return ", ".join(block.condition.replace("var.values", "values") for block in blocks)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_terraform_refuses_what_python_refuses_and_nothing_else(
    case: Case, failing: dict[Case, list[str]]
) -> None:
    assert bool(failing[case]) is bool(case.faults)
    assert len(failing[case]) <= max(1, len(case.faults))


@pytest.mark.parametrize("case", [case for case in CASES if case.faults], ids=str)
def test_terraform_says_what_python_says(case: Case, failing: dict[Case, list[str]]) -> None:
    said = "\n".join(failing[case])
    for fault in check_values(case.values, RELEASES[case.version]):
        if fault.problem.startswith("is not a key"):
            # The nearest key is for Python to find.
            assert f": has what {fault.problem}. Allowed: one of " in said
        else:
            assert f": {fault.problem}. Allowed: {fault.allowed}. Fix: {fault.fix}." in said


SAMPLES: tuple[Any, ...] = (
    *(None, "", "a", "10s", "1", 1, 0.5, True, [], ["a"], [1]),
    *({}, {"a": "b"}, {"a": 1}),
)


def nested(path: tuple[str, ...], value: object) -> dict[str, Any]:
    inner = {path[-1]: value}
    return nested(path[:-1], inner) if path[:-1] else inner


def test_every_key_with_all_sorts_of_values_is_judged_alike(tmp_path: Path) -> None:
    release = RELEASES["1.15.1"]
    paths = sorted({key.path for key in KEYS} | {path for path in levels_of(release) if path})
    # Three samples for each key, the next three for the next one: enough, and quick.
    data = [
        nested(path, SAMPLES[(3 * index + offset) % len(SAMPLES)])
        for index, path in enumerate(paths)
        for offset in range(3)
    ]
    every = f"alltrue([{_conditions(validations(release)['values'])}])"
    found = evaluate(
        tmp_path, {"found": f"${{[for values in var.data : {every}]}}"}, variables={"data": data}
    )["found"]
    expected = [not check_values(values, release) for values in data]
    pairs = zip(data, found, expected, strict=True)
    assert [values for values, judged, wanted in pairs if judged is not wanted] == []
    assert {*found} == {True, False}


def blocks_for(version: str, variable: str) -> list[Validation]:
    return validations(RELEASES[version]).get(variable, [])


def test_terraform_takes_the_blocks_as_validations_of_the_variable(tmp_path: Path) -> None:
    given = {"variables": {"values": {"settings": {"batchMaxDuration": "20s"}}}}
    blocks = {"values": blocks_for("1.15.1", "values")}
    assert evaluate(tmp_path, {"found": "ok"}, validations=blocks, **given) == {"found": "ok"}


def test_a_broken_validation_says_its_message(tmp_path: Path) -> None:
    given: dict[str, Any] = {"variables": {"values": {"settings": {"clusterName": "x", "b": 10}}}}
    blocks = {"values": blocks_for("1.15.1", "values")}
    with pytest.raises(ValueError, match=r"values\.settings\.clusterName: is not yours") as told:
        evaluate(tmp_path, {"found": "ok"}, validations=blocks, **given)
    assert "Fix: correct the spelling, or remove it." in str(told.value)


@pytest.mark.parametrize("values", ["text", [], None, 1])
def test_terraform_wants_values_to_be_a_mapping(values: object, tmp_path: Path) -> None:
    blocks = {"values": blocks_for("1.15.1", "values")}
    with pytest.raises(ValueError, match="a mapping of keys to values"):
        evaluate(tmp_path, {"found": "ok"}, variables={"values": values}, validations=blocks)


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
