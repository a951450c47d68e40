"""Whether a pool may launch spot instances.

A pool without a requirement on the capacity type may: Karpenter v1 fills in none, and where spot
and on-demand are both possible it takes spot (aws/karpenter-provider-aws#5015).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.core.names import CAPACITY_TYPE_LABEL, SPOT


def pools_with_spot(node_pools: Any) -> list[str]:
    """The names of the pools that may launch spot instances; none where only Terraform knows."""
    if not isinstance(node_pools, Mapping):
        return []
    return [name for name, pool in node_pools.items() if allows_spot(pool)]


def allows_spot(pool: Any) -> bool:
    """Whether the pool, a manifest or a bare spec, may launch spot instances.

    All its requirements on the capacity type, and a label that fixes it, have to allow it. What
    cannot be read allows it.
    """
    template = _at(_at(pool, "spec") or pool, "template")
    requirements = _at(template, "spec", "requirements")
    label = _at(template, "metadata", "labels", CAPACITY_TYPE_LABEL)
    return label in (None, SPOT) and all(
        _allows(requirement)
        for requirement in (requirements if isinstance(requirements, list) else [])
        if _at(requirement, "key") == CAPACITY_TYPE_LABEL
    )


def _allows(requirement: Mapping[str, Any]) -> bool:
    values = requirement.get("values")
    listed = isinstance(values, list) and SPOT in values
    match requirement.get("operator"):
        case "In":
            return listed
        case "NotIn":
            return not listed
        case "DoesNotExist":
            return False
        case _:
            return True


def _at(value: Any, *steps: str) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value
