"""Pools of all generations, read alike: NodePools of v1 and v1beta1, and Provisioners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modules.core import names
from modules.core.expressions import is_known
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import Manifest
from modules.provisioners.lint.look import Path

POOLS = (names.NODE_POOL, names.PROVISIONER)
STABLE_POOL = f"{names.NODE_POOL_GROUP}/v1"

_NODE = ("template", "spec")
_LABELS = ("template", "metadata", "labels")


@dataclass(frozen=True)
class Requirement:
    """One condition on a label of the nodes.

    Args:
        path: where it stands, from the spec down.
        key: the label.
        operator: how the label is compared.
        values: what it is compared with.
        min_values: how many values must stay possible at each launch, or None.
    """

    path: Path
    key: str
    operator: str
    values: tuple[str, ...] = ()
    min_values: int | None = None


def is_provisioner(pool: Manifest) -> bool:
    """Whether the pool is one of v1alpha5."""
    return pool.kind == names.PROVISIONER


def is_stable(pool: Manifest) -> bool:
    """Whether the pool is one of v1."""
    return pool.kind == names.NODE_POOL and pool.api_version == STABLE_POOL


def node(pool: Manifest) -> tuple[str, ...]:
    """Where the pool says what its nodes are like."""
    return () if is_provisioner(pool) else _NODE


def requirements(pool: Manifest) -> list[Requirement]:
    """The pool's conditions on labels, those of which key, operator and values are known."""
    found = []
    for path, item in look.items(pool.spec, *node(pool), "requirements"):
        key, operator = look.text(item, "key"), look.text(item, "operator")
        values = look.at(item, "values")
        listed = values if isinstance(values, list) else []
        if key and operator and is_known(values) and all(map(is_known, listed)):
            found.append(
                Requirement(
                    path,
                    key,
                    operator,
                    tuple(look.texts(item, "values")),
                    look.number(item, "minValues"),
                )
            )
    return found


def requirement_on(pool: Manifest, key: str) -> Requirement | None:
    """The pool's first condition on a label."""
    return next((r for r in requirements(pool) if r.key == key), None)


def labels(pool: Manifest) -> tuple[Path, Mapping[str, Any]]:
    """Where the labels of the pool's nodes stand, and what they are."""
    path = ("labels",) if is_provisioner(pool) else _LABELS
    return path, look.mapping(pool.spec, *path)


def labels_as_requirements(pool: Manifest) -> Iterator[Requirement]:
    """Each label that the pool gives its nodes, as the condition that it is."""
    path, given = labels(pool)
    for key in given:
        value = look.text(given, key)
        if value is not None:
            yield Requirement((*path, key), key, "In", (value,))


def taints(pool: Manifest) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The taints that stay."""
    return look.items(pool.spec, *node(pool), "taints")


def startup_taints(pool: Manifest) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The taints that something removes."""
    return look.items(pool.spec, *node(pool), "startupTaints")


def limits(pool: Manifest) -> tuple[Path, Mapping[str, Any]]:
    """Where the pool's limits stand, and what they are."""
    path = ("limits", "resources") if is_provisioner(pool) else ("limits",)
    return path, look.mapping(pool.spec, *path)


def kubelet(pool: Manifest) -> tuple[Path, Mapping[str, Any]]:
    """Where the pool's settings of the kubelet stand; in v1 its class has them."""
    path = ("kubeletConfiguration",) if is_provisioner(pool) else (*_NODE, "kubelet")
    return path, look.mapping(pool.spec, *path)


def class_reference(pool: Manifest) -> tuple[Path, str | None]:
    """Where the pool names its class, and the name."""
    path = ("providerRef", "name") if is_provisioner(pool) else (*_NODE, "nodeClassRef", "name")
    return path, look.text(pool.spec, *path)


def is_static(pool: Manifest) -> bool:
    """Whether the pool has a fixed number of nodes."""
    return look.at(pool.spec, "replicas") is not None


def expiry(pool: Manifest) -> tuple[Path, str | None]:
    """Where the pool says how old a node may get, and what it says: `720h`, `Never`.

    None where it says nothing; what that means differs by generation.
    """
    if is_provisioner(pool):
        path: Path = ("ttlSecondsUntilExpired",)
        seconds = look.number(pool.spec, "ttlSecondsUntilExpired")
        return path, None if seconds is None else f"{seconds}s"
    path = (*_NODE, "expireAfter") if is_stable(pool) else ("disruption", "expireAfter")
    return path, look.text(pool.spec, *(str(step) for step in path))


def never_expires(pool: Manifest) -> bool:
    """Whether no node of the pool is replaced for its age."""
    _, given = expiry(pool)
    return given is None if is_provisioner(pool) else given == "Never"
