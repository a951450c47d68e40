"""Our verdict on whole specs, next to that of the CRDs of every line."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.core.catalogue import RELEASES, Api, Release
from modules.core.faults import dotted
from modules.provisioners.api.judge import KINDS
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.spec_checks import check_spec
from tests.provisioners import cases
from tests.provisioners.crd import crd_spec, refusals
from tests.provisioners.differential.judges import LINES

CASES = [(api, case) for api in (Api.V1BETA1, Api.V1, None) for case in cases.load(api)]
EACH = pytest.mark.parametrize(
    ("api", "case"), CASES, ids=[f"{api.value if api else ''} {case}" for api, case in CASES]
)


def kind_of(api: Api | None, case: cases.Case) -> Kind:
    """What a case is about."""
    (found,) = (k for k in KINDS.values() if k.kind == case.kind and k.api is api)
    return found


def releases_of(api: Api | None, case: cases.Case) -> list[Release]:
    """The ends of those that serve it, every line's newest patch, both sides of the boundary."""
    every = [r for r in RELEASES.values() if kind_of(api, case).served_by(r)]
    judged = [every[0], *(line for line in LINES if line in every), every[-1]]
    if case.boundary is not None:
        at = every.index(RELEASES[case.boundary])
        judged += every[max(at - 1, 0) : at + 2]
    return judged


@pytest.mark.parametrize(
    ("api", "kind", "ok", "refused", "boundaries"),
    [
        (Api.V1, "NodePool", 20, 40, 10),
        (Api.V1, "EC2NodeClass", 20, 40, 10),
        (Api.V1BETA1, "NodePool", 4, 20, 4),
        (Api.V1BETA1, "EC2NodeClass", 3, 10, 6),
        (None, "NodeOverlay", 4, 8, 2),
        (None, "CapacityBuffer", 3, 4, 0),
    ],
)
def test_there_are_enough_cases_of_each_verdict(
    api: Api | None, kind: str, ok: int, refused: int, boundaries: int
) -> None:
    verdicts = [str(case.expect) for of, case in CASES if of is api and case.kind == kind]
    assert verdicts.count("ok") >= ok
    assert verdicts.count("refused") >= refused
    assert sum(verdict.startswith("{") for verdict in verdicts) >= boundaries


@EACH
def test_our_check_gives_the_verdict_of_the_case(api: Api | None, case: cases.Case) -> None:
    for release in releases_of(api, case):
        faults = check_spec(case.kind, case.spec, release, api)
        found = "\n".join(map(str, faults))
        assert (not faults) == case.taken_by(release), f"{release.version}\n{found}"
        if faults and case.at is not None:
            at = {dotted(fault.path) for fault in faults}
            assert case.at in at, f"{release.version}: {at}"


@EACH
def test_the_real_crd_gives_the_same_verdict(
    api: Api | None, case: cases.Case, reference_dir: Path
) -> None:
    kind = kind_of(api, case)
    for release in (line for line in LINES if kind.served_by(line)):
        schema = crd_spec(reference_dir, release.version, kind.kind, kind.version)
        refused = refusals(schema, case.spec)
        assert (not refused) == case.taken_by_crd(release), f"{release.version}: {refused}"
