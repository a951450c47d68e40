"""Which releases to stop at on the way from one Karpenter release to another.

The rules stand in the catalogue's section `upgrades`. Source: Karpenter's upgrade guide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from modules.core.catalogue import RELEASES, Release, newest_of
from modules.core.catalogue_file import section

ASKED_FOR = "UPG100"
"""The code of the last stop."""

_OWN_LINE = "line"
"""Stands for the newest release of the line that one comes from."""


@dataclass(frozen=True)
class Stop:
    """A release to upgrade to, and to stay at until its steps are done.

    Args:
        code: why it is one: the stable code of the rule.
        required: whether the way past it does not work; else it only makes the way back easier.
        why: the reason, a phrase.
    """

    release: Release
    code: str
    required: bool
    why: str


def route(running: Release, target: Release, *, required_only: bool = False) -> list[Stop]:
    """The stops from a running release to a later one, which is the last of them."""
    stops: list[Stop] = []
    here = running
    while found := _next(here, target, required_only):
        stops.append(found)
        here = found.release
    return [*stops, Stop(target, ASKED_FOR, True, "it is the release asked for")]


def skipped(running: Release, target: Release) -> list[Stop]:
    """The required stops that a direct upgrade would leave out."""
    return route(running, target, required_only=True)[:-1]


def _next(here: Release, target: Release, required_only: bool) -> Stop | None:
    """The first of the stops that the rules ask for; it is required if a rule that it meets is."""
    rules = [
        rule
        for rule in section("upgrades")["stops"]
        if _asks(rule, here, target) and (rule["required"] or not required_only)
    ]
    stops = [(_release(rule, here), rule) for rule in rules]
    # A line that has no newer release than this one has nothing to stop at.
    stops = [(release, rule) for release, rule in stops if release != here]
    if not stops:
        return None
    release, first = min(stops, key=lambda stop: list(RELEASES).index(stop[0].version))
    met = [rule for rule in rules if rule is first or _is_satisfied(rule, release)]
    rule = next((rule for rule in met if rule["required"]), first)
    return Stop(release, rule["code"], rule["required"], rule["why"])


def _asks(rule: dict[str, Any], here: Release, target: Release) -> bool:
    crosses = not here.at_least(rule["from_below"]) and target.at_least(rule["to"])
    begun = here.at_least(rule.get("from", here.version))
    return crosses and begun and not _is_satisfied(rule, here)


def _is_satisfied(rule: dict[str, Any], release: Release) -> bool:
    return any(release.within(*span) for span in rule["satisfied"])


def _release(rule: dict[str, Any], here: Release) -> Release:
    if rule["stop"] == _OWN_LINE:
        return newest_of(here.line) or here
    return RELEASES[rule["stop"]]
