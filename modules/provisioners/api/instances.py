"""What an EC2NodeClass says of the instances: disks, metadata service, network, processor."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import Rule, between, pattern
from modules.provisioners.api import codes
from modules.provisioners.api.fields import INT64_MAX, at_least
from modules.provisioners.api.marks import Default, Since, stricter, words

VOLUME_TYPE = words(
    "volume_type",
    "standard",
    "io1",
    "io2",
    "gp2",
    "sc1",
    "st1",
    "gp3",
    fix="write the type in lower case; gp3 suits most nodes",
)
ENABLED = words("enabled", "enabled", "disabled", fix="write the word, not true or false")
HTTP_TOKENS = words(
    "http_tokens", "required", "optional", fix="use required, which means IMDSv2 only"
)
INTERFACE_TYPE = words("interface_type", "interface", "efa-only", fix="write one of the two")
_GI = r"([1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi"
_G = r"([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G"
# The CRD leaves out 18Ti, 19Ti, 28Ti … between 10Ti and 57Ti; so must this.
_TI, _T = r"([1-9]|[1-5][0-7]|58)", r"([1-9]|[1-5][0-9]|6[0-3]|64)"
_SIZE_ALLOWED = 'a size from 1Gi to 59000Gi, such as "100Gi"'
_SIZE_FIX = "write whole Gi; sizes in Ti have gaps in Karpenter's own rule"
SIZE = pattern("volume_size", f"{_GI}|{_G}|{_TI}Ti|{_T}T", allowed=_SIZE_ALLOWED, fix=_SIZE_FIX)
SIZE_OF_API = pattern(
    # Branches of its pattern are empty.
    "volume_size",
    f"{_GI}|{_G}|{_TI}?Ti|{_T}?T",
    allowed=_SIZE_ALLOWED,
    fix=_SIZE_FIX,
)
VOLUME_SIZE = stricter(SIZE, codes.VOLUME_SIZE, SIZE_OF_API)
PORT_INDEX = at_least("interface_index", 0, unit="the index", fix="count from 0")
WHOLE = Rule(
    "whole_number",
    "a whole number",
    "write digits, without quotes",
    check=lambda value: -INT64_MAX - 1 <= value <= INT64_MAX,
    condition="floor({v}) == {v}",
)


class Ebs(Settings):
    """An EBS volume of each node."""

    delete_on_termination: bool | None = None
    """Whether the volume goes with its node."""

    encrypted: bool | None = None
    """Whether the volume is encrypted."""

    iops: Annotated[int, WHOLE] | None = None
    """Operations a second; for gp3, io1 and io2."""

    kms_key_id: str | None = Field(default=None, alias="kmsKeyID")
    """Id, alias or ARN of the key that encrypts the volume."""

    snapshot_id: str | None = Field(default=None, alias="snapshotID")
    """Snapshot that the volume is made from."""

    throughput: Annotated[int, WHOLE] | None = None
    """MiB a second; for gp3."""

    volume_initialization_rate: Annotated[
        Annotated[
            int,
            between("initialization_rate", 100, 300, unit="MiB a second", fix="use 100 to 300"),
        ]
        | None,
        Since("1.5.0"),
    ] = None
    """MiB a second at which the snapshot is copied to the volume."""

    volume_size: Annotated[str, VOLUME_SIZE] | None = None
    """Size of the volume."""

    volume_type: Annotated[str, VOLUME_TYPE] | None = None
    """Type of the volume."""


class BlockDevice(Settings):
    """A disk of each node."""

    device_name: str | None = None
    """Device name, such as `/dev/xvda`."""

    ebs: Ebs | None = None
    """The EBS volume."""

    root_volume: bool | None = None
    """Whether it counts as the root volume when ephemeral storage is reckoned."""


HopLimit = Annotated[int, between("hop_limit", 1, 64, unit="hops", fix="use 1 or 2")]


class MetadataOptions(Settings):
    """How the instance metadata service answers."""

    http_endpoint: Annotated[Annotated[str, ENABLED] | None, Default("enabled")] = None
    """Whether the service is there. Karpenter's default is enabled."""

    http_protocol_ipv6: Annotated[Annotated[str, ENABLED] | None, Default("disabled")] = Field(
        default=None, alias="httpProtocolIPv6"
    )
    """Whether it has an IPv6 address. Karpenter's default is disabled."""

    http_put_response_hop_limit: Annotated[HopLimit | None, Default(1)] = None
    """How many hops an answer goes; 1, Karpenter's default, keeps it from pods."""

    http_tokens: Annotated[Annotated[str, HTTP_TOKENS] | None, Default("required")] = None
    """Whether a session token is needed. Karpenter's default is required (IMDSv2)."""


class NetworkInterface(Settings):
    """A network interface of each node."""

    network_card_index: Annotated[int, PORT_INDEX]
    """Which network card it is on, from 0."""

    device_index: Annotated[int, PORT_INDEX]
    """Which device it is, from 0."""

    interface_type: Annotated[str, INTERFACE_TYPE]
    """An ordinary interface, or one for EFA only."""


class ConnectionTracking(Settings):
    """How long security groups remember idle connections, in seconds."""

    tcp_established_timeout: (
        Annotated[int, between("tcp_timeout", 60, 432000, unit="seconds", fix="use 60 to 432000")]
        | None
    ) = None
    """Seconds for established TCP connections."""

    udp_stream_timeout: (
        Annotated[int, between("udp_stream", 60, 180, unit="seconds", fix="use 60 to 180")] | None
    ) = None
    """Seconds for UDP flows with more than one request and answer."""

    udp_timeout: (
        Annotated[int, between("udp_timeout", 30, 60, unit="seconds", fix="use 30 to 60")] | None
    ) = None
    """Seconds for UDP flows in one direction or with a single exchange."""


class CpuOptions(Settings):
    """Options of the processor."""

    nested_virtualization: Annotated[str, ENABLED] | None = None
    """Whether virtual machines may run on the node."""


class EnclaveOptions(Settings):
    """Nitro Enclaves on the nodes."""

    enabled: bool
    """Whether enclaves may run; true leaves only instance types that have them."""
