"""Rules on a NodePool's spec that need more than one value, or the release."""

from __future__ import annotations

from modules.core.catalogue import Release
from modules.provisioners.api import codes
from modules.provisioners.api.label_rules import REQUIREMENT, label_rules, labels_known
from modules.provisioners.api.requirement_rules import requirement_rules
from modules.provisioners.api.rules import SpecRule, has

_STATIC = [
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
        check=lambda spec: not has(spec, "replicas") or set(spec.get("limits", {})) <= {"nodes"},
        condition="try({v}.replicas, null) == null || "
        'length(setsubtract(try(keys({v}.limits), []), ["nodes"])) == 0',
        reads=("limits",),
        blame="limits",
        since="1.8.0",
    ),
]
FLAT_LIMITS = SpecRule(
    "flat_limits",
    "limits{}",
    "resources stand directly under limits",
    "resource names, such as cpu and memory",
    "write limits.cpu and limits.memory, without resources between",
    check=lambda key: key != "resources",
    condition='{v} != "resources"',
    kind=str,
    code=codes.NESTED_LIMITS,
)
BUDGET_WINDOW = SpecRule(
    "budget_window",
    "disruption.budgets[]",
    "schedule and duration need one another",
    "both schedule and duration, or neither",
    "give the missing one, or remove the other to have the budget always hold",
    check=lambda budget: has(budget, "schedule") == has(budget, "duration"),
    condition="(try({v}.schedule, null) == null) == (try({v}.duration, null) == null)",
)


def pool_rules(release: Release) -> list[SpecRule]:
    """The rules of this release, in v1."""
    rules = [
        *_STATIC,
        FLAT_LIMITS,
        BUDGET_WINDOW,
        *requirement_rules(REQUIREMENT),
        *label_rules(labels_known(release)),
    ]
    return [rule for rule in rules if rule.holds_for(release)]
