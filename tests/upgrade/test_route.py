"""Where an upgrade stops, one release below, at and above every boundary."""

from __future__ import annotations

import pytest

from modules.core.catalogue import RELEASES, Release, Version, find
from modules.core.catalogue_file import section
from stacks.upgrade.route import route, skipped


def known(version: str) -> Release:
    found = find(version)
    assert isinstance(found, Release)
    return found


def stops(running: str, target: str) -> list[str]:
    return [
        f"{stop.release.version} {'required' if stop.required else 'recommended'} {stop.code}"
        for stop in route(known(running), known(target))[:-1]
    ]


OLD_API = "0.32.10 required UPG102"
LAST_BETA = "0.37.8 required UPG104"
FIRST_STABLE = "1.0.14 required UPG105"
WAY_BACK = "0.31.5 recommended UPG101"

WAYS = [
    ("0.31.0", "1.14", [WAY_BACK, OLD_API, LAST_BETA, FIRST_STABLE]),
    ("0.14.0", "1.15.1", [WAY_BACK, OLD_API, LAST_BETA, FIRST_STABLE]),
    # Rolling 0.32 back needs 0.31.4.
    ("0.31.3", "0.32.10", [WAY_BACK]),
    ("0.31.4", "0.32.10", []),
    ("0.31.5", "0.32.10", []),
    ("0.31.3", "0.31.5", []),
    # Only 0.32 knows both APIs.
    ("0.31.5", "0.32.0", []),
    ("0.31.5", "0.33.0", [OLD_API]),
    ("0.32.0", "0.33.0", []),
    ("0.33.0", "0.33.12", []),
    # The drift hash of 0.36.
    ("0.32.8", "0.35.12", []),
    ("0.32.8", "0.36.0", ["0.32.10 recommended UPG103"]),
    ("0.32.9", "0.36.0", []),
    ("0.34.3", "0.36.0", ["0.34.13 recommended UPG103"]),
    ("0.34.5", "0.36.0", []),
    # The last patches before 1.0; the newest of the own line is one of them.
    ("0.37.6", "0.37.8", []),
    ("0.37.6", "1.0.0", [LAST_BETA]),
    ("0.37.7", "1.0.0", []),
    ("0.37.8", "1.0.0", []),
    ("0.33.0", "1.0.0", ["0.33.12 required UPG104"]),
    ("0.36.8", "1.0.0", [LAST_BETA]),
    ("0.36.9", "1.0.0", []),
    # v1beta1 ends with 1.1.
    ("1.0.5", "1.0.14", []),
    ("1.0.5", "1.1.0", [FIRST_STABLE]),
    ("1.0.6", "1.1.0", []),
    ("1.0.14", "1.15.1", []),
    ("1.1.0", "1.15.1", []),
]


@pytest.mark.parametrize(("running", "target", "expected"), WAYS)
def test_an_upgrade_stops_where_it_must(running: str, target: str, expected: list[str]) -> None:
    assert stops(running, target) == expected


def test_the_last_stop_is_what_was_asked_for() -> None:
    *_, last = route(known("0.31.5"), known("1.14"))
    assert (last.release.version, last.code, last.required) == ("1.14.2", "UPG100", True)


@pytest.mark.parametrize(
    ("running", "target", "expected"),
    [
        ("0.31.5", "1.14.2", ["0.32.10", "0.37.8", "1.0.14"]),
        ("0.33.0", "1.14.2", ["0.37.8", "1.0.14"]),
        ("0.32.8", "0.36.0", []),
        ("1.0.6", "1.14.2", []),
    ],
)
def test_only_required_stops_count_as_skipped(
    running: str, target: str, expected: list[str]
) -> None:
    assert [s.release.version for s in skipped(known(running), known(target))] == expected


@pytest.mark.parametrize("running", RELEASES)
def test_every_way_goes_up_and_can_be_walked_without_a_skip(running: str) -> None:
    """Whoever stands at one stop skips nothing on the way to the next."""
    newest = known("1.15.1")
    here = known(running)
    for stop in route(here, newest):
        assert Version.of(stop.release.version) > Version.of(here.version) or here == newest
        assert skipped(here, stop.release) == []
        assert stop.release.avoid is None
        here = stop.release


def test_every_code_stands_for_one_thing() -> None:
    rows = section("upgrades")
    codes = [row["code"] for row in (*rows["stops"], *rows["notes"])]
    assert len(codes) == len(set(codes))
