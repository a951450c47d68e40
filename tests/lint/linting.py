"""Linting snippets and files in tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from modules.core.catalogue import RELEASES
from modules.core.faults import dotted
from modules.provisioners.lint.examples import Example, completed
from modules.provisioners.lint.finding import Facts
from stacks.lint.run import Report, Request, run


def lint_text(
    folder: Path,
    text: str,
    release: str | None = None,
    kubernetes: str | None = None,
    facts: Mapping[str, Any] | None = None,
    previous: str | None = None,
) -> Report:
    """What is found in a file with this text."""
    file = folder / "objects.yaml"
    file.write_text(text, encoding="utf-8")
    before = folder / "previous.txt"
    if previous is not None:
        before.write_text(previous, encoding="utf-8")
    return run(
        Request(
            [file],
            RELEASES[release] if release else None,
            kubernetes,
            Facts(**(facts or {})),
            [before] if previous is not None else [],
        )
    )


def lint_folder(folder: Path, facts: Mapping[str, Any] | None = None) -> Report:
    """What is found in all files of a folder."""
    return run(Request([folder], facts=Facts(**(facts or {}))))


def lint_example(folder: Path, example: Example, snippet: str) -> Report:
    """What is found in a snippet of an example."""
    return lint_text(
        folder,
        snippet if example.raw else written(snippet),
        example.release,
        example.kubernetes,
        example.facts,
        None if example.previous is None else written(example.previous),
    )


def written(snippet: str) -> str:
    """The objects of a snippet with all that it leaves out, as YAML."""
    return yaml.safe_dump_all(completed(snippet), sort_keys=False)


def codes(report: Report) -> list[str]:
    """The codes of what was found."""
    return [told.finding.rule.code for told in report.told]


def places(report: Report, code: str) -> list[str]:
    """Where a code was found, as messages write it."""
    return [dotted(t.fault.path) for t in report.told if t.finding.rule.code == code]
