"""What the lint rules find in the pools and classes of a cluster's settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from modules.core import names
from modules.core.catalogue import Capability, Release
from modules.core.expressions import is_known
from modules.core.faults import Fault, Step
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import (
    NOTHING_KNOWN,
    Context,
    Facts,
    Finding,
    Severity,
)
from modules.provisioners.lint.registry import lint
from modules.provisioners.lint.suppress import Suppression
from modules.provisioners.linting import manifests_of
from stacks import add_on
from stacks.settings import ClusterSettings, Suppress
from stacks.versions import release_of
from stacks.wiring import provisioner_settings

KEY = "suppress"

_LATER = "known-at-plan"


def linted(cluster: ClusterSettings, *severities: Severity) -> list[Fault]:
    """The findings of some severities, as faults of the cluster's settings.

    Whether spot goes with the cluster's queue is the stack's own rule, which also tells of
    releases that have no interruption handling; lint is not asked.
    """
    whole = add_on.expanded(cluster)
    release = release_of(whole)
    if release is None:
        return []
    context = context_of(whole, release)
    context = replace(context, facts=replace(context.facts, queue=None))
    found = [f for f in lint(context, list(suppressions(cluster))) if f.rule.severity in severities]
    return list(add_on.placed(cluster, map(as_fault, found)))


def as_fault(finding: Finding) -> Fault:
    """A finding whose text names its code, by which it is explained and suppressed."""
    return replace(finding.fault, problem=f"{finding.fault.problem} [{finding.rule.code}]")


def context_of(
    cluster: ClusterSettings,
    release: Release,
    *above: Step,
    facts: Facts = NOTHING_KNOWN,
    source: object = None,
) -> Context:
    """What lint rules are given of a cluster whose classes and pools are Karpenter's own.

    Args:
        release: the Karpenter release that the cluster names.
        above: where the cluster stands in its document.
        facts: what is known besides.
        source: whatever the caller tells documents apart by.
    """
    settings = provisioner_settings(cluster, node_role_name=_LATER)
    return Context(
        release,
        _known(cluster.kubernetes_version),
        facts_of(cluster, release, facts),
        tuple(manifests_of(settings, release, *above, source=source)),
    )


def facts_of(cluster: ClusterSettings, release: Release, facts: Facts = NOTHING_KNOWN) -> Facts:
    """What a cluster's settings say besides its pools and classes."""
    options, name = cluster.release, _known(cluster.name)
    given = options.settings
    values = look.mapping(options.values, "settings", "featureGates")
    gates = {**facts.feature_gates, **values, **look.mapping(given.feature_gates)}
    return replace(
        facts,
        cluster_name=name,
        queue=release.has(Capability.INTERRUPTION) and cluster.interruption_handling is not False,
        discovery_tags=None if name is None else {names.DISCOVERY_TAG: name},
        feature_gates={gate: on for gate, on in gates.items() if isinstance(on, bool)},
        isolated_vpc=given.isolated_vpc if facts.isolated_vpc is None else facts.isolated_vpc,
    )


def suppressions(
    cluster: ClusterSettings, *above: Step, source: object = None
) -> Iterator[Suppression]:
    """What the cluster's settings keep quiet.

    Args:
        above: where the cluster stands in its document.
        source: whatever the caller tells documents apart by.
    """
    for index, given in enumerate(cluster.suppress):
        at = (*above, KEY, index)
        yield Suppression(given.code, given.reason, _Covering(given, above), at, source)


class _Covering:
    """Whether a finding is in one of the objects that are named, or in any where none is."""

    def __init__(self, given: Suppress, above: tuple[Step, ...]) -> None:
        self._objects = [tuple(name.split(".", 1)) for name in given.objects]
        self._above = above

    def __call__(self, finding: Finding) -> bool:
        path, depth = finding.fault.path, len(self._above)
        inside = path[:depth] == self._above
        of = path[depth : depth + 2]
        return inside and (not self._objects or of in self._objects)


def _known(text: str) -> str | None:
    return text if is_known(text) else None
