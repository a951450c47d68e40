"""Rules on a NodePool's spec that need more than one value, or the release."""

from __future__ import annotations

import re
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.provisioners.api.label_rules import AWS_LABELS, REQUIREMENT, label_rules
from modules.provisioners.api.rules import SpecRule, has, listed

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


def pool_rules(release: Release) -> list[SpecRule]:
    """The rules of this release."""
    rules = [*_rules(), *label_rules(release)]
    return [rule for rule in rules if rule.holds_for(release)]


def _single_number(requirement: dict[str, Any]) -> bool:
    values = requirement.get("values", [])
    return len(values) == 1 and re.fullmatch("[0-9]{1,18}", values[0]) is not None


def _few(key: str) -> str:
    return ", ".join(_VALUES[key])


def _rules() -> list[SpecRule]:
    in_values = 'try({v}.operator, "") != "In" || try(length({v}.values), 0) > 0'
    return [
        SpecRule(
            "static_pool_weight",
            "",
            "a pool with replicas has no weight",
            "either replicas or weight",
            "remove weight: a static pool is not chosen for pods",
            check=lambda spec: not (has(spec, "replicas") and has(spec, "weight")),
            condition="try({v}.replicas, null) == null || try({v}.weight, null) == null",
            blame="weight",
            since="1.8.0",
        ),
        SpecRule(
            "static_pool_limits",
            "",
            "a pool with replicas has no limits but nodes",
            "limits.nodes alone",
            "remove the other limits",
            check=lambda spec: (
                not has(spec, "replicas") or set(spec.get("limits", {})) <= {"nodes"}
            ),
            condition="try({v}.replicas, null) == null || "
            'length(setsubtract(try(keys({v}.limits), []), ["nodes"])) == 0',
            reads=("limits",),
            blame="limits",
            since="1.8.0",
        ),
        SpecRule(
            "flat_limits",
            "limits{}",
            "resources stand directly under limits",
            "resource names, such as cpu and memory",
            "write limits.cpu and limits.memory, without resources between",
            check=lambda key: key != "resources",
            condition='{v} != "resources"',
            kind=str,
        ),
        SpecRule(
            "budget_window",
            "disruption.budgets[]",
            "schedule and duration need one another",
            "both schedule and duration, or neither",
            "give the missing one, or remove the other to have the budget always hold",
            check=lambda budget: has(budget, "schedule") == has(budget, "duration"),
            condition="(try({v}.schedule, null) == null) == (try({v}.duration, null) == null)",
        ),
        SpecRule(
            "in_needs_values",
            REQUIREMENT,
            "operator In needs values",
            "at least one value",
            "list the values, or use the operator Exists",
            check=lambda r: r.get("operator") != "In" or bool(r.get("values")),
            condition=in_values,
            reads=("values",),
            blame="values",
        ),
        SpecRule(
            "numeric_operator",
            REQUIREMENT,
            "operators Gt, Lt, Gte and Lte compare with one number",
            'exactly one whole number of 0 or more, in quotes, such as ["4"]',
            "give one number",
            check=lambda r: r.get("operator") not in _NUMERIC or _single_number(r),
            condition=f'!contains({listed(_NUMERIC)}, try({{v}}.operator, "")) ? true : '
            'length({v}.values) == 1 && can(regex("^[0-9]{1,18}$", {v}.values[0]))',
            reads=("operator", "values"),
            blame="values",
        ),
        SpecRule(
            "min_values",
            REQUIREMENT,
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
            REQUIREMENT,
            "is not the label that Karpenter reads",
            "Karpenter's own labels, such as " + names.CAPACITY_TYPE_LABEL,
            "use the key of Karpenter's documentation: "
            f"{names.CAPACITY_TYPE_LABEL}, {names.NODE_CLASS_GROUP}/instance-category and so on",
            check=lambda r: not is_known(r.get("key")) or r.get("key") not in LOOK_ALIKES,
            condition=f"!contains({listed(LOOK_ALIKES)}, {{v}}.key)",
            reads=("key",),
            blame="key",
        ),
        *(
            SpecRule(
                f"values_of_{key.partition('/')[2].replace('-', '_')}",
                REQUIREMENT,
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
            )
            for key, known in _VALUES.items()
        ),
    ]
