"""What a lint rule is, what it is given, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from modules.core.catalogue import Release
from modules.core.faults import Fault, Step


class Severity(Enum):
    """How much a finding matters."""

    ERROR = "error"
    """It will not work, or will do harm for certain."""
    WARNING = "warning"
    """It works, and has a cost or a danger that its author may not know."""
    INFO = "info"
    """Worth knowing; nothing need be done."""


@dataclass(frozen=True, eq=False)
class Manifest:
    """One of Karpenter's objects. Two are the same only if they are one object.

    Args:
        kind: `NodePool`.
        api_version: `karpenter.sh/v1`.
        name: the object's name, "" where it has none.
        metadata: its metadata; empty where there is none.
        spec: its spec, as it is written. Its values may have any type: rules read it through
            `lint/look.py`, which leaves out what has another type than expected.
        document: the whole manifest, for the API server's verdict; None where only the spec is
            at hand, and somebody else judges it.
    """

    kind: str
    api_version: str
    name: str
    metadata: Mapping[str, Any]
    spec: Mapping[str, Any]
    where: tuple[Step, ...] = ("spec",)
    source: object = None
    document: Mapping[str, Any] | None = None

    @classmethod
    def of(
        cls, document: Mapping[str, Any], *at: Step, source: object = None, name: str = ""
    ) -> Manifest:
        """A manifest as YAML gives it.

        Args:
            document: the whole manifest.
            at: where it is in its document, for one in a List.
            source: whatever the caller tells documents apart by.
            name: its name where it does not give one itself.
        """
        metadata, spec = (_mapping(document.get(key)) for key in ("metadata", "spec"))
        given = metadata.get("name")
        return cls(
            str(document.get("kind", "")),
            str(document.get("apiVersion", "")),
            given if isinstance(given, str) and given else name,
            metadata,
            spec,
            (*at, "spec"),
            source,
            document,
        )

    def place(self, path: tuple[Step, ...]) -> tuple[Step, ...]:
        """Where in its document a path from the spec down leads; `metadata` is beside the spec."""
        if path[:1] in (("metadata",), ("apiVersion",)) and path[0] not in self.spec:
            return self.where if self.document is None else (*self.where[:-1], *path)
        return (*self.where, *path)


@dataclass(frozen=True)
class Facts:
    """What is known besides the manifests. None is unknown, and no rule guesses.

    Args:
        cluster_name: the EKS cluster.
        queue: whether the controller reads an interruption queue.
        discovery_tags: the tags by which this cluster's subnets and security groups are found.
        tagged_security_groups: how many security groups carry those tags.
        kms_permissions: whether the nodes' volumes may use the keys that classes name.
        cni: the network plugin that runs on the nodes: `vpc-cni`, `cilium`, `calico`.
        prefix_delegation: whether the network plugin gives nodes whole prefixes of addresses.
        production: False for a cluster that may be replaced at any time; None counts as True.
        feature_gates: the controller's switches that differ from their defaults, by the names of
            its chart's values.
        zones: the zones, by name or id, that the cluster's subnets lie in.
        device_plugins: whether device plugins for accelerators run on the nodes.
        isolated_vpc: whether the VPC has no way to AWS's public endpoints.
        pod_security_groups: whether pods have security groups of their own.
        ebs_csi: whether the EBS CSI driver runs on the nodes.
        startup_taints_removed: keys of startup taints that something of the user's removes.
    """

    cluster_name: str | None = None
    queue: bool | None = None
    discovery_tags: Mapping[str, str] | None = None
    tagged_security_groups: int | None = None
    kms_permissions: bool | None = None
    cni: str | None = None
    prefix_delegation: bool | None = None
    production: bool | None = None
    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    zones: Collection[str] | None = None
    device_plugins: bool | None = None
    isolated_vpc: bool | None = None
    pod_security_groups: bool | None = None
    ebs_csi: bool | None = None
    startup_taints_removed: Collection[str] = ()


NOTHING_KNOWN = Facts()


@dataclass(frozen=True, eq=False)
class Context:
    """All that rules judge together.

    Args:
        release: the Karpenter release that reads the manifests.
        kubernetes: the cluster's minor version, such as `1.34`, or None if unknown.
        facts: what else is known.
        manifests: the objects of one cluster.
    """

    release: Release
    kubernetes: str | None = None
    facts: Facts = NOTHING_KNOWN
    manifests: tuple[Manifest, ...] = ()

    def of_kinds(self, *kinds: str) -> Iterator[Manifest]:
        """The manifests of some kinds."""
        return (m for m in self.manifests if m.kind in kinds)


@dataclass(frozen=True)
class LintRule:
    """A rule with a stable code. Its examples, bad and mended, stand in `lint/examples/`.

    Args:
        code: `KPT101`; never given to another rule.
        title: what it finds, one phrase.
        severity: how much that matters.
        why: what happens, one sentence.
        source: where that is known from: an issue, a document.
        kinds: the kinds of objects that `check` is called for.
        check: the faults of one object, with paths from its spec down.
        check_all: the faults of objects together; each with the object that it is told of.
        since: first Karpenter release that it is about, or None.
        until: first release that it is no longer about, or None.
    """

    code: str
    title: str
    severity: Severity
    why: str
    source: str
    kinds: tuple[str, ...] = ()
    check: Callable[[Manifest, Context], Iterator[Fault]] | None = None
    check_all: Callable[[Context], Iterator[tuple[Manifest, Fault]]] | None = None
    since: str | None = None
    until: str | None = None

    def holds_for(self, release: Release) -> bool:
        """Whether this release's users are concerned."""
        begun = self.since is None or release.at_least(self.since)
        return begun and not (self.until is not None and release.at_least(self.until))

    def found(self, context: Context) -> Iterator[tuple[Manifest, Fault]]:
        """What it finds, with paths from the specs down."""
        if self.check is not None:
            for manifest in context.of_kinds(*self.kinds):
                for fault in self.check(manifest, context):
                    yield manifest, fault
        if self.check_all is not None:
            yield from self.check_all(context)


@dataclass(frozen=True)
class Finding:
    """What a rule has found.

    Args:
        rule: the rule.
        fault: what is wrong, with its path from the top of the document.
        manifest: the object that it is told of; None where it is about a file or a suppression.
        source: whatever the caller tells documents apart by.
    """

    rule: LintRule
    fault: Fault
    manifest: Manifest | None = None
    source: object = None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
