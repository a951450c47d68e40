"""Karpenter's EC2NodeClass (karpenter.k8s.aws/v1): the AWS side of the nodes.

Field names are Karpenter's. Source: the EC2NodeClass CRDs of Karpenter 1.0 to 1.14; what
1.15 adds is in its documentation.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import ROLE_NAME, Rule, pattern
from modules.provisioners.api import codes
from modules.provisioners.api.fields import NOT_EMPTY, Tags, at_least, size
from modules.provisioners.api.instances import (
    BlockDevice,
    ConnectionTracking,
    CpuOptions,
    EnclaveOptions,
    MetadataOptions,
    NetworkInterface,
)
from modules.provisioners.api.kubelet import Kubelet
from modules.provisioners.api.marks import Default, OpenFrom, Since, stricter, words
from modules.provisioners.api.selectors import (
    AmiTerm,
    PlacementGroup,
    ReservationTerm,
    SecurityGroupTerm,
    SubnetTerm,
)

AMI_FAMILY = words(
    "ami_family",
    "AL2",
    "AL2023",
    "Bottlerocket",
    "Custom",
    "Windows2019",
    "Windows2022",
    fix="name the family that the images belong to; Custom leaves user data to you",
    newer={"Windows2025": "1.9.0"},
)
INSTANCE_STORE_POLICY = words("instance_store_policy", "RAID0", fix="write RAID0, or leave it out")
PROFILE_NAME = stricter(
    pattern(
        "instance_profile",
        r"[0-9A-Za-z+=,.@_-]{1,128}",
        allowed="the name of an instance profile (no ARN, no path): 1 to 128 letters, digits and "
        "+ = , . @ _ -",
        fix="give the name alone; Karpenter cannot use profiles with a path",
    ),
    codes.IDENTITY_NAME,
    NOT_EMPTY,
)
NODE_ROLE = stricter(
    Rule(
        "node_role",
        "the name of an IAM role (no ARN, no path): 1 to 64 letters, digits and + = , . @ _ -",
        "give the name alone; Karpenter cannot use roles with a path",
        check=ROLE_NAME.check,
        condition=ROLE_NAME.condition,
        json_schema=ROLE_NAME.json_schema,
    ),
    codes.IDENTITY_NAME,
    NOT_EMPTY,
)
METADATA_DEFAULTS = {
    "httpEndpoint": "enabled",
    "httpProtocolIPv6": "disabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}
PREFIXES = at_least("prefixes", 0, unit="prefixes", fix="use 0 or more")


def terms(name: str) -> Rule:
    """How many terms a list of them may hold."""
    return size(name, 1, 30, unit="terms", fix="give at least one term")


def _any_mapping(schema: dict[str, Any]) -> None:
    """Lets editors accept the open kubelet of newer releases, and still offer the known keys."""
    schema["anyOf"] = [*schema.get("anyOf", []), {"type": "object"}]


class EC2NodeClassSpec(Settings):
    """The spec of an EC2NodeClass."""

    ami_selector_terms: Annotated[list[AmiTerm], terms("ami_terms")]
    """Images that nodes may start from."""

    subnet_selector_terms: Annotated[list[SubnetTerm], terms("subnet_terms")]
    """Subnets that nodes may be in."""

    security_group_selector_terms: Annotated[list[SecurityGroupTerm], terms("group_terms")]
    """Security groups of the nodes."""

    capacity_reservation_selector_terms: Annotated[
        Annotated[list[ReservationTerm], terms("reservation_terms")] | None, Since("1.3.0")
    ] = None
    """Capacity reservations that nodes may use."""

    ami_family: Annotated[str, AMI_FAMILY] | None = None
    """Family of the images; needed where no alias names it."""

    role: Annotated[str, NODE_ROLE] | None = None
    """Name of the nodes' IAM role; Karpenter makes the instance profile."""

    instance_profile: Annotated[str, PROFILE_NAME] | None = None
    """Name of a ready instance profile, instead of role."""

    tags: Tags | None = None
    """Tags of the instances, volumes and launch templates."""

    user_data: str | None = None
    """User data, merged with Karpenter's own (Custom: used as it is)."""

    kubelet: Annotated[Kubelet | None, OpenFrom("1.15.0")] = Field(
        default=None, json_schema_extra=_any_mapping
    )
    """Settings of the kubelet on each node."""

    block_device_mappings: (
        Annotated[list[BlockDevice], size("devices", 0, 50, unit="devices", fix="remove some")]
        | None
    ) = None
    """Disks of each node; they replace the family's default disks."""

    instance_store_policy: Annotated[str, INSTANCE_STORE_POLICY] | None = None
    """What to do with local NVMe disks."""

    metadata_options: Annotated[MetadataOptions | None, Default(METADATA_DEFAULTS)] = None
    """How the instance metadata service answers."""

    associate_public_ip_address: bool | None = Field(default=None, alias="associatePublicIPAddress")
    """Whether nodes get a public IPv4 address, whatever their subnet says."""

    detailed_monitoring: bool | None = None
    """Whether CloudWatch measures the instances each minute."""

    context: str | None = None
    """Reserved context string of EC2 Fleet; few accounts have one."""

    ip_prefix_count: Annotated[Annotated[int, PREFIXES] | None, Since("1.8.0")] = None
    """How many IP prefixes the primary interface gets."""

    network_interfaces: Annotated[
        Annotated[
            list[NetworkInterface],
            size("interfaces", 0, 150, unit="interfaces", fix="remove some"),
        ]
        | None,
        Since("1.11.0"),
    ] = None
    """Network interfaces of each node; one of them is the primary one."""

    placement_group_selector: Annotated[PlacementGroup | None, Since("1.11.0")] = None
    """The placement group of the nodes."""

    connection_tracking: Annotated[ConnectionTracking | None, Since("1.13.0")] = None
    """How long security groups remember idle connections."""

    cpu_options: Annotated[CpuOptions | None, Since("1.13.0")] = None
    """Options of the processor."""

    enclave_options: Annotated[EnclaveOptions | None, Since("1.15.0")] = None
    """Nitro Enclaves on the nodes."""
