"""A lint report as SARIF 2.1.0, which code review tools show beside the lines.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) version 2.1.0.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePath

from modules.core.faults import dotted
from modules.provisioners.lint.finding import LintRule, Severity
from modules.provisioners.lint.registry import BY_CODE
from stacks.lint.run import Report, Told

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def as_sarif(report: Report, below: Path) -> str:
    """The report; files are named from `below`, as far as they lie there."""
    codes = sorted({told.finding.rule.code for told in report.told})
    driver = {
        "name": "karpenter-lint",
        "rules": [_rule(BY_CODE[code]) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(told, codes, below) for told in report.told],
    }
    return json.dumps(
        {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False
    )


def _rule(rule: LintRule) -> dict[str, object]:
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why} Source: {rule.source}."},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(told: Told, codes: list[str], below: Path) -> dict[str, object]:
    fault, place, code = told.fault, told.place, told.finding.rule.code
    path = dotted(fault.path)
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endColumn": place.column + place.width,
    }
    return {
        "ruleId": code,
        "ruleIndex": codes.index(code),
        "level": _LEVELS[told.severity],
        "message": {
            "text": f"{f'{path}: ' if path else ''}{fault.problem}. Allowed: {fault.allowed}. "
            f"Fix: {fault.fix}."
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(told.file, below)},
                    "region": region,
                },
                "logicalLocations": [{"fullyQualifiedName": path}],
            }
        ],
        "partialFingerprints": {"codeAndPath/v1": f"{code}:{path}"},
    }


def _uri(file: Path, below: Path) -> str:
    whole = file.resolve()
    if whole.is_relative_to(below.resolve()):
        return PurePath(whole.relative_to(below.resolve())).as_posix()
    return whole.as_uri()
