"""The clusters' side: Helm releases, Karpenter's CRDs and the NodeClaims that hold a class."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# Namespaces that every cluster has.
_NAMESPACES = frozenset({"default", "kube-node-lease", "kube-public", "kube-system"})
KEEP_ANNOTATION = "helm.sh/resource-policy"
HOOK_ANNOTATION = "helm.sh/hook"
HOOK_POLICY_ANNOTATION = "helm.sh/hook-delete-policy"


@dataclass
class Release:
    """A Helm release. Of a chart kept by name only, nothing is rendered."""

    host: str
    namespace: str
    name: str
    chart: str
    chart_name: str
    version: str
    repository: str
    values: dict[str, Any]
    skip_crds: bool
    wait: bool
    timeout: int
    create_namespace: bool
    manifest: str = ""
    objects: list[dict[str, Any]] = field(default_factory=list)
    hooks: list[dict[str, Any]] = field(default_factory=list)
    run_hooks: bool = True
    revision: int = 1
    status: str = "deployed"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.host, self.namespace, self.name


class Kubernetes:
    """All clusters; each is known by the host that the helm provider is given."""

    def __init__(self) -> None:
        self.releases: dict[tuple[str, str, str], Release] = {}
        # EC2NodeClass -> seconds until its NodeClaims are gone; None: they never go.
        self.node_claims: dict[str, float | None] = {}
        # Releases whose record is gone while their classes still wait for NodeClaims.
        self.terminating: list[str] = []
        # Names of CRDs that Helm left behind because of their resource policy.
        self.kept: list[str] = []
        # Namespaces that a release created, by host. Helm leaves them behind.
        self.namespaces: set[tuple[str, str]] = set()
        # Hosts whose API server knows Karpenter's kinds. A host that is not listed is not judged.
        self.crds: dict[str, bool] = {}

    def has_namespace(self, host: str, namespace: str) -> bool:
        return namespace in _NAMESPACES or (host, namespace) in self.namespaces

    def release(self, name: str) -> Release:
        """The one release of this name, in whichever namespace and cluster.

        :raises LookupError: there is none, or more than one.
        """
        found = [item for item in self.releases.values() if item.name == name]
        if len(found) != 1:
            there = sorted(item.name for item in self.releases.values())
            raise LookupError(f"{len(found)} releases named {name}; there are {there}")
        return found[0]
