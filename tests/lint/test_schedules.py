"""Schedules of budgets, against each minute of a week, and what budgets make of it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modules.core.catalogue import RELEASES
from modules.provisioners.lint.budgets import (
    BLOCKED,
    FREE,
    LIMITED,
    budgets,
    effective,
    reasons,
    week,
)
from modules.provisioners.lint.finding import Manifest
from modules.provisioners.lint.overlap import first
from modules.provisioners.lint.schedules import MINUTES, active, parse

MONDAY = datetime(2024, 1, 1)


def open_minutes(text: str, minutes: int) -> set[int]:
    """Minute by minute: open where a window began in this one or in one of those before it."""
    schedule = parse(text)
    assert schedule is not None
    starts = [n for n in range(MINUTES) if schedule.begins(MONDAY + timedelta(minutes=n))]
    return {(start + n) % MINUTES for start in starts for n in range(min(minutes, MINUTES))}


@pytest.mark.parametrize(
    ("text", "day", "hour", "begins"),
    [
        ("0 9 * * mon-fri", 1, 9, True),
        ("0 9 * * mon-fri", 6, 9, False),
        ("0 9 * * 1-5", 5, 9, True),
        ("@daily", 3, 0, True),
        ("@daily", 3, 1, False),
        # Where day and weekday are both given, one of them is enough.
        ("0 9 2 * mon", 1, 9, True),
        ("0 9 2 * mon", 2, 9, True),
        ("0 9 2 * mon", 3, 9, False),
        ("0 */6 * * *", 4, 18, True),
        ("0 */6 * * *", 4, 19, False),
        ("0 9 ? * sun", 7, 9, True),
    ],
)
def test_a_schedule_begins_when_it_says(text: str, day: int, hour: int, begins: bool) -> None:
    schedule = parse(text)
    assert schedule is not None
    assert schedule.begins(datetime(2024, 1, day, hour)) is begins


@pytest.mark.parametrize(
    "text", ["", "0 9 * *", "60 * * * *", "0 9 * * 7", "0 9 5-2 * *", "@often"]
)
def test_what_is_no_schedule_is_none(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(("text", "ever"), [("0 0 30 2 *", False), ("0 0 29 2 *", True)])
def test_a_day_that_no_month_has_never_comes(text: str, ever: bool) -> None:
    schedule = parse(text)
    assert schedule is not None
    assert schedule.ever is ever


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    minute=st.sampled_from(["0", "30", "*/20"]),
    hour=st.sampled_from(["*", "9", "*/8", "22-23"]),
    weekday=st.sampled_from(["*", "sun", "1-5", "sat,sun"]),
    minutes=st.sampled_from([1, 59, 60, 480, 1440, 4000, MINUTES - 1, MINUTES, 2 * MINUTES]),
)
def test_windows_are_open_in_the_minutes_that_they_cover(
    minute: str, hour: str, weekday: str, minutes: int
) -> None:
    text = f"{minute} {hour} * * {weekday}"
    schedule = parse(text)
    assert schedule is not None
    assert set(active(schedule, minutes)) == open_minutes(text, minutes)


@pytest.mark.parametrize(
    ("nodes", "size", "allowed"),
    [("10%", 1, 1), ("10%", 10, 1), ("10%", 11, 2), ("0%", 50, 0), ("100%", 7, 7), ("3", 1, 3)],
)
def test_percentages_are_rounded_up(nodes: str, size: int, allowed: int) -> None:
    assert effective(nodes, size) == allowed


def pool(*given: dict[str, object], name: str = "default", weight: int | None = None) -> Manifest:
    spec: dict[str, object] = {"disruption": {"budgets": list(given)}}
    if weight is not None:
        spec["weight"] = weight
    return Manifest.of(
        {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodePool",
            "metadata": {"name": name},
            "spec": spec,
        }
    )


def test_a_week_shows_what_is_blocked_limited_and_free() -> None:
    closed = {"nodes": "0", "schedule": "0 9 * * mon", "duration": "2h", "reasons": ["Drifted"]}
    some = {"nodes": "10%", "schedule": "0 12 * * mon", "duration": "1h"}
    found = budgets(pool(closed, some))
    assert "".join(week(found, "Drifted")[0][8:14]) == FREE + BLOCKED * 2 + FREE + LIMITED + FREE
    assert "".join(week(found, "Empty")[0][8:14]) == FREE * 4 + LIMITED + FREE
    assert set(week(found, "Drifted")[1]) == {FREE}


@pytest.mark.parametrize(("version", "known"), [("1.14.2", False), ("1.15.0", True)])
def test_unhealthy_nodes_have_a_reason_of_their_own_from_1_15_on(version: str, known: bool) -> None:
    assert ("Unhealthy" in reasons(RELEASES[version])) is known


@pytest.mark.parametrize(
    ("weights", "wins"),
    [
        ({"a": None, "b": None}, "b"),
        ({"b": None, "a": None}, "b"),
        ({"a": 1, "b": None}, "a"),
        ({"a": 10, "b": 10}, "b"),
        ({"a": 11, "b": 10}, "a"),
    ],
)
def test_the_heavier_pool_wins_and_of_equals_the_last_name(
    weights: dict[str, int | None], wins: str
) -> None:
    assert first([pool(name=name, weight=w) for name, w in weights.items()]).name == wins
