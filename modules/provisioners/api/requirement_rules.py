"""Rules on the requirements of a pool or an overlay, beside those on their keys."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from modules.core import names
from modules.core.expressions import is_known
from modules.provisioners.api import codes
from modules.provisioners.api.label_rules import AWS_LABELS
from modules.provisioners.api.rules import SpecRule, listed

_NUMERIC = ("Gt", "Lt", "Gte", "Lte")

LOOK_ALIKES = {
    "eks.amazonaws.com/capacityType": names.CAPACITY_TYPE_LABEL,
    "eks.amazonaws.com/capacity-type": names.CAPACITY_TYPE_LABEL,
    "node.kubernetes.io/capacity-type": names.CAPACITY_TYPE_LABEL,
    "kubernetes.io/instance-type": names.INSTANCE_TYPE_LABEL,
    "kubernetes.io/architecture": names.ARCH_LABEL,
    "kubernetes.io/zone": names.ZONE_LABEL,
    **{
        f"eks.amazonaws.com/{label.partition('/')[2]}": label
        for label in AWS_LABELS
        if "/instance-" in label
    },
}
"""Keys taken for Karpenter's: it would give the nodes a label of that key with a random value."""

_VALUES = {
    names.CAPACITY_TYPE_LABEL: ("on-demand", "reserved", names.SPOT),
    names.ARCH_LABEL: ("amd64", "arm64"),
    names.OS_LABEL: ("linux", "windows"),
}
"""Labels with few values; no instance type meets another one."""


_INT64_MAX = 2**63 - 1


def _few(key: str) -> str:
    return ", ".join(_VALUES[key])


def _single(requirement: dict[str, Any], form: str) -> bool:
    values = requirement.get("values", [])
    return len(values) == 1 and re.fullmatch(form, values[0]) is not None


def _single_of_api(requirement: dict[str, Any]) -> bool:
    """One number as the API server reads it: with a sign and leading zeros where there are any."""
    return _single(requirement, "[+-]?[0-9]+") and 0 <= int(requirement["values"][0]) <= _INT64_MAX


def requirement_rules(at: str) -> list[SpecRule]:
    """The rules on each requirement of a list.

    Args:
        at: where each requirement stands, such as `requirements[]`.
    """
    in_values = 'try({v}.operator, "") != "In" || try(length({v}.values), 0) > 0'
    numeric = SpecRule(
        "numeric_operator",
        at,
        "operators Gt, Lt, Gte and Lte compare with one number",
        'exactly one whole number of 0 or more, in quotes, such as ["4"]',
        "give one number",
        check=lambda r: r.get("operator") not in _NUMERIC or _single(r, "[0-9]{1,18}"),
        condition=f'!contains({listed(_NUMERIC)}, try({{v}}.operator, "")) ? true : '
        'length({v}.values) == 1 && can(regex("^[0-9]{1,18}$", {v}.values[0]))',
        reads=("operator", "values"),
        blame="values",
        code=codes.ODD_NUMBER,
    )
    return [
        numeric,
        replace(
            numeric,
            id="numeric_operator_of_api",
            check=lambda r: r.get("operator") not in _NUMERIC or _single_of_api(r),
            code=None,
            weaker_than=numeric.id,
        ),
        SpecRule(
            "in_needs_values",
            at,
            "operator In needs values",
            "at least one value",
            "list the values, or use the operator Exists",
            check=lambda r: r.get("operator") != "In" or bool(r.get("values")),
            condition=in_values,
            reads=("values",),
            blame="values",
        ),
        SpecRule(
            "min_values",
            at,
            "minValues asks for more values than are listed",
            "up to as many as there are values",
            "lower minValues or list more values",
            check=lambda r: (
                r.get("operator") != "In"
                or "minValues" not in r
                or len(r.get("values", [])) >= r["minValues"]
            ),
            condition='try({v}.operator, "") != "In" || try({v}.minValues, null) == null ? true : '
            "try(length({v}.values), 0) >= {v}.minValues",
            reads=("values", "minValues"),
            blame="minValues",
        ),
        SpecRule(
            "look_alike_key",
            at,
            "is not the label that Karpenter reads",
            "Karpenter's own labels, such as " + names.CAPACITY_TYPE_LABEL,
            "use the key of Karpenter's documentation: "
            f"{names.CAPACITY_TYPE_LABEL}, {names.NODE_CLASS_GROUP}/instance-category and so on",
            check=lambda r: not is_known(r.get("key")) or r.get("key") not in LOOK_ALIKES,
            condition=f"!contains({listed(LOOK_ALIKES)}, {{v}}.key)",
            reads=("key",),
            blame="key",
            code=codes.LOOK_ALIKE_KEY,
        ),
        *(
            SpecRule(
                f"values_of_{key.partition('/')[2].replace('-', '_')}",
                at,
                f"{key} has no such value",
                f"values out of {_few(key)}",
                "write the values in lower case, as Karpenter spells them",
                check=lambda r, key=key, known=known: (  # type: ignore[misc]
                    r.get("key") != key or all(value in known for value in r.get("values", []))
                ),
                condition=f'{{v}}.key != "{key}" || '
                f"length(setsubtract(try({{v}}.values, []), {listed(known)})) == 0",
                reads=("key", "values"),
                blame="values",
                code=codes.IMPOSSIBLE_VALUE,
            )
            for key, known in _VALUES.items()
        ),
    ]
