"""Cron schedules as Karpenter's budgets have them: five fields, in UTC.

Source: the cron package that Karpenter reads them with (`robfig/cron`, its standard parser).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Final

_SHORT: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_BOUNDS: Final = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
_NAMES: Final[tuple[dict[str, int], ...]] = (
    {},
    {},
    {},
    {name: number for number, name in enumerate(_MONTHS, 1)},
    {name: number for number, name in enumerate(_DAYS)},
)
_ANY: Final = ("*", "?")

_WEEK: Final = datetime(2024, 1, 1)
"""A Monday."""
_MINUTES_OF_DAY: Final = 24 * 60
MINUTES: Final = 7 * _MINUTES_OF_DAY


@dataclass(frozen=True)
class Schedule:
    """When something begins.

    Args:
        any_day: whether the day of the month is any; then the weekday alone decides.
        any_weekday: the same for the weekday; where neither is any, one of the two is enough.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    any_day: bool
    any_weekday: bool

    def begins(self, at: datetime) -> bool:
        """Whether it begins in this minute."""
        if at.minute not in self.minutes or at.hour not in self.hours:
            return False
        return self.falls_on(at)

    def falls_on(self, day: datetime) -> bool:
        """Whether it begins on this day, at whatever time."""
        if day.month not in self.months:
            return False
        on_day, on_weekday = day.day in self.days, (day.weekday() + 1) % 7 in self.weekdays
        if self.any_day or self.any_weekday:
            return on_day and on_weekday
        return on_day or on_weekday

    @property
    def ever(self) -> bool:
        """Whether it begins at all: no month has a 31st of February."""
        day = _WEEK
        # A leap year comes within eight years.
        return any(self.falls_on(day + timedelta(days=n)) for n in range(8 * 366))

    @property
    def weekly(self) -> bool:
        """Whether every week is alike."""
        return self.any_day and len(self.months) == 12


@cache
def parse(text: str) -> Schedule | None:
    """The schedule that a text means, or None where it means none."""
    fields = _SHORT.get(text, text).split()
    if len(fields) != len(_BOUNDS):
        return None
    found: list[frozenset[int]] = []
    for field, bounds, names in zip(fields, _BOUNDS, _NAMES, strict=True):
        values = _field(field.lower(), bounds, names)
        if values is None:
            return None
        found.append(values)
    minutes, hours, days, months, weekdays = found
    any_day, any_weekday = (any(p in _ANY for p in fields[at].split(",")) for at in (2, 4))
    return Schedule(minutes, hours, days, months, weekdays, any_day, any_weekday)


def _field(text: str, bounds: tuple[int, int], names: dict[str, int]) -> frozenset[int] | None:
    found: set[int] = set()
    for part in text.split(","):
        span, slash, step = part.partition("/")
        if slash and (not step.isdecimal() or int(step) == 0):
            return None
        low, high = bounds
        if span not in _ANY:
            first, dash, last = span.partition("-")
            ends = [_number(end, names) for end in ((first, last) if dash else (first,))]
            if any(end is None or not bounds[0] <= end <= bounds[1] for end in ends):
                return None
            low = ends[0] or 0
            # "5/15" goes on to the end, "5" does not.
            high = (ends[1] or 0) if dash else (bounds[1] if slash else low)
            if low > high:
                return None
        found.update(range(low, high + 1, int(step) if slash else 1))
    return frozenset(found)


def _number(text: str, names: dict[str, int]) -> int | None:
    return int(text) if text.isdecimal() else names.get(text)


def active(schedule: Schedule, minutes: int) -> Iterator[int]:
    """The minutes of a week, from Monday 0:00, in which a window of this length is open.

    Of a schedule with days of the month, every week in which it begins is counted as one.
    """
    starts: set[int] = set()
    weeks = 1 if schedule.weekly else 8 * 53
    for day in range(7 * weeks):
        date = _WEEK + timedelta(days=day)
        if schedule.falls_on(date):
            base = (day % 7) * _MINUTES_OF_DAY
            starts.update(base + 60 * h + m for h in schedule.hours for m in schedule.minutes)
    if minutes >= MINUTES:
        yield from range(MINUTES if starts else 0)
        return
    open_: set[int] = set()
    for start in starts:
        open_.update((start + n) % MINUTES for n in range(minutes))
    yield from open_
