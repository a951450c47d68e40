"""Suppressions that are written as comments: `# karpenter-lint: ignore KPT204 <reason>`.

Above an object, one holds for the object; above or behind a key or an item of a list, for that
and what is in it. Cluster files have `suppress` instead, which `synth` reads as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from modules.core.faults import Fault, Step
from modules.provisioners.lint.finding import Finding
from modules.provisioners.lint.suppress import WRONG, Suppression
from stacks.lint.sheet import Sheet

_COMMENT = re.compile(r"(?:^|\s)#\s*karpenter-lint:\s*(?P<said>.*?)\s*$")
_IGNORE = re.compile(r"ignore\s+(?P<codes>[A-Z]+[0-9]+(?:\s*,\s*[A-Z]+[0-9]+)*)[\s:–-]*(?P<why>.*)")
_WITHOUT_CONTENT = re.compile(r"\s*(?:#.*)?|---\s*(?:#.*)?")


def suppressions(file: Path, sheets: Sequence[Sheet]) -> Iterator[Suppression]:
    """The suppressions in the comments of a file of manifests."""
    for number, said, own_line in _comments(sheets):
        target = _next(sheets[0].lines, number) if own_line else number
        sheet, path = _place(sheets, target)
        parts = _IGNORE.fullmatch(said)
        for code in re.split(r"\s*,\s*", parts["codes"]) if parts else [said]:
            yield Suppression(
                code,
                parts["why"] if parts else "",
                _covering(file, sheet, path, target),
                source=sheet or sheets[0],
                line=number,
            )


def misplaced(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    """The comments of a cluster file, which suppress nothing."""
    for number, said, _ in _comments(sheets):
        fault = Fault(
            (),
            "is a comment, which synth does not read",
            "suppress under the cluster, with code and reason",
            "write it there",
            said,
            number,
        )
        yield Finding(WRONG, fault, source=sheets[0])


def _comments(sheets: Sequence[Sheet]) -> Iterator[tuple[int, str, bool]]:
    """The line of each comment to lint, what it says, and whether it has the line for itself."""
    for number, line in enumerate(sheets[0].lines if sheets else (), 1):
        found = _COMMENT.search(line)
        if found is not None:
            yield number, found["said"], not line[: found.start()].strip()


def _next(lines: Sequence[str], number: int) -> int:
    """The line below that has content."""
    below = range(number, len(lines))
    return next((n + 1 for n in below if not _WITHOUT_CONTENT.fullmatch(lines[n])), number)


def _place(sheets: Iterable[Sheet], line: int) -> tuple[Sheet | None, tuple[Step, ...] | None]:
    """The outermost thing that begins in a line."""
    for sheet in sheets:
        document = sheet.document
        here = [
            path for path, place in (document.values | document.keys).items() if place.line == line
        ]
        if here:
            return sheet, min(here, key=len)
    return None, None


def _covering(
    file: Path, sheet: Sheet | None, path: tuple[Step, ...] | None, line: int
) -> Callable[[Finding], bool]:
    def covers(finding: Finding) -> bool:
        own = finding.source
        if not isinstance(own, Sheet) or own.file != file:
            return False
        inside = own is sheet and path is not None and finding.fault.path[: len(path)] == path
        return inside or own.place(finding).line == line

    return covers
