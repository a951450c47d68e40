"""Karpenter's EC2NodeClass in v1beta1: as v1, with families of images instead of aliases.

Field names are Karpenter's. Source: the EC2NodeClass CRDs of Karpenter 0.32 to 1.0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import Rule
from modules.provisioners.api import codes
from modules.provisioners.api.fields import SelectorTags, Tags, size
from modules.provisioners.api.instances import SIZE, SIZE_OF_API, HopLimit
from modules.provisioners.api.instances import BlockDevice as StableBlockDevice
from modules.provisioners.api.instances import Ebs as StableEbs
from modules.provisioners.api.instances import MetadataOptions as StableMetadataOptions
from modules.provisioners.api.marks import Default, Since, dated, stricter, words
from modules.provisioners.api.node_class import (
    INSTANCE_STORE_POLICY,
    METADATA_DEFAULTS,
    NODE_ROLE,
    PROFILE_NAME,
    terms,
)
from modules.provisioners.api.selectors import AMI_ID, SecurityGroupTerm, SubnetTerm

AMI_FAMILY = words(
    "ami_family_beta",
    "AL2",
    "Bottlerocket",
    "Ubuntu",
    "Custom",
    "Windows2019",
    "Windows2022",
    fix="name the family that the images belong to; Custom leaves user data to you",
    newer={"AL2023": "0.35.0"},
)


def _text(rule: Rule) -> Rule:
    """A rule on text, for a place where numbers could stand as well."""
    check: Callable[[Any], bool] = rule.check
    return replace(
        rule,
        id="volume_size_beta",
        check=lambda value: isinstance(value, str) and check(value),
        condition=(rule.condition or "").replace("{v}", "tostring({v})"),
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


VOLUME_SIZE = dated(
    (
        "0.32.0",
        replace(
            _text(SIZE),
            check=lambda value: _is_whole(value) or _text(SIZE).check(value),
            condition=f"can(tonumber({{v}})) || {_text(SIZE).condition}",
        ),
    ),
    ("0.37.0", stricter(_text(SIZE), codes.VOLUME_SIZE, _text(SIZE_OF_API))),
)


class AmiTerm(Settings):
    """Images that nodes may start from, instead of the newest one of the family."""

    id: Annotated[str, AMI_ID] | None = None
    """Id of one image; stands alone in its term."""

    name: str | None = None
    """Name of the images; may hold `*`."""

    owner: str | None = None
    """Account or alias that owns the images; goes with name or tags."""

    tags: SelectorTags | None = None
    """Tags that the images carry; `*` stands for any value."""


class Ebs(StableEbs):
    """An EBS volume of each node."""

    volume_size: Annotated[Any, VOLUME_SIZE] | None = None
    """Size of the volume."""


class BlockDevice(StableBlockDevice):
    """A disk of each node."""

    ebs: Ebs | None = None
    """The EBS volume."""


class MetadataOptions(StableMetadataOptions):
    """How the instance metadata service answers."""

    http_put_response_hop_limit: Annotated[HopLimit | None, Default(2)] = None
    """How many hops an answer goes; 2, Karpenter's default, lets pods ask as well."""


class EC2NodeClassSpec(Settings):
    """The spec of an EC2NodeClass."""

    ami_family: Annotated[str, AMI_FAMILY]
    """Family of the images."""

    subnet_selector_terms: Annotated[list[SubnetTerm], terms("subnet_terms")]
    """Subnets that nodes may be in."""

    security_group_selector_terms: Annotated[list[SecurityGroupTerm], terms("group_terms")]
    """Security groups of the nodes."""

    ami_selector_terms: Annotated[list[AmiTerm], terms("ami_terms")] | None = None
    """Images that nodes may start from; the family's newest where left out."""

    role: Annotated[str, NODE_ROLE] | None = None
    """Name of the nodes' IAM role; Karpenter makes the instance profile."""

    instance_profile: Annotated[Annotated[str, PROFILE_NAME] | None, Since("0.32.2")] = None
    """Name of a ready instance profile, instead of role."""

    tags: Tags | None = None
    """Tags of the instances, volumes and launch templates."""

    user_data: str | None = None
    """User data, merged with Karpenter's own (Custom: used as it is)."""

    block_device_mappings: (
        Annotated[list[BlockDevice], size("devices", 0, 50, unit="devices", fix="remove some")]
        | None
    ) = None
    """Disks of each node; they replace the family's default disks."""

    instance_store_policy: Annotated[
        Annotated[str, INSTANCE_STORE_POLICY] | None, Since("0.34.0")
    ] = None
    """What to do with local NVMe disks."""

    metadata_options: Annotated[
        MetadataOptions | None,
        Default({**METADATA_DEFAULTS, "httpPutResponseHopLimit": 2}),
        Default(METADATA_DEFAULTS, since="1.0.0"),
    ] = None
    """How the instance metadata service answers."""

    associate_public_ip_address: Annotated[bool | None, Since("0.35.0")] = Field(
        default=None, alias="associatePublicIPAddress"
    )
    """Whether nodes get a public IPv4 address, whatever their subnet says."""

    detailed_monitoring: bool | None = None
    """Whether CloudWatch measures the instances each minute."""

    context: str | None = None
    """Reserved context string of EC2 Fleet; few accounts have one."""
