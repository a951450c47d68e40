"""A lint report as text, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from modules.core.faults import ABSENT, dotted, shown
from modules.provisioners.lint.finding import Severity
from stacks.lint.run import Report, Told

_WIDEST = 160
"""Columns of a source line that are shown; a pasted certificate is longer."""


def as_text(report: Report) -> str:
    """Each finding with its line and a caret, and a summary."""
    return "\n".join([*(f"{_one(told)}\n" for told in report.told), *_summary(report)])


def as_json(report: Report) -> str:
    """The same for programs; keys are only ever added."""
    data = {
        "karpenterVersions": [release.version for release, _ in report.releases],
        "kubernetesVersion": report.kubernetes,
        "files": report.files,
        "objects": report.objects,
        "counts": {severity.value: report.count(severity) for severity in Severity},
        "findings": [_fields(told) for told in report.told],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _one(told: Told) -> str:
    fault, place, rule = told.fault, told.place, told.finding.rule
    path = dotted(fault.path)
    where = f"{told.file}:{place.line}:{place.column}: {rule.severity.value}"
    lines = [": ".join(filter(None, (where, path, f"{fault.problem} [{rule.code}]")))]
    if told.text.strip():
        text = told.text[:_WIDEST].expandtabs(1)
        width = max(min(place.width, len(text) - place.column + 1), 1)
        number = f"{place.line:>5}"
        lines += [
            f"{number} | {text}",
            f"{' ' * len(number)} | {' ' * (place.column - 1)}{'^' * width}",
        ]
    if fault.value is not ABSENT:
        lines.append(f"      got:     {shown(fault.value)}")
    lines += [f"      allowed: {fault.allowed}", f"      fix:     {fault.fix}"]
    return "\n".join(lines)


def _summary(report: Report) -> Iterator[str]:
    counts = ", ".join(
        _counted(report.count(severity), word)
        for severity, word in zip(Severity, ("error", "warning", "note"), strict=True)
    )
    read = f"{_counted(report.objects, 'object')} in {_counted(report.files, 'file')}"
    yield f"{counts} ({read})"
    releases = " and ".join(
        f"{release.version}{f' ({why})' if why else ''}" for release, why in report.releases
    )
    if releases:
        kubernetes = report.kubernetes or "of any version"
        yield f"Judged for Karpenter {releases}, and Kubernetes {kubernetes}."
    if report.told:
        code = report.told[0].finding.rule.code
        yield f"`pipenv run explain {code}` says more of a code."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _fields(told: Told) -> dict[str, object]:
    fault, manifest = told.fault, told.finding.manifest
    given = told.finding.fault.value
    value = {} if given is ABSENT else {"value": _plain(given)}
    return {
        "file": str(told.file),
        "line": told.place.line,
        "column": told.place.column,
        "endColumn": told.place.column + told.place.width,
        "path": dotted(fault.path),
        "code": told.finding.rule.code,
        "severity": told.severity.value,
        "problem": fault.problem,
        **value,
        "allowed": fault.allowed,
        "fix": fault.fix,
        "object": None if manifest is None else {"kind": manifest.kind, "name": manifest.name},
    }


def _plain(value: object) -> object:
    """A value that JSON has, or its text."""
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return str(value)
    return value
