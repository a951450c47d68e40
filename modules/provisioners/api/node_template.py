"""Karpenter's AWSNodeTemplate (karpenter.k8s.aws/v1alpha1): what an EC2NodeClass was before 0.32.

Field names are Karpenter's. Source: the AWSNodeTemplate CRDs of Karpenter 0.14 to 0.32; what its
admission webhook refused besides, by the validation code of 0.27 and 0.31.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import between
from modules.provisioners.api.fields import ANY_TEXT, INT64_MAX, NOT_EMPTY, Quantity
from modules.provisioners.api.marks import Since, admitted, words

INT64 = between("int64", -INT64_MAX - 1, INT64_MAX, unit="units", fix="write a whole number")
ENABLED = words("alpha_enabled", "enabled", "disabled", fix="write enabled or disabled")
TOKENS = words("alpha_tokens", "required", "optional", fix="write required or optional")
HOPS = between("alpha_hops", 1, 64, unit="hops", fix="use 1 or 2")
VOLUME_TYPE = words(
    "alpha_volume_type",
    *("standard", "io1", "io2", "gp2", "sc1", "st1", "gp3"),
    fix="use a type that EC2 has; gp3 suits most nodes",
)
SELECTOR_TEXT = admitted(NOT_EMPTY, ANY_TEXT)

Selector = dict[Annotated[str, SELECTOR_TEXT], Annotated[str, SELECTOR_TEXT]]


class MetadataOptions(Settings):
    """How the instance metadata service answers."""

    http_endpoint: Annotated[str, admitted(ENABLED, ANY_TEXT)] | None = None
    """Whether the service is there. Karpenter's default is enabled."""

    http_protocol_ipv6: Annotated[str, admitted(ENABLED, ANY_TEXT)] | None = Field(
        default=None, alias="httpProtocolIPv6"
    )
    """Whether it answers over IPv6 too. Karpenter's default is disabled."""

    http_put_response_hop_limit: Annotated[int, admitted(HOPS, INT64)] | None = None
    """How many network hops its answers may take. Karpenter's default is 2."""

    http_tokens: Annotated[str, admitted(TOKENS, ANY_TEXT)] | None = None
    """Whether a session token is needed. Karpenter's default is required."""


class Ebs(Settings):
    """An EBS volume of each node."""

    delete_on_termination: bool | None = None
    """Whether the volume goes with its node."""

    encrypted: bool | None = None
    """Whether the volume is encrypted."""

    iops: Annotated[int, INT64] | None = None
    """Operations a second; for gp3, io1 and io2."""

    kms_key_id: str | None = Field(default=None, alias="kmsKeyID")
    """Id, alias or ARN of the key that encrypts the volume."""

    snapshot_id: str | None = Field(default=None, alias="snapshotID")
    """Snapshot that the volume is made from."""

    throughput: Annotated[int, INT64] | None = None
    """MiB a second; for gp3."""

    volume_size: Quantity | None = None
    """Size of the volume."""

    volume_type: Annotated[str, admitted(VOLUME_TYPE, ANY_TEXT)] | None = None
    """Type of the volume."""


class BlockDevice(Settings):
    """A disk of each node."""

    device_name: str | None = None
    """Device name, such as `/dev/xvda`."""

    ebs: Ebs | None = None
    """The EBS volume."""


class AWSNodeTemplateSpec(Settings):
    """The spec of an AWSNodeTemplate."""

    subnet_selector: Selector | None = None
    """Tags of the nodes' subnets; `aws-ids` stands for ids."""

    security_group_selector: Selector | None = None
    """Tags of the nodes' security groups; `aws-ids` stands for ids."""

    ami_family: str | None = None
    """Family of the image; AL2 where it is left out."""

    ami_selector: dict[str, str] | None = None
    """Tags of the images; `aws-ids`, `aws::name` and `aws::owners` stand for more."""

    instance_profile: str | None = None
    """Instance profile of the nodes; by default the controller's own setting."""

    launch_template: str | None = None
    """Name of a launch template of yours, in place of most other fields."""

    user_data: str | None = None
    """What a node runs as it starts."""

    block_device_mappings: list[BlockDevice] | None = None
    """Disks of each node, in place of the family's own."""

    metadata_options: MetadataOptions | None = None
    """How the instance metadata service answers."""

    tags: dict[str, str] | None = None
    """Tags of what Karpenter launches."""

    context: str | None = None
    """Reserved by EC2."""

    detailed_monitoring: Annotated[bool | None, Since("0.23.0")] = None
    """Whether CloudWatch monitors the nodes each minute."""

    api_version: str | None = None
    """Read by nothing."""

    kind: str | None = None
    """Read by nothing."""
