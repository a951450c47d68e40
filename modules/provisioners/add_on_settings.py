"""Settings of a class and a pool in the style of the EKS blueprints' add-on.

Its properties of all times are here: those of its first form (`provisionerSpecs`), of its second
(`requirements` with `op` and `vals`, tags as selectors) and of its last (`nodePoolSpec` and
`ec2NodeClassSpec`). Where it and Karpenter have two names for one thing, both are taken.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from modules.core import names
from modules.core.inputs import Settings
from modules.core.rules import NAMESPACE, Rule, between, one_of

_MOST_SECONDS = 2**31 - 1

OPERATOR = one_of(
    "operator",
    ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
    fix="write In for a list of allowed values",
)
AMI_FAMILY = one_of(
    "ami_family",
    (
        *("AL2", "AL2023", "Bottlerocket", "Custom", "Ubuntu"),
        *("Windows2019", "Windows2022", "Windows2025"),
    ),
    fix="use one of these, or write nodeClasses in Karpenter's own fields",
)
SECONDS = between(
    "seconds",
    0,
    _MOST_SECONDS,
    unit="seconds",
    fix="write the number alone, or leave it out for never",
)
CHART_TIMEOUT = between(
    "chart_timeout", 60, 3600, unit="seconds", fix="give Helm one minute to one hour, such as 10m"
)
CHART_ADDRESS = Rule(
    "chart_address",
    "the full address of the chart, oci:// or https://",
    "copy it from Karpenter's documentation, or leave it out",
    check=lambda value: re.fullmatch(r"(oci|https)://[^\s/@]+(/[^\s/@]+)*", value) is not None,
    json_schema={"pattern": "^(oci|https)://"},
)
POD_IDENTITY = Rule(
    "pod_identity",
    "false: the controller's role is bound to its service account by the cluster's OIDC issuer",
    "remove it; nothing else depends on which of the two ways is used",
    check=lambda value: value is False,
    json_schema={"const": False},
)


def _seconds(value: object) -> object:
    """A count of seconds, also where it is written as `5m`."""
    if isinstance(value, str) and (parts := re.fullmatch(r"([0-9]{1,6})([smh])", value)):
        return int(parts[1]) * {"s": 1, "m": 60, "h": 3600}[parts[2]]
    return value


ChartTimeout = Annotated[
    int,
    CHART_TIMEOUT,
    BeforeValidator(_seconds),
    WithJsonSchema(
        {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+[smh]$"}]}
    ),
]


class Requirement(Settings):
    """What nodes must be."""

    key: str
    """Label that is meant, such as `kubernetes.io/arch`."""

    op: Annotated[str, OPERATOR] | None = None
    """How the label's value is compared."""

    vals: list[str] | None = None
    """Values to compare with, in quotes; none for Exists and DoesNotExist."""

    operator: Annotated[str, OPERATOR] | None = None
    """Karpenter's name for op."""

    values: list[str] | None = None
    """Karpenter's name for vals."""

    @model_validator(mode="after")
    def _each_once(self) -> Requirement:
        if (self.op is None) == (self.operator is None):
            raise _fault(
                "does not say once how the label is compared", "op or operator", "write one of them"
            )
        if self.vals is not None and self.values is not None:
            raise _fault("gives values twice", "vals or values", "write one of them")
        return self


class Consolidation(Settings):
    """Whether nodes that are not needed, or could be cheaper, are replaced."""

    enabled: bool
    """True consolidates at once, false never."""


