"""Kinds of values: one expression, read alike by Python and Terraform."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.release import kinds
from modules.release.keys import KEYS
from modules.release.kinds import Kind
from tests.evaluation import evaluate

GOOD_AND_BAD: dict[str, tuple[list[Any], list[Any]]] = {
    "TEXT": (["", "a", 'a"b', "a\\", "\n", "<é>"], [1, True, [], {}]),
    "BOOL": ([True, False], ["true", 0, "", []]),
    "COUNT": ([0, 1, 1000], [-1, 1.5, "1", True, []]),
    "COUNT_TEXT": (["0", "12"], [0, "-1", "", "1.5", "a"]),
    "FRACTION": ([0, 1, 0.075, "0.075"], [-0.1, "-0.1", "a", True, ""]),
    "PORT": ([1, 8080, 65535], [0, 123456, "8080", -1]),
    "SHARE": ([0, 1, "50%"], ["1", "50", 1.5, "%", "half"]),
    "DURATION": (["10s", "1.5s", "1m30s", "100ms", "0s"], [10, "10", "s", "10 s", "1d", "-1s", ""]),
    "INTERVAL": (
        ["1m", "60s", "90s", "100s", "1m1s", "1h", "1h0m", "10m"],
        ["59s", "0m", "0h", "1s", "0m59s", 60, "60", "05m", ""],
    ),
    "MAP": ([{}, {"a": [1]}], [[], "a", 1]),
    "TEXT_MAP": (
        [{}, {"a": "b"}, {"a": "b", "c": 'd"}', "e,f": ":"}],
        [{"a": 1}, {"a": None}, {"a": "b", "c": True}, {"a": {}}, {"a": ["b"]}, [], "a"],
    ),
    "LIST": ([[], [1, "a", {}]], [{}, "[]", 1]),
    "TEXT_LIST": ([[], ["a"], ["a", 'b"]', ","]], [[1], ["a", None], [["a"]], {}, "a"]),
}
CASES = [
    (name, value, good)
    for name, pair in GOOD_AND_BAD.items()
    for good, values in ((True, pair[0]), (False, pair[1]))
    for value in values
]


def test_every_kind_has_cases() -> None:
    named = {name for name, value in vars(kinds).items() if isinstance(value, Kind)}
    assert named == GOOD_AND_BAD.keys()


@pytest.mark.parametrize(("name", "value", "good"), CASES)
def test_python_tells_the_kinds_apart(name: str, value: Any, good: bool) -> None:
    kind: Kind = getattr(kinds, name)
    assert kind.accepts(value) is good


@pytest.mark.parametrize("name", GOOD_AND_BAD)
def test_every_kind_accepts_its_example_and_null(name: str) -> None:
    kind: Kind = getattr(kinds, name)
    assert kind.accepts(kind.example)
    assert kind.accepts(None)


def test_a_word_is_one_of_those_listed() -> None:
    kind = kinds.one_of("a", "bc")
    assert [kind.accepts(value) for value in ("a", "bc", "b", "abc", "", 1)] == [
        True,
        True,
        *[False] * 4,
    ]


def test_terraform_tells_the_kinds_apart_in_the_same_way(tmp_path: Path) -> None:
    conditions = [
        getattr(kinds, name).terraform(f"var.data[{index}]")
        for index, (name, _, _) in enumerate(CASES)
    ]
    found = evaluate(
        tmp_path,
        {"found": f"${{[{', '.join(conditions)}]}}"},
        variables={"data": [value for _, value, _ in CASES]},
    )["found"]
    assert [case for case, judged in zip(CASES, found, strict=True) if judged is not case[2]] == []


def test_terraform_accepts_null(tmp_path: Path) -> None:
    conditions = ", ".join({key.kind.terraform("null") for key in KEYS})
    found = evaluate(tmp_path, {"found": f"${{jsonencode([{conditions}])}}"})["found"]
    assert set(json.loads(found)) == {True}
