"""The kinds of objects that the provisioners' chart makes, by Karpenter release."""

from __future__ import annotations

from dataclasses import dataclass

from modules.core import names
from modules.core.catalogue import Release


@dataclass(frozen=True)
class ObjectKind:
    """A kind of Kubernetes object.

    Args:
        group: its API group.
        version: the version of the group in which the object is written.
        kind: its name.
        setting: the setting that holds such objects, as in YAML.
        outlives_deletion: whether Karpenter's finalizer keeps an object that is deleted until the
            nodes made from it are gone.
    """

    group: str
    version: str
    kind: str
    setting: str
    outlives_deletion: bool = False

    @property
    def api_version(self) -> str:
        """What stands as `apiVersion` in a manifest."""
        return f"{self.group}/{self.version}"


_NODE_CLASS = ObjectKind(
    names.NODE_CLASS_GROUP, "v1", names.NODE_CLASS, "nodeClasses", outlives_deletion=True
)
_NODE_POOL = ObjectKind(names.NODE_POOL_GROUP, "v1", names.NODE_POOL, "nodePools")


def node_class_kind(release: Release) -> ObjectKind:  # noqa: ARG001 (every 1.x release serves v1)
    """The kind of the classes: what a node is made of."""
    return _NODE_CLASS


def node_pool_kind(release: Release) -> ObjectKind:  # noqa: ARG001 (every 1.x release serves v1)
    """The kind of the pools: which nodes are launched, and when they go."""
    return _NODE_POOL
