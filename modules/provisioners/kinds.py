"""The kinds of objects that the provisioners' chart makes, by Karpenter release.

What they are called, and how they name one another, subnets and identities, depends on the
generation of Karpenter's API. The rest of the package asks here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from modules.core import names
from modules.core.catalogue import Api, Release


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


@dataclass(frozen=True)
class Generation:
    """How pools and classes are written in one generation of the API.

    Args:
        node_class: the kind of the classes: what a node is made of.
        node_pool: the kind of the pools: which nodes are launched, and when they go.
        selectors: the fields by which a class selects security groups and subnets.
        terms: whether a selector is a list of terms; else it is one mapping of tags.
        identities: the fields by which a class may say who its nodes are.
        has_role: whether a class names the nodes' role, so that it is filled in.
        reference: the steps to a pool's reference to its class.
        reference_to: what stands in the reference beside the name.
    """

    node_class: ObjectKind
    node_pool: ObjectKind
    selectors: tuple[str, str]
    terms: bool
    identities: tuple[str, ...]
    has_role: bool
    reference: tuple[str, ...]
    reference_to: Mapping[str, str]


_CLASSES: Final = "nodeClasses"
_POOLS: Final = "nodePools"
_TERMS: Final = ("securityGroupSelectorTerms", "subnetSelectorTerms")
_IN_TEMPLATE: Final = ("template", "spec", "nodeClassRef")

_BETA_CLASS = ObjectKind(
    names.NODE_CLASS_GROUP, "v1beta1", names.NODE_CLASS, _CLASSES, outlives_deletion=True
)
_CLASS = ObjectKind(
    names.NODE_CLASS_GROUP, "v1", names.NODE_CLASS, _CLASSES, outlives_deletion=True
)

_GENERATIONS: Final = {
    Api.V1ALPHA5: Generation(
        ObjectKind(names.NODE_CLASS_GROUP, "v1alpha1", names.NODE_TEMPLATE, _CLASSES),
        ObjectKind(names.NODE_POOL_GROUP, "v1alpha5", names.PROVISIONER, _POOLS),
        selectors=("securityGroupSelector", "subnetSelector"),
        terms=False,
        # The controller's own setting names the instance profile of the others.
        identities=("instanceProfile",),
        has_role=False,
        reference=("providerRef",),
        reference_to={},
    ),
    Api.V1BETA1: Generation(
        _BETA_CLASS,
        ObjectKind(names.NODE_POOL_GROUP, "v1beta1", names.NODE_POOL, _POOLS),
        selectors=_TERMS,
        terms=True,
        identities=("instanceProfile", "role"),
        has_role=True,
        reference=_IN_TEMPLATE,
        reference_to={"apiVersion": _BETA_CLASS.api_version, "kind": names.NODE_CLASS},
    ),
    Api.V1: Generation(
        _CLASS,
        ObjectKind(names.NODE_POOL_GROUP, "v1", names.NODE_POOL, _POOLS),
        selectors=_TERMS,
        terms=True,
        identities=("instanceProfile", "role"),
        has_role=True,
        reference=_IN_TEMPLATE,
        reference_to={"group": names.NODE_CLASS_GROUP, "kind": names.NODE_CLASS},
    ),
}


def generation(release: Release) -> Generation:
    """How pools and classes are written for a release."""
    return _GENERATIONS[release.api]


def node_class_kind(release: Release) -> ObjectKind:
    """The kind of the classes: what a node is made of."""
    return generation(release).node_class


def node_pool_kind(release: Release) -> ObjectKind:
    """The kind of the pools: which nodes are launched, and when they go."""
    return generation(release).node_pool
