"""What a pool's disruption budgets leave uncovered or blocked, for each reason and hour of a week.

A budget is a ceiling: where none holds, nodes are disrupted without limit. A percentage is rounded
up, so that 10% of one node is one. From 1.0 on, expiry heeds no budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from modules.core.catalogue import Release
from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.durations import seconds
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import POOLS, is_provisioner
from modules.provisioners.lint.schedules import MINUTES, Schedule, active, parse

_SINCE_REASONS: Final = "1.0.0"
_SINCE_UNHEALTHY: Final = "1.15.0"
_DEFAULT: Final = "10%"
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_HOUR: Final = 60
FREE, LIMITED, BLOCKED = " ", "·", "█"
"""How a table shows an hour: without limit, with one, and with nothing allowed."""
_MIXED: Final = "▒"


@dataclass(frozen=True)
class Budget:
    """One budget.

    Args:
        path: where it stands, from the spec down.
        nodes: how many nodes it allows, as it is written.
        reasons: what it is about; empty for all.
        schedule: when it begins to hold; None for always.
        minutes: for how long.
    """

    path: tuple[str | int, ...]
    nodes: str
    reasons: tuple[str, ...]
    schedule: Schedule | None
    minutes: int

    @property
    def blocks(self) -> bool:
        """Whether it allows nothing."""
        return self.nodes in ("0", "0%")

    def is_about(self, reason: str) -> bool:
        """Whether it limits disruption for a reason."""
        return not self.reasons or reason in self.reasons

    def hours(self) -> frozenset[int]:
        """The minutes of a week in which it holds."""
        if self.schedule is None:
            return frozenset(range(MINUTES))
        return frozenset(active(self.schedule, self.minutes))


def effective(nodes: str, size: int) -> int:
    """How many of a pool's nodes a budget allows to be disrupted at once.

    Args:
        nodes: as it is written: a number, or a percentage, which is rounded up.
        size: how many nodes the pool has.
    """
    if nodes.endswith("%"):
        return -(-int(nodes[:-1]) * size // 100)
    return int(nodes)


def budgets(pool: Manifest) -> list[Budget]:
    """The pool's budgets that can be read; Karpenter's own default where it gives none."""
    if is_provisioner(pool):
        return []
    given = look.at(pool.spec, "disruption", "budgets")
    if given is None:
        return [Budget(("disruption",), _DEFAULT, (), None, MINUTES)]
    return [b for path, item in _items(pool) if (b := _read(path, item)) is not None]


def _items(pool: Manifest) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    return look.items(pool.spec, "disruption", "budgets")


def _read(path: tuple[str | int, ...], item: Mapping[str, Any]) -> Budget | None:
    nodes = look.text(item, "nodes") or _DEFAULT
    if not nodes.removesuffix("%").isdecimal():
        return None
    text, length = look.text(item, "schedule"), seconds(look.text(item, "duration"))
    schedule = None if text is None else parse(text)
    if (text is not None and schedule is None) or (text is None) != (length is None):
        return None
    minutes = MINUTES if length is None else int(length // 60)
    return Budget(path, nodes, tuple(look.texts(item, "reasons")), schedule, minutes)


def reasons(release: Release) -> tuple[str, ...]:
    """The reasons that a release's budgets may be about."""
    known = ("Underutilized", "Empty", "Drifted")
    return (*known, "Unhealthy") if release.at_least(_SINCE_UNHEALTHY) else known


def week(given: list[Budget], reason: str) -> list[list[str]]:
    """For each day and hour: whether disruption for a reason is free, limited or blocked."""
    limited: set[int] = set()
    blocked: set[int] = set()
    for budget in given:
        if budget.is_about(reason):
            limited |= budget.hours()
            blocked |= budget.hours() if budget.blocks else frozenset()
    table = []
    for day in range(7):
        row = []
        for hour in range(24):
            start = (day * 24 + hour) * _HOUR
            minutes = range(start, start + _HOUR)
            states = {
                BLOCKED if m in blocked else LIMITED if m in limited else FREE for m in minutes
            }
            row.append(states.pop() if len(states) == 1 else _MIXED)
        table.append(row)
    return table


