"""Rules at and around their boundaries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.provisioners.lint.registry import BY_CODE, RULES
from tests.lint.linting import codes, lint_text, written

CASES: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("rules.yaml").read_text(encoding="utf-8")
)


def named(case: dict[str, Any]) -> str:
    release = case.get("release", "default")
    return f"{case['code']} {'finds' if case['finds'] else 'ignores'} for {release}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_rule_finds_what_it_is_about_and_nothing_else(
    case: dict[str, Any], tmp_path: Path
) -> None:
    report = lint_text(
        tmp_path,
        written(case["snippet"]),
        case.get("release"),
        case.get("kubernetes"),
        case.get("facts"),
    )
    assert (case["code"] in codes(report)) is case["finds"]


def test_every_rule_has_all_that_is_told_of_it() -> None:
    for rule in RULES:
        assert rule.code == f"KPT{int(rule.code[3:]):03}"
        assert rule.title[0].islower() or rule.title.startswith(("Custom", "YAML", "Windows"))
        assert rule.why.endswith(".")
        assert rule.source


def test_there_are_far_more_than_forty_five_rules_beyond_the_schema() -> None:
    beyond = [rule for rule in RULES if not rule.code.startswith("KPT0")]
    assert len(beyond) >= 90
    assert len(BY_CODE) == len(RULES)
