"""Linting a file of clusters: its own faults, and each cluster with its release and facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modules.core.faults import InvalidInput, Step
from modules.core.inputs import parse
from modules.provisioners.lint.finding import Context, Facts, Finding
from modules.provisioners.lint.suppress import Suppression
from modules.provisioners.lint.verdict import CLUSTER_FILE
from stacks import linting
from stacks.add_on import expanded
from stacks.clusters import load_clusters
from stacks.lint.sheet import Sheet
from stacks.linting import context_of
from stacks.settings import ClusterSettings
from stacks.versions import release_of

_KEY = "clusters"


def faults(sheet: Sheet) -> Iterator[Finding]:
    """What `synth` refuses in the file; what is wrong with it as YAML is told already."""
    told = {(fault.path, fault.problem) for fault in sheet.document.faults}
    try:
        load_clusters(sheet.file, linting=True)
    except InvalidInput as error:
        for fault in error.faults:
            if (fault.path, fault.problem) not in told:
                yield Finding(CLUSTER_FILE, fault, source=sheet)


def contexts(sheet: Sheet, facts: Facts) -> Iterator[Context]:
    """Each cluster of the file that can be read.

    Args:
        facts: what is known besides; what a cluster says itself wins.
    """
    for path, cluster in readable(sheet.document.data):
        release = release_of(cluster)
        if release is not None:
            yield context_of(cluster, release, *path, facts=facts, source=sheet)


def suppressions(sheet: Sheet) -> Iterator[Suppression]:
    """What the clusters of the file keep quiet."""
    for path, cluster in readable(sheet.document.data):
        yield from linting.suppressions(cluster, *path, source=sheet)


def readable(data: Any) -> Iterator[tuple[tuple[Step, ...], ClusterSettings]]:
    """The clusters of a file that can be read, each with where it stands."""
    given = data.get(_KEY) if isinstance(data, Mapping) else None
    for index, cluster in enumerate(given if isinstance(given, list) else ()):
        settings, _ = parse(ClusterSettings, cluster, by_name=False)
        if settings is not None:
            yield (_KEY, index), expanded(settings)
