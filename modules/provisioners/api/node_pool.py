"""Karpenter's NodePool (karpenter.sh/v1): which nodes may be made, and when they may go.

Field names are Karpenter's. Source: the NodePool CRDs of Karpenter 1.0 to 1.14; what 1.15
adds is in its documentation.
"""

from __future__ import annotations

from typing import Annotated

from modules.core.inputs import Settings
from modules.core.names import NODE_CLASS, NODE_CLASS_GROUP
from modules.core.rules import Rule, between, pattern
from modules.provisioners.api import codes
from modules.provisioners.api.fields import (
    ANY_TEXT,
    BUDGET_DURATION,
    DURATION,
    DURATION_OR_NEVER,
    INT64_MAX,
    NOT_EMPTY,
    REQUIREMENT_KEY,
    REQUIREMENT_VALUE,
    SUBDOMAIN_253,
    TAINT_KEY,
    TAINT_VALUE,
    TIMESTAMP,
    LabelKey,
    LabelValue,
    Quantity,
    at_least,
    open_pattern,
    size,
)
from modules.provisioners.api.marks import Default, Since, dated, stricter, words


def _group(regex: str) -> Rule:
    fix = "leave the version out"
    return pattern("class_group", regex, allowed="a group without a version", fix=fix)


OPERATOR = words(
    "operator",
    "In",
    "NotIn",
    "Exists",
    "DoesNotExist",
    "Gt",
    "Lt",
    fix="write the operator as Kubernetes spells it",
    newer={"Gte": "1.9.0", "Lte": "1.9.0"},
)
TAINT_EFFECT = words(
    "taint_effect",
    "NoSchedule",
    "PreferNoSchedule",
    "NoExecute",
    fix="write the effect as Kubernetes spells it",
)
CONSOLIDATION_POLICY = words(
    "consolidation_policy",
    "WhenEmpty",
    "WhenEmptyOrUnderutilized",
    fix="write WhenEmptyOrUnderutilized for what v1beta1 called WhenUnderutilized; "
    "consolidateAfter: Never switches consolidation off",
    newer={"Balanced": "1.14.0"},
)
REASON = words(
    "disruption_reason",
    "Underutilized",
    "Empty",
    "Drifted",
    fix="name a reason that this release of Karpenter knows, or leave reasons out for all",
    newer={"Unhealthy": "1.15.0"},
)
BUDGET_NODES = pattern(
    "budget_nodes",
    r"(100|[0-9]{1,2})%|[0-9]+",
    allowed='a number of nodes or a percentage, in quotes: "5" or "10%"',
    fix="write whole numbers; a percentage goes from 0% to 100%",
)

_SCHEDULE_ALLOWED = 'five cron fields in UTC, such as "0 9 * * mon-fri", or @daily and its like'
_SCHEDULE_FIX = "write minute, hour, day, month and weekday; there is no time zone"
SCHEDULE = stricter(
    pattern(
        "schedule",
        r"@(annually|yearly|monthly|weekly|daily|midnight|hourly)"
        r"|[0-9A-Za-z*/,?-]+(\s+[0-9A-Za-z*/,?-]+){4}",
        allowed=_SCHEDULE_ALLOWED,
        fix=_SCHEDULE_FIX,
    ),
    codes.SCHEDULE,
    open_pattern(
        "schedule",
        r"^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))"
        r"|((.+)\s(.+)\s(.+)\s(.+)\s(.+))$",
        allowed=_SCHEDULE_ALLOWED,
        fix=_SCHEDULE_FIX,
    ),
)
_EACH_ONCE = Rule(
    "distinct_reasons",
    "each reason once",
    "remove the repeated reason",
    check=lambda value: all(value.count(word) == 1 for word in value),
    condition="length(distinct({v})) == length({v})",
    json_schema={"uniqueItems": True},
)
_FEW_REASONS = size("distinct_reasons", 0, 50, unit="reasons", fix=_EACH_ONCE.fix)
DISTINCT_REASONS = dated(
    ("0.33.6", stricter(_EACH_ONCE, codes.REPEATED_REASON)),
    ("1.8.0", stricter(_EACH_ONCE, codes.REPEATED_REASON, _FEW_REASONS)),
    ("1.13.0", _EACH_ONCE),
)
CLASS_GROUP = stricter(
    words("class_group", NODE_CLASS_GROUP, fix="write the group without a version"),
    codes.OTHER_CLASS,
    dated(
        ("0.33.6", ANY_TEXT),
        ("1.0.0", _group("[^/]*")),
        ("1.1.0", _group("[^/]+")),
    ),
)
_NAMED = dated(("0.33.6", ANY_TEXT), ("1.1.0", NOT_EMPTY))
CLASS_KIND = stricter(
    words("class_kind", NODE_CLASS, fix="Karpenter on AWS has this one kind of class"),
    codes.OTHER_CLASS,
    _NAMED,
)
CLASS_NAME = stricter(SUBDOMAIN_253, codes.CLASS_NAME, _NAMED)


