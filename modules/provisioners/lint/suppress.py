"""Findings that their author knows of and wants untold, each with a written reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from modules.core.faults import Fault, Step
from modules.provisioners.lint.finding import Finding, LintRule, Severity
from modules.provisioners.lint.verdict import BINDING

_FORM = "a code and a reason, such as KPT204 the CSI driver has a role of its own"

WRONG = LintRule(
    "KPT007",
    "a suppression that cannot be heeded",
    Severity.ERROR,
    "What it is to keep quiet is told all the same.",
    "this project: a suppression has a code and a written reason",
)
IDLE = LintRule(
    "KPT008",
    "a suppression of nothing",
    Severity.WARNING,
    "It hides the next mistake of its kind from whoever makes it.",
    "this project: a suppression goes with what it was written for",
)
RULES = (WRONG, IDLE)


@dataclass(frozen=True, eq=False)
class Suppression:
    """One code that is not to be told.

    Args:
        code: `KPT105`.
        reason: why, in words; one without is a finding itself.
        covers: whether it is about a finding of its code.
        at: where it is written, for what is found wrong with it.
        source: whatever the caller tells documents apart by.
        line: its line in the file, from 1, when it is in one.
    """

    code: str
    reason: str
    covers: Callable[[Finding], bool]
    at: tuple[Step, ...] = ()
    source: object = None
    line: int | None = None


def settled(
    findings: Iterable[Finding], suppressions: Sequence[Suppression], codes: Collection[str]
) -> list[Finding]:
    """The findings that are not suppressed, and what is wrong with the suppressions.

    Args:
        findings: all that were found where the suppressions hold.
        suppressions: what is not to be told.
        codes: the codes that there are.
    """
    kept: list[Finding] = []
    used: set[Suppression] = set()
    heeded = [s for s in suppressions if not any(_wrong(s, codes))]
    for finding in findings:
        taking = {s for s in heeded if s.code == finding.rule.code and s.covers(finding)}
        used |= taking
        if not taking:
            kept.append(finding)
    for suppression in suppressions:
        for fault in _wrong(suppression, codes):
            kept.append(Finding(WRONG, fault, source=suppression.source))
        if suppression in heeded and suppression not in used:
            kept.append(Finding(IDLE, _idle(suppression), source=suppression.source))
    return kept


def _wrong(suppression: Suppression, codes: Collection[str]) -> Iterator[Fault]:
    code = suppression.code
    if code not in codes:
        problem = "suppresses a code that there is not" if code else "suppresses no code"
        yield _told(suppression, problem, _FORM, "`pipenv run explain` lists all codes")
    elif code in BINDING:
        yield _told(
            suppression,
            "suppresses what cannot be applied",
            "codes of what the API server takes",
            "mend the object: it cannot be applied as it is",
        )
    if not suppression.reason:
        yield _told(suppression, "gives no reason", _FORM, "write behind the code why it is right")


def _idle(suppression: Suppression) -> Fault:
    return _told(
        suppression,
        f"suppresses {suppression.code}, which is not found here",
        "suppressions of what is found",
        "remove it",
    )


def _told(suppression: Suppression, problem: str, allowed: str, fix: str) -> Fault:
    shown = f"{suppression.code} {suppression.reason}".strip()
    return Fault(suppression.at, problem, allowed, fix, shown, suppression.line)
