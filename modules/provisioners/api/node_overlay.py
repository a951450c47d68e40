"""Karpenter's NodeOverlay (karpenter.sh/v1alpha1): other prices and capacities of instance types.

Field names are Karpenter's. Source: the NodeOverlay CRDs of Karpenter 1.7 to 1.14.
"""

from __future__ import annotations

from typing import Annotated

from modules.core.catalogue import Release
from modules.core.inputs import Settings
from modules.core.rules import between, pattern
from modules.provisioners.api.fields import REQUIREMENT_KEY, REQUIREMENT_VALUE, Quantity, size
from modules.provisioners.api.label_rules import overlay_label_rules
from modules.provisioners.api.node_pool import OPERATOR
from modules.provisioners.api.requirement_rules import requirement_rules
from modules.provisioners.api.rules import SpecRule, has

PRICE = pattern(
    "overlay_price",
    r"[0-9]+(\.[0-9]+)?",
    allowed='a price in USD an hour, in quotes, such as "0.25"',
    fix="write digits and a point; for a change of the price use priceAdjustment",
)
PRICE_ADJUSTMENT = pattern(
    "price_adjustment",
    r"[+-]([0-9]*\.?[0-9]+)|\+[0-9]*\.?[0-9]+%|-[0-9]{1,2}(\.[0-9]+)?%|-100%",
    allowed='a change of the price with its sign, in quotes, such as "-10%" or "+0.05"',
    fix="write + or - first; a reduction goes to -100%",
)
_OWN_CAPACITY = ("cpu", "memory", "ephemeral-storage", "pods")


class Requirement(Settings):
    """One condition on the instance types that the overlay is for."""

    key: Annotated[str, REQUIREMENT_KEY]
    """The label that the condition is about."""

    operator: Annotated[str, OPERATOR]
    """How the label is compared with the values."""

    values: list[Annotated[str, REQUIREMENT_VALUE]] | None = None
    """What the label is compared with; Gt, Lt, Gte and Lte take one whole number in quotes."""


class NodeOverlaySpec(Settings):
    """The spec of a NodeOverlay."""

    requirements: Annotated[
        list[Requirement],
        size("requirements", 0, 100, unit="requirements", fix="join some of them"),
    ]
    """Which instance types it is for."""

    capacity: dict[str, Quantity] | None = None
    """Resources that the instance types have besides their own."""

    price: Annotated[str, PRICE] | None = None
    """The price of an hour."""

    price_adjustment: Annotated[str, PRICE_ADJUSTMENT] | None = None
    """A change of the price, as an amount or a percentage."""

    weight: (
        Annotated[int, between("overlay_weight", 1, 10_000, unit="points", fix="use 1 to 10000")]
        | None
    ) = None
    """Which overlay wins where two fit: the one of the highest weight."""


_RULES = [
    SpecRule(
        "one_price",
        "",
        "price and priceAdjustment exclude one another",
        "price or priceAdjustment",
        "remove one of them",
        check=lambda spec: not (has(spec, "price") and has(spec, "priceAdjustment")),
        condition="try({v}.price, null) == null || try({v}.priceAdjustment, null) == null",
        blame="priceAdjustment",
    ),
    SpecRule(
        "own_capacity",
        "capacity{}",
        "is a resource that an overlay cannot change",
        f"any resource but {', '.join(_OWN_CAPACITY)}",
        "remove it: Karpenter knows it of each instance type",
        check=lambda key: key not in _OWN_CAPACITY,
        condition="!contains([" + ", ".join(f'"{key}"' for key in _OWN_CAPACITY) + "], {v})",
        kind=str,
    ),
    SpecRule(
        "not_in_needs_values",
        "requirements[]",
        "operator NotIn needs values",
        "at least one value",
        "list the values, or use the operator Exists",
        check=lambda r: r.get("operator") != "NotIn" or bool(r.get("values")),
        condition='try({v}.operator, "") != "NotIn" || try(length({v}.values), 0) > 0',
        reads=("values",),
        blame="values",
    ),
]


def overlay_rules(release: Release) -> list[SpecRule]:
    """The rules of this release."""
    rules = [
        *_RULES,
        *requirement_rules("requirements[]"),
        *overlay_label_rules(release),
    ]
    return [rule for rule in rules if rule.holds_for(release)]
