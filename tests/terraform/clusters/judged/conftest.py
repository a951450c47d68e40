"""The fixture `applied`: what an apply leaves behind, each cluster applied once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stacks.settings import ClusterSettings
from tests.terraform.clusters.installation import Installation
from tests.terraform.clusters.judged.applied import Applied, read_back

GetApplied = Callable[[ClusterSettings], Applied]


@pytest.fixture(scope="session")
def _known() -> dict[str, Applied]:
    return {}


@pytest.fixture
def applied(request: pytest.FixtureRequest, _known: dict[str, Applied]) -> GetApplied:
    """Gives what a cluster's stack leaves behind. One cluster a test: it has the outside world."""

    def get(cluster: ClusterSettings) -> Applied:
        key = repr(cluster)
        if key not in _known:
            make: Callable[..., Installation] = request.getfixturevalue("installation")
            _known[key] = read_back(make(cluster).deployed())
        return _known[key]

    return get