class PoolWords(Settings):
    """What may be said about the pool."""

    requirements: list[Requirement] = []
    """What nodes must be: each has key, op and vals."""

    labels: dict[str, str] = {}
    """Labels of the nodes."""

    annotations: dict[str, str] = {}
    """Annotations of the nodes."""

    taints: list[dict[str, str]] = []
    """Taints of the nodes: each has key, effect and perhaps value."""

    startup_taints: list[dict[str, str]] = []
    """Taints that something else takes off when the node is ready."""

    consolidation: Consolidation | None = None
    """Whether nodes are consolidated, from Karpenter 0.15.0 on."""

    ttl_seconds_after_empty: Annotated[int, SECONDS] | None = None
    """Seconds after which an empty node goes."""

    ttl_seconds_until_expired: Annotated[int, SECONDS] | None = None
    """Seconds after which every node is replaced."""

    disruption: dict[str, Any] | None = None
    """Karpenter's own words for the three above, from 0.32.0 on."""

    expire_after: str | None = None
    """Time after which every node is replaced, such as 720h, from Karpenter 0.32.0 on."""

    termination_grace_period: str | None = None
    """Longest time that a node's pods may take to end, such as 24h, from Karpenter 1.0.0 on."""

    limits: dict[str, Any] = {}
    """What all nodes together may have at most, such as cpu and memory."""

    weight: int | None = None
    """Which of several pools is tried first: the heaviest. From Karpenter 0.16.0 on."""

    @model_validator(mode="after")
    def _one_way_to_go(self) -> PoolWords:
        consolidates = self.consolidation is not None and self.consolidation.enabled
        if consolidates and self.ttl_seconds_after_empty is not None:
            raise _fault(
                "consolidates and waits for ttlSecondsAfterEmpty, which exclude each other",
                "either consolidation.enabled or ttlSecondsAfterEmpty",
                "remove ttlSecondsAfterEmpty: consolidation removes empty nodes too",
            )
        return self


class AddOnSettings(PoolWords):
    """One class and one pool, both named `default`, in the style of the blueprints' add-on. They
    are made only where the block selects both subnets and security groups."""

    provisioner_specs: dict[str, list[str]] = {}
    """The first form of requirements: labels, each with its allowed values."""

    subnet_tags: dict[str, str] = {}
    """Tags that select the nodes' subnets. A comma in a value separates alternatives, and
    `aws-ids` stands for ids."""

    security_group_tags: dict[str, str] = {}
    """Tags that select the nodes' security groups, likewise."""

    ami_alias: str | None = None
    """Image to use, with its version, such as `bottlerocket@v1.34.0`, from Karpenter 1.0.0 on.
    Without it, the newest image of amiFamily is used, and every new one replaces all nodes."""

    ami_family: Annotated[str, AMI_FAMILY] | None = None
    """Family of the image; amiAlias says it too."""

    ami_selector: dict[str, str] = {}
    """Tags that select the image, in place of amiAlias; `aws-ids`, `aws::name` and `aws::owners`
    stand for more."""

    tags: dict[str, str] = {}
    """Tags of what Karpenter launches."""

    node_pool_spec: PoolWords | None = None
    """The last form: all that is about the pool."""

    ec2_node_class_spec: dict[str, Any] | None = None
    """The last form: the class, in Karpenter's own fields."""

    interruption_handling: bool | None = None
    """Whether Karpenter acts on spot interruptions and other events of the nodes. By default the
    cluster's own setting stands."""

    values: dict[str, Any] = {}
    """Values of Karpenter's chart."""

    version: str | None = None
    """Karpenter release to install: the cluster's karpenterVersion."""

    namespace: Annotated[str, NAMESPACE] | None = None
    """Namespace of Karpenter: the cluster's release.namespace."""

    release: str = names.CHART
    """Name of the Helm release; it is always karpenter."""

    repository: Annotated[str, CHART_ADDRESS] | None = None
    """Address of the chart, from 0.17.0 on with the chart's name at its end."""

    helm_chart_timeout: ChartTimeout | None = None
    """Seconds that Helm waits, or a time such as 5m: the cluster's release.timeoutSeconds."""

    install_crds: bool = Field(default=True, alias="installCRDs")
    """Whether the CRDs are installed, which they always are: a release of their own brings them
    where Karpenter has a chart of them."""

    pod_identity: Annotated[bool, POD_IDENTITY] = False
    """Whether EKS Pod Identity gives the controller its role."""


def _fault(problem: str, allowed: str, fix: str) -> PydanticCustomError:
    return PydanticCustomError("fault", problem, {"allowed": allowed, "fix": fix})
