"""One class and one pool in the style of the EKS blueprints' add-on, as Karpenter's own fields.

What the style says differently is translated as Karpenter's migration guides do (v1alpha5 to
v1beta1 to v1); everything else is Karpenter's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from modules.core.catalogue import Release
from modules.core.faults import Fault, Step
from modules.provisioners.add_on_settings import AddOnSettings
from modules.provisioners.checks import check
from modules.provisioners.settings import ProvisionerOptions

NAME = "default"
"""The name of the class and of the pool."""

_IDS = ("aws-ids", "aws::ids")
"""Keys of a selector that stand for ids rather than for tags."""

_UNITS = ((3600, "h"), (60, "m"))

_CLASS_WORDS = {
    "amiSelectorTerms": "amiAlias",
    "securityGroupSelectorTerms": "securityGroupTags",
    "subnetSelectorTerms": "subnetTags",
}
"""Karpenter's fields of a class that stand here under another name, and made another way."""

_POOL_PLACES: dict[tuple[Step, ...], str] = {
    ("template", "metadata", "labels"): "labels",
    ("template", "spec", "requirements"): "requirements",
    ("template", "spec", "startupTaints"): "startupTaints",
    ("template", "spec", "taints"): "taints",
}
_POOL_WORDS = {"operator": "op", "values": "vals"}


@dataclass(frozen=True)
class Translated:
    """What an add-on block says, in the words of the cluster file.

    Args:
        node_classes: the class, by name.
        node_pools: the pool, by name.
        interruption_handling: the cluster's switch, or None where the block leaves it alone.
        values: values of the controller's chart.
    """

    node_classes: dict[str, Any]
    node_pools: dict[str, Any]
    interruption_handling: bool | None
    values: dict[str, Any]


def translate(add_on: AddOnSettings) -> Translated:
    """The same in Karpenter's fields."""
    return Translated(
        {NAME: _node_class(add_on)},
        {NAME: _node_pool(add_on)},
        add_on.interruption_handling,
        dict(add_on.values),
    )


def check_add_on(add_on: AddOnSettings, release: Release) -> list[Fault]:
    """Every fault of the translation, with paths as in the block."""
    made = translate(add_on)
    options = ProvisionerOptions(node_classes=made.node_classes, node_pools=made.node_pools)
    return [_placed(fault) for fault in check(options, release)]


def _node_class(add_on: AddOnSettings) -> dict[str, Any]:
    alias = add_on.ami_alias or (add_on.ami_family and f"{add_on.ami_family.lower()}@latest")
    return _given(
        amiFamily=add_on.ami_family,
        amiSelectorTerms=[{"alias": alias}] if alias else None,
        subnetSelectorTerms=list(_terms(add_on.subnet_tags)),
        securityGroupSelectorTerms=list(_terms(add_on.security_group_tags)),
        tags=dict(add_on.tags),
    )


def _node_pool(add_on: AddOnSettings) -> dict[str, Any]:
    node = _given(
        taints=list(add_on.taints),
        startupTaints=list(add_on.startup_taints),
        expireAfter=duration(add_on.ttl_seconds_until_expired),
    )
    # Required by Karpenter, even where empty.
    node["requirements"] = [
        _given(key=r.key, operator=r.op, values=list(r.vals)) for r in add_on.requirements
    ]
    metadata = _given(labels=dict(add_on.labels))
    return _given(
        template=_given(metadata=metadata, spec=node),
        disruption=_disruption(add_on),
        limits=dict(add_on.limits),
        weight=add_on.weight,
    )


def _disruption(add_on: AddOnSettings) -> dict[str, str]:
    if add_on.ttl_seconds_after_empty is not None:
        after = duration(add_on.ttl_seconds_after_empty)
        return {"consolidationPolicy": "WhenEmpty", "consolidateAfter": after}
    enabled = add_on.consolidation is not None and add_on.consolidation.enabled
    return {
        "consolidationPolicy": "WhenEmptyOrUnderutilized",
        "consolidateAfter": "0s" if enabled else "Never",
    }


def duration(seconds: int | None) -> str:
    """Seconds as Karpenter writes them, in the largest whole unit; None never comes."""
    if seconds is None:
        return "Never"
    for size, unit in _UNITS:
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _terms(tags: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Selector terms: a comma in a value separates alternatives, and each becomes a term."""
    ids = [text for key in _IDS for text in _alternatives(tags.get(key, ""))]
    yield from ({"id": text} for text in ids)
    rest = {key: _alternatives(value) for key, value in tags.items() if key not in _IDS}
    if rest:
        for values in product(*rest.values()):
            yield {"tags": dict(zip(rest, values, strict=True))}


def _alternatives(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, [], {})}


def _placed(fault: Fault) -> Fault:
    """A fault of the translation, told in the block's own words."""
    setting, _, *steps = fault.path
    path = _class_path(steps) if setting == "nodeClasses" else _pool_path(steps)
    return replace(
        fault,
        path=path,
        problem=_in_our_words(fault.problem),
        allowed=_in_our_words(fault.allowed),
        fix=_in_our_words(fault.fix),
    )


def _in_our_words(text: str) -> str:
    for theirs, ours in _CLASS_WORDS.items():
        text = text.replace(theirs, ours)
    return text


def _class_path(steps: list[Step]) -> tuple[Step, ...]:
    field = str(steps[0]) if steps else ""
    return (_CLASS_WORDS[field],) if field in _CLASS_WORDS else tuple(steps)


def _pool_path(steps: list[Step]) -> tuple[Step, ...]:
    for place, field in _POOL_PLACES.items():
        if tuple(steps[: len(place)]) == place:
            rest = steps[len(place) :]
            return (field, *(_POOL_WORDS.get(str(step), step) for step in rest))
    return tuple(steps)
