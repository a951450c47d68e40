"""Findings that their author knows of and wants untold, each with a written reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from modules.core.faults import Step
from modules.provisioners.lint.finding import Finding


@dataclass(frozen=True, eq=False)
class Suppression:
    """One code that is not to be told.

    Args:
        code: `KPT105`.
        reason: why, in words; one without is a finding itself.
        covers: whether it is about a finding of its code.
        at: where it is written, for what is found wrong with it.
        source: whatever the caller tells documents apart by.
    """

    code: str
    reason: str
    covers: Callable[[Finding], bool]
    at: tuple[Step, ...] = ()
    source: object = None


def suppressed(
    findings: Iterable[Finding], suppressions: Sequence[Suppression]
) -> tuple[list[Finding], set[Suppression]]:
    """The findings that stay, and the suppressions that took one away."""
    kept: list[Finding] = []
    used: set[Suppression] = set()
    for finding in findings:
        taking = {
            s
            for s in suppressions
            if s.reason and s.code == finding.rule.code and s.covers(finding)
        }
        used |= taking
        if not taking:
            kept.append(finding)
    return kept, used
