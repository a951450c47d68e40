"""Bad files, one folder each, linted in one run: each gives exactly what it should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.faults import dotted
from stacks.lint.report import as_text
from stacks.lint.run import Report, Request, Told, run

FOLDER = Path(__file__).parent / "bad"
EXPECTED: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    FOLDER.with_suffix(".yaml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def report() -> Report:
    return run(Request([FOLDER]))


def told_of(name: str, report: Report) -> list[Told]:
    return [told for told in report.told if told.file.parent.name == name]


def test_there_are_forty_files_at_least_and_each_is_expected_to_be_bad() -> None:
    assert {folder.name for folder in FOLDER.iterdir()} == EXPECTED.keys()
    assert len(EXPECTED) >= 40
    assert all(EXPECTED.values())


@pytest.mark.parametrize("name", EXPECTED)
def test_a_bad_file_gives_all_its_findings_and_no_others(name: str, report: Report) -> None:
    assert [
        {
            "line": told.place.line,
            "column": told.place.column,
            "code": told.finding.rule.code,
            "path": dotted(told.fault.path),
            "fix": told.fault.fix,
        }
        for told in told_of(name, report)
    ] == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_text_shows_place_line_caret_rule_what_is_allowed_and_the_fix(
    name: str, report: Report
) -> None:
    text = as_text(report)
    for told in told_of(name, report):
        where = f"{told.file}:{told.place.line}:{told.place.column}: {told.severity.value}: "
        (block,) = (
            part
            for part in text.split("\n\n")
            if part.startswith(where) and f"[{told.finding.rule.code}]" in part.splitlines()[0]
        )
        head, source, caret, *rest = block.splitlines()
        assert dotted(told.fault.path) in head
        assert source == f"{told.place.line:>5} | {told.text.expandtabs(1)}"
        assert caret.index("^") - len("      | ") == told.place.column - 1
        assert rest[-2:] == [
            f"      allowed: {told.fault.allowed}",
            f"      fix:     {told.fault.fix}",
        ]


def test_every_file_is_reported_in_the_one_run(report: Report) -> None:
    assert {told.file.parent.name for told in report.told} == EXPECTED.keys()
    assert report.files == len(EXPECTED)


def test_the_findings_are_in_the_order_of_files_and_lines(report: Report) -> None:
    places = [(told.file, told.place.line, told.place.column) for told in report.told]
    assert places == sorted(places)
