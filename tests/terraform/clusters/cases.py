"""The clusters that are tested: those of the project's own file, and variants of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from stacks.clusters import DEFAULT_FILE, load_clusters
from stacks.settings import ClusterSettings

EXAMPLES = load_clusters(DEFAULT_FILE)
VARIANTS = load_clusters(Path(__file__).with_name("variants.yaml"))
PLAIN = VARIANTS[0]


def named(clusters: Sequence[ClusterSettings]) -> list[Any]:
    return [pytest.param(cluster, id=cluster.name) for cluster in clusters]


every_example = pytest.mark.parametrize("cluster", named(EXAMPLES), indirect=True)
"""Decorator: for each cluster of the project's own cluster file."""

every_variant = pytest.mark.parametrize("cluster", named(VARIANTS), indirect=True)
"""Decorator: for each of the variants."""
