"""Whether a pool may launch spot instances.

A pool without a requirement on the capacity type may: from 0.32 on Karpenter fills in none, and
where spot and on-demand are both possible it takes spot (aws/karpenter-provider-aws#5015). A
Provisioner without one gets on-demand from the webhook of its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from modules.core.catalogue import Api
from modules.core.inputs import Validation
from modules.core.names import CAPACITY_TYPE_LABEL, SPOT

ALLOWED: Final = (
    "true where a pool allows spot, as every pool does that has no requirement on "
    f"{CAPACITY_TYPE_LABEL}"
)
FIX: Final = "switch it on, or let the pools require on-demand"
"""Of interruption handling that is off while a pool may launch spot instances."""


def pools_with_spot(node_pools: Any, api: Api = Api.V1) -> list[str]:
    """The names of the pools that may launch spot instances; none where only Terraform knows."""
    if not isinstance(node_pools, Mapping):
        return []
    return [name for name, pool in node_pools.items() if allows_spot(pool, api)]


def allows_spot(pool: Any, api: Api = Api.V1) -> bool:
    """Whether the pool, a manifest or a bare spec, may launch spot instances.

    All its requirements on the capacity type, and a label that fixes it, have to allow it. What
    cannot be read allows it.

    Args:
        api: the generation that the pool is written in.
    """
    spec = _at(pool, "spec") or pool
    if api is Api.V1ALPHA5:
        requirements, labels = _at(spec, "requirements"), _at(spec, "labels")
    else:
        requirements = _at(spec, "template", "spec", "requirements")
        labels = _at(spec, "template", "metadata", "labels")
    label = _at(labels, CAPACITY_TYPE_LABEL)
    stated = [
        requirement
        for requirement in (requirements if isinstance(requirements, list) else [])
        if _at(requirement, "key") == CAPACITY_TYPE_LABEL
    ]
    if api is Api.V1ALPHA5 and not stated and label is None:
        return False
    return label in (None, SPOT) and all(map(_allows, stated))


def validation(switch: str, pools: str) -> Validation:
    """The rule that pools which may launch spot need interruption handling, for a module.

    Args:
        switch: the variable that switches interruption handling on.
        pools: the variable that holds the pools.
    """
    label = f'template.metadata.labels["{CAPACITY_TYPE_LABEL}"]'
    listed = f'contains(try(concat(r.values, []), []), "{SPOT}")'
    operators = f"{{ In = {listed}, NotIn = !{listed}, DoesNotExist = false }}"
    requirements = (
        "[for r in try(concat(template.spec.requirements, []), []) : "
        f'try({operators}[r.operator], true) if try(r.key, "") == "{CAPACITY_TYPE_LABEL}"]'
    )
    templates = (
        f"{{ for name, given in try(merge(var.{pools}), {{}}) : "
        "name => try(given.spec.template, given.template, null) }"
    )
    found = (
        f"[for name, template in {templates} : name if "
        f'try({label} == null || {label} == "{SPOT}", true) && alltrue({requirements})]'
    )
    return Validation(
        f"var.{switch} ? true : length({found}) == 0",
        f'{switch}: is off, while pools may launch spot instances: ${{join(", ", {found})}}. '
        f"Allowed: {ALLOWED}. Fix: {FIX}.",
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
