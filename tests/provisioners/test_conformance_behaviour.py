"""Our verdict on whole specs, next to that of the CRDs of every line."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.core.catalogue import RELEASES, Api, Release
from modules.core.faults import dotted
from modules.provisioners.api.spec_checks import check_spec
from tests.provisioners import cases
from tests.provisioners.crd import crd_spec, refusals

CASES = cases.load()

NEWEST = [r for r in RELEASES.values() if r.api is Api.V1 and r.crd_line == r.version]
"""The newest patch of every line whose CRDs are there."""

EVERY = [r for r in RELEASES.values() if r.api is Api.V1]


def releases_of(case: cases.Case) -> list[Release]:
    """The ends of the catalogue, every line's newest patch, and both sides of the boundary."""
    judged = [EVERY[0], *NEWEST, EVERY[-1]]
    if case.boundary is not None:
        at = EVERY.index(RELEASES[case.boundary])
        judged += EVERY[at - 1 : at + 2]
    return judged


def test_there_are_enough_cases_of_both_kinds_and_verdicts() -> None:
    for kind in ("NodePool", "EC2NodeClass"):
        verdicts = [str(case.expect) for case in CASES if case.kind == kind]
        assert verdicts.count("ok") >= 20
        assert verdicts.count("refused") >= 40
        assert sum(verdict.startswith("{") for verdict in verdicts) >= 10


@pytest.mark.parametrize("case", CASES, ids=str)
def test_our_check_gives_the_verdict_of_the_case(case: cases.Case) -> None:
    for release in releases_of(case):
        faults = check_spec(case.kind, case.spec, release)
        found = "\n".join(map(str, faults))
        assert (not faults) == case.taken_by(release), f"{release.version}\n{found}"
        if faults and case.at is not None:
            places = {dotted(fault.path) for fault in faults}
            assert case.at in places, f"{release.version}: {places}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_real_crd_gives_the_same_verdict(case: cases.Case, reference_dir: Path) -> None:
    for release in NEWEST:
        refused = refusals(crd_spec(reference_dir, release.version, case.kind), case.spec)
        assert (not refused) == case.taken_by_crd(release), f"{release.version}: {refused}"