def render_week(pool: Manifest, release: Release) -> str:
    """A pool's week as text: a table of days and hours for each reason, in UTC."""
    given = budgets(pool)
    tables: dict[str, list[str]] = {}
    for reason in reasons(release):
        rows = week(given, reason)
        text = "\n".join(
            f"  {name} {''.join(row[:12])} {''.join(row[12:])}"
            for name, row in zip(_DAYS, rows, strict=True)
        )
        tables.setdefault(text, []).append(reason)
    lines = [f"{pool.name}: hours 0–11 and 12–23 UTC"]
    for text, alike in tables.items():
        lines += [f" {', '.join(alike)}", text]
    lines.append(f" [{LIMITED}] limited  [{BLOCKED}] blocked  [{FREE}] no limit  [{_MIXED}] partly")
    return "\n".join(lines)


def _uncovered(pool: Manifest, context: Context) -> Iterator[Fault]:
    given = budgets(pool)
    if not given or any(b.schedule is None and not b.reasons for b in given):
        return
    free: dict[str, float] = {}
    for reason in reasons(context.release):
        held: set[int] = set()
        for budget in given:
            if budget.is_about(reason):
                held |= budget.hours()
        if len(held) < MINUTES:
            free[reason] = round((MINUTES - len(held)) / _HOUR, 1)
    if free:
        hours = ", ".join(f"{reason} {count:g} of 168 hours" for reason, count in free.items())
        yield Fault(
            ("disruption", "budgets"),
            f"leave disruption without any limit: {hours} a week",
            "a budget without schedule and reasons beside the others",
            f'add {{ nodes: "{_DEFAULT}" }}, which holds where no other does',
        )


def _blocked(pool: Manifest, _: Context) -> Iterator[Fault]:
    """Budgets of nothing that hold at all times and for drift."""
    given = budgets(pool)
    held: set[int] = set()
    blocking = [b for b in given if b.blocks and b.is_about("Drifted")]
    for budget in blocking:
        held |= budget.hours()
    if blocking and len(held) == MINUTES:
        yield Fault(
            (*blocking[0].path, "nodes"),
            "allows no node to be replaced for drift, at any time",
            "hours in which new images and changes of the pool reach the nodes",
            "give it a schedule and a duration that leave hours free",
            blocking[0].nodes,
        )


def _never(pool: Manifest, _: Context) -> Iterator[Fault]:
    for path, item in _items(pool):
        text = look.text(item, "schedule")
        schedule = None if text is None else parse(text)
        if schedule is not None and not schedule.ever:
            yield Fault(
                (*path, "schedule"),
                "never begins: there is no such day",
                "a day that some month has",
                "correct the day or the month",
                text,
            )


def _always(pool: Manifest, _: Context) -> Iterator[Fault]:
    for budget in budgets(pool):
        if budget.schedule is None or not budget.schedule.weekly:
            continue
        if len(budget.hours()) == MINUTES:
            yield Fault(
                (*budget.path, "duration"),
                "is so long that the budget holds at all times",
                "a duration shorter than the time from one beginning to the next",
                "shorten it, or remove schedule and duration",
            )


RULES = (
    LintRule(
        "KPT501",
        "hours or reasons without a budget",
        Severity.WARNING,
        "Budgets are ceilings: where none holds, nodes are disrupted without any limit.",
        "aws/karpenter-provider-aws#7026",
        POOLS,
        _uncovered,
        since="0.34.0",
    ),
    LintRule(
        "KPT502",
        "a budget that always holds drift back",
        Severity.WARNING,
        "New images and changes of the pool never reach its nodes.",
        "aws/karpenter-provider-aws#7036",
        POOLS,
        _blocked,
        since="0.34.0",
    ),
    LintRule(
        "KPT503",
        "a schedule that never begins",
        Severity.ERROR,
        "The budget never holds, so that nodes are disrupted without its limit.",
        "Karpenter's documentation of disruption budgets",
        POOLS,
        _never,
        since="0.34.0",
    ),
    LintRule(
        "KPT504",
        "a window that never closes",
        Severity.WARNING,
        "The budget holds at all times, which its schedule does not show.",
        "Karpenter's documentation of disruption budgets",
        POOLS,
        _always,
        since="0.34.0",
    ),
)
