"""Linting a file of clusters: its own faults, and each cluster with its release and facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.faults import InvalidInput, Step
from modules.core.inputs import parse
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import NOTHING_KNOWN, Context, Facts, Finding
from modules.provisioners.lint.verdict import CLUSTER_FILE
from modules.provisioners.linting import manifests_of
from stacks.add_on import expanded
from stacks.clusters import load_clusters
from stacks.lint.sheet import Sheet
from stacks.settings import ClusterSettings
from stacks.versions import release_of
from stacks.wiring import provisioner_settings

_KEY = "clusters"
_LATER = "known-at-plan"


def faults(sheet: Sheet) -> Iterator[Finding]:
    """What `synth` refuses in the file; what is wrong with it as YAML is told already."""
    told = {(fault.path, fault.problem) for fault in sheet.document.faults}
    try:
        load_clusters(sheet.file)
    except InvalidInput as error:
        for fault in error.faults:
            if (fault.path, fault.problem) not in told:
                yield Finding(CLUSTER_FILE, fault, source=sheet)


def contexts(sheet: Sheet, facts: Facts) -> Iterator[Context]:
    """Each cluster of the file that can be read.

    Args:
        facts: what is known besides; what a cluster says itself wins.
    """
    for path, cluster in _clusters(sheet.document.data):
        release = release_of(cluster)
        if release is not None:
            yield context(cluster, release, *path, facts=facts, source=sheet)


def context(
    cluster: ClusterSettings,
    release: Release,
    *above: Step,
    facts: Facts = NOTHING_KNOWN,
    source: object = None,
) -> Context:
    """What lint rules are given of a cluster.

    Args:
        release: the Karpenter release that the cluster names.
        above: where the cluster stands in its document.
        facts: what is known besides.
        source: whatever the caller tells documents apart by.
    """
    settings = provisioner_settings(cluster, node_role_name=_LATER)
    return Context(
        release,
        cluster.kubernetes_version,
        facts_of(cluster, facts),
        tuple(manifests_of(settings, release, *above, source=source)),
    )


def facts_of(cluster: ClusterSettings, facts: Facts = NOTHING_KNOWN) -> Facts:
    """What a cluster's settings say besides its pools and classes."""
    release, given = cluster.release, cluster.release.settings
    values = look.mapping(release.values, "settings", "featureGates")
    gates = {**facts.feature_gates, **values, **given.feature_gates}
    return replace(
        facts,
        cluster_name=cluster.name,
        queue=cluster.interruption_handling is not False,
        discovery_tags={names.DISCOVERY_TAG: cluster.name},
        feature_gates={name: on for name, on in gates.items() if isinstance(on, bool)},
        isolated_vpc=given.isolated_vpc if facts.isolated_vpc is None else facts.isolated_vpc,
    )


def _clusters(data: Any) -> Iterator[tuple[tuple[Step, ...], ClusterSettings]]:
    given = data.get(_KEY) if isinstance(data, Mapping) else None
    for index, cluster in enumerate(given if isinstance(given, list) else ()):
        settings, _ = parse(ClusterSettings, cluster, by_name=False)
        if settings is not None:
            yield (_KEY, index), expanded(settings)
