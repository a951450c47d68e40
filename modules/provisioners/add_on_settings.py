"""Settings of a class and a pool in the style of the EKS blueprints' add-on."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from modules.core.inputs import Settings
from modules.core.rules import between, one_of

_MOST_SECONDS = 2**31 - 1

OPERATOR = one_of(
    "operator",
    ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
    fix="write In for a list of allowed values",
)
AMI_FAMILY = one_of(
    "ami_family",
    ("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Windows2025"),
    fix="use one of these, or write nodeClasses in Karpenter's own fields",
)
SECONDS = between(
    "seconds",
    0,
    _MOST_SECONDS,
    unit="seconds",
    fix="write the number alone, or leave it out for never",
)


class Requirement(Settings):
    """What nodes must be."""

    key: str
    """Label that is meant, such as `kubernetes.io/arch`."""

    op: Annotated[str, OPERATOR]
    """How the label's value is compared."""

    vals: list[str] = []
    """Values to compare with, in quotes; none for Exists and DoesNotExist."""


class Consolidation(Settings):
    """Whether nodes that are not needed, or could be cheaper, are replaced."""

    enabled: bool
    """True consolidates at once, false never."""


class AddOnSettings(Settings):
    """One class and one pool, both named `default`, in the style of the blueprints' add-on."""

    requirements: list[Requirement] = []
    """What nodes must be: each has key, op and vals."""

    subnet_tags: dict[str, str] = {}
    """Tags that select the nodes' subnets. A comma in a value separates alternatives, and
    `aws-ids` stands for ids. Left out together with securityGroupTags, both are found by their
    discovery tag."""

    security_group_tags: dict[str, str] = {}
    """Tags that select the nodes' security groups, likewise."""

    taints: list[dict[str, str]] = []
    """Taints of the nodes: each has key, effect and perhaps value."""

    startup_taints: list[dict[str, str]] = []
    """Taints that something else takes off when the node is ready."""

    labels: dict[str, str] = {}
    """Labels of the nodes."""

    ami_alias: str | None = None
    """Image to use, with its version, such as `bottlerocket@v1.34.0`. Without it, the newest
    image of amiFamily is used, and every new one replaces all nodes."""

    ami_family: Annotated[str, AMI_FAMILY] | None = None
    """Family of the image; amiAlias says it too."""

    consolidation: Consolidation | None = None
    """Whether nodes are consolidated. By default they are not."""

    ttl_seconds_after_empty: Annotated[int, SECONDS] | None = None
    """Seconds after which an empty node goes. By default none does."""

    ttl_seconds_until_expired: Annotated[int, SECONDS] | None = None
    """Seconds after which every node is replaced. By default none is."""

    weight: int | None = None
    """Which of several pools is tried first: the heaviest."""

    limits: dict[str, Any] = {}
    """What all nodes together may have at most, such as cpu and memory."""

    interruption_handling: bool | None = None
    """Whether Karpenter acts on spot interruptions and other events of the nodes. By default the
    cluster's own setting stands."""

    tags: dict[str, str] = {}
    """Tags of what Karpenter launches."""

    values: dict[str, Any] = {}
    """Values of Karpenter's chart."""

    @model_validator(mode="after")
    def _one_way_to_go(self) -> AddOnSettings:
        consolidates = self.consolidation is not None and self.consolidation.enabled
        if consolidates and self.ttl_seconds_after_empty is not None:
            raise PydanticCustomError(
                "fault",
                "consolidates and waits for ttlSecondsAfterEmpty, which exclude each other",
                {
                    "allowed": "either consolidation.enabled or ttlSecondsAfterEmpty",
                    "fix": "remove ttlSecondsAfterEmpty: consolidation removes empty nodes too",
                },
            )
        return self
