"""Karpenter's NodePool in v1beta1: as v1, with the kubelet inside and expiry under disruption.

Field names are Karpenter's. Source: the NodePool CRDs of Karpenter 0.32 to 1.0.
"""

from __future__ import annotations

from typing import Annotated

from modules.core.inputs import Settings
from modules.core.names import NODE_CLASS, NODE_CLASS_GROUP
from modules.core.rules import Rule, between
from modules.provisioners.api import codes
from modules.provisioners.api.fields import (
    ANY_TEXT,
    BUDGET_DURATION,
    DURATION_OR_NEVER,
    SUBDOMAIN_253,
    Quantity,
    size,
)
from modules.provisioners.api.kubelet import Kubelet
from modules.provisioners.api.marks import Default, Since, dated, stricter, words
from modules.provisioners.api.node_pool import (
    BUDGET_NODES,
    SCHEDULE,
    Metadata,
    Taint,
)
from modules.provisioners.api.node_pool import Requirement as StableRequirement

CONSOLIDATION_POLICY = words(
    "consolidation_policy_beta",
    "WhenEmpty",
    "WhenUnderutilized",
    fix="write WhenUnderutilized for what v1 calls WhenEmptyOrUnderutilized",
)
CLASS_VERSION = stricter(
    words(
        "class_api_version",
        f"{NODE_CLASS_GROUP}/v1beta1",
        fix="write the group and the version, or leave it out",
    ),
    codes.OTHER_CLASS,
    ANY_TEXT,
)
CLASS_KIND = stricter(
    words("class_kind", NODE_CLASS, fix="Karpenter on AWS has this one kind of class"),
    codes.OTHER_CLASS,
    ANY_TEXT,
)
REQUIREMENTS = dated(
    ("0.32.0", size("requirements", 0, 30, unit="requirements", fix="join some of them")),
    ("0.33.0", size("requirements", 0, 100, unit="requirements", fix="join some of them")),
)
NO_RESOURCES = dated(
    ("0.32.0", Rule("resources", "anything", "remove it", check=lambda _: True)),
    ("0.34.0", size("resources", 0, 0, unit="entries", fix="remove it", mapping=True)),
)


class NodeClassRef(Settings):
    """Which EC2NodeClass the nodes are made from."""

    name: Annotated[str, stricter(SUBDOMAIN_253, codes.CLASS_NAME, ANY_TEXT)]
    """Name of the class."""

    api_version: Annotated[str, CLASS_VERSION] | None = None
    """API group and version of the class."""

    kind: Annotated[str, CLASS_KIND] | None = None
    """Kind of the class."""


class Requirement(StableRequirement):
    """One condition on the instance types, zones and labels of the nodes."""

    min_values: Annotated[
        Annotated[
            int, between("min_values", 1, 50, unit="values", fix="ask for fewer distinct values")
        ]
        | None,
        Since("0.35.0"),
    ] = None
    """How many distinct values must stay possible at each launch."""


class Resources(Settings):
    """Unused by Karpenter."""

    requests: dict[str, Quantity] | None = None
    """Unused by Karpenter."""


class NodeSpec(Settings):
    """What each node of the pool is like."""

    node_class_ref: NodeClassRef
    """The EC2NodeClass with the AWS side of the nodes."""

    requirements: Annotated[list[Requirement], REQUIREMENTS]
    """Conditions that every node meets; an empty list leaves the choice to Karpenter."""

    kubelet: Kubelet | None = None
    """Settings of the kubelet on each node."""

    taints: list[Taint] | None = None
    """Taints that stay on the nodes."""

    startup_taints: list[Taint] | None = None
    """Taints that something else, such as a daemon, removes once the node is ready for pods."""

    resources: Annotated[Resources, NO_RESOURCES] | None = None
    """Unused by Karpenter."""


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

    schedule: Annotated[str, SCHEDULE] | None = None
    """When it begins to hold, as cron fields in UTC; always where left out."""

    duration: Annotated[str, BUDGET_DURATION] | None = None
    """How long it holds after each beginning."""


class Disruption(Settings):
    """When Karpenter may replace or remove nodes of its own accord."""

    consolidation_policy: Annotated[
        Annotated[str, CONSOLIDATION_POLICY] | None, Default("WhenUnderutilized")
    ] = None
    """Which nodes may be consolidated. Karpenter's default is WhenUnderutilized."""

    consolidate_after: Annotated[str, DURATION_OR_NEVER] | None = None
    """How long a node stays empty before it is removed; only with WhenEmpty."""

    expire_after: Annotated[Annotated[str, DURATION_OR_NEVER] | None, Default("720h")] = None
    """Greatest age of a node. Karpenter's default is 720h."""

    budgets: Annotated[
        Annotated[list[Budget], size("budgets", 0, 50, unit="budgets", fix="join some of them")]
        | None,
        Default([{"nodes": "10%"}]),
        Since("0.34.0"),
    ] = None
    """Upper limits on nodes disrupted at once. Karpenter's default is one budget of 10%."""


class NodePoolSpec(Settings):
    """The spec of a NodePool."""

    template: Template
    """The pattern that nodes are made by."""

    disruption: Annotated[
        Disruption | None,
        Default({"consolidationPolicy": "WhenUnderutilized", "expireAfter": "720h"}),
    ] = None
    """When Karpenter may replace or remove nodes of its own accord."""

    limits: dict[str, Quantity] | None = None
    """Upper limits on the sum of resources of the pool's nodes."""

    weight: (
        Annotated[int, between("weight", 1, 100, unit="points", fix="use 1 to 100; 100 goes first")]
        | None
    ) = None
    """Which pool is tried first: the highest weight."""
