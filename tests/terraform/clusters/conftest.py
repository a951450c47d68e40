"""Fixtures of the cluster stacks.

from tests.terraform.clusters.cases import every_cluster

@every_cluster                        # without it: the first cluster of variants.yaml
def test_it_can_be_removed(cluster):
    cluster.deployed()                # the cluster exists, and the stack is applied
    cluster.tf.destroy()
    assert cluster.standin.leftovers() == []
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modules.cdk import App
from stacks.karpenter import KarpenterStack
from stacks.manifest import STACKS
from stacks.settings import ClusterSettings
from tests.terraform.clusters.cases import PLAIN
from tests.terraform.clusters.installation import Installation, copied
from tests.terraform.standin.standin import Standin

Synthesize = Callable[[ClusterSettings], Path]


@pytest.fixture(scope="session")
def synthesize(tmp_path_factory: pytest.TempPathFactory) -> Synthesize:
    """Gives the folder of a cluster's stack; each is synthesized once."""
    made: dict[str, Path] = {}

    def once(settings: ClusterSettings) -> Path:
        key = repr(settings)
        if key not in made:
            app = App(outdir=str(tmp_path_factory.mktemp("synthesized")))
            KarpenterStack(app, settings.stack_id, settings)
            app.synth()
            made[key] = Path(app.outdir, STACKS, settings.stack_id)
        return made[key]

    return once


@pytest.fixture
def installation(
    synthesize: Synthesize, standin: Standin, terraform: Any, tmp_path: Path
) -> Callable[..., Installation]:
    """Makes the installation of a cluster, in a directory of a name of the test's choice."""

    def make(settings: ClusterSettings, name: str = "stack") -> Installation:
        directory = copied(synthesize(settings), tmp_path / name)
        return Installation(settings, directory, standin, terraform)

    return make


@pytest.fixture
def cluster(
    request: pytest.FixtureRequest, installation: Callable[..., Installation]
) -> Installation:
    """One cluster's installation: the plain one's, unless a test is parametrized."""
    return installation(getattr(request, "param", PLAIN))