class Metadata(Settings):
    """Labels and annotations that every node of a pool gets."""

    labels: (
        Annotated[
            dict[LabelKey, LabelValue],
            size("labels", 0, 100, unit="labels", fix="remove some labels", mapping=True),
        ]
        | None
    ) = None
    """Labels of the nodes; pods can select them."""

    annotations: dict[LabelKey, str] | None = None
    """Annotations of the nodes."""


class NodeClassRef(Settings):
    """Which EC2NodeClass the nodes are made from."""

    group: Annotated[str, CLASS_GROUP]
    """API group of the class, without a version."""

    kind: Annotated[str, CLASS_KIND]
    """Kind of the class."""

    name: Annotated[str, CLASS_NAME]
    """Name of the class."""


class Requirement(Settings):
    """One condition on the instance types, zones and labels of the nodes."""

    key: Annotated[str, REQUIREMENT_KEY]
    """The label that the condition is about."""

    operator: Annotated[str, OPERATOR]
    """How the label is compared with the values."""

    values: list[Annotated[str, REQUIREMENT_VALUE]] | None = None
    """What the label is compared with; Gt, Lt, Gte and Lte take one whole number in quotes."""

    min_values: (
        Annotated[
            int, between("min_values", 1, 50, unit="values", fix="ask for fewer distinct values")
        ]
        | None
    ) = None
    """How many distinct values must stay possible at each launch."""


class Taint(Settings):
    """A mark that keeps away the pods that do not tolerate it."""

    key: Annotated[str, TAINT_KEY]
    """Key of the taint."""

    effect: Annotated[str, TAINT_EFFECT]
    """What happens to pods without a toleration."""

    value: Annotated[str, TAINT_VALUE] | None = None
    """Value of the taint."""

    time_added: Annotated[str, TIMESTAMP] | None = None
    """When the taint was set; Kubernetes fills it."""


class NodeSpec(Settings):
    """What each node of the pool is like."""

    node_class_ref: NodeClassRef
    """The EC2NodeClass with the AWS side of the nodes."""

    requirements: Annotated[
        list[Requirement],
        size("requirements", 0, 100, unit="requirements", fix="join some of them"),
    ]
    """Conditions that every node meets; an empty list leaves the choice to Karpenter."""

    taints: list[Taint] | None = None
    """Taints that stay on the nodes."""

    startup_taints: list[Taint] | None = None
    """Taints that something else, such as a daemon, removes once the node is ready for pods."""

    expire_after: Annotated[Annotated[str, DURATION_OR_NEVER] | None, Default("720h")] = None
    """Greatest age of a node; budgets do not hold it back. Karpenter's default is 720h."""

    termination_grace_period: Annotated[str, DURATION] | None = None
    """How long a node may drain before its pods are removed by force."""


class Template(Settings):
    """The pattern that nodes are made by."""

    spec: NodeSpec
    """What each node is like."""

    metadata: Metadata | None = None
    """Labels and annotations of the nodes."""


class Budget(Settings):
    """An upper limit on nodes that may be disrupted at once."""

    nodes: Annotated[Annotated[str, BUDGET_NODES] | None, Default("10%")] = None
    """How many nodes, as a number or a percentage in quotes. Karpenter's default is 10%."""

    reasons: Annotated[list[Annotated[str, REASON]], DISTINCT_REASONS] | None = None
    """Which disruptions it limits; all of them where left out."""

    schedule: Annotated[str, SCHEDULE] | None = None
    """When it begins to hold, as cron fields in UTC; always where left out."""

    duration: Annotated[str, BUDGET_DURATION] | None = None
    """How long it holds after each beginning."""


Budgets = Annotated[
    Annotated[list[Budget], size("budgets", 0, 50, unit="budgets", fix="join some of them")] | None,
    Default([{"nodes": "10%"}]),
]


class Disruption(Settings):
    """When Karpenter may replace or remove nodes of its own accord."""

    consolidate_after: Annotated[str, DURATION_OR_NEVER]
    """How long a node stays unchanged before it may be consolidated."""

    consolidation_policy: Annotated[
        Annotated[str, CONSOLIDATION_POLICY] | None, Default("WhenEmptyOrUnderutilized")
    ] = None
    """Which nodes may be consolidated. Karpenter's default is WhenEmptyOrUnderutilized."""

    budgets: Budgets = None
    """Upper limits on nodes disrupted at once. Karpenter's default is one budget of 10%."""


class NodePoolSpec(Settings):
    """The spec of a NodePool."""

    template: Template
    """The pattern that nodes are made by."""

    disruption: Annotated[Disruption | None, Default({"consolidateAfter": "0s"})] = None
    """When Karpenter may replace or remove nodes of its own accord."""

    limits: dict[str, Quantity] | None = None
    """Upper limits on the sum of resources of the pool's nodes."""

    weight: (
        Annotated[int, between("weight", 1, 100, unit="points", fix="use 1 to 100; 100 goes first")]
        | None
    ) = None
    """Which pool is tried first: the highest weight."""

    replicas: Annotated[
        Annotated[
            int,
            at_least("replicas", 0, unit="nodes", fix="use 0 or more", high=INT64_MAX),
        ]
        | None,
        Since("1.8.0"),
    ] = None
    """Makes the pool static: Karpenter keeps this many nodes whatever the pods."""
