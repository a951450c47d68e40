"""How an EC2NodeClass selects what exists already: images, subnets, groups, reservations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import Rule, pattern
from modules.provisioners.api import codes
from modules.provisioners.api.fields import NOT_EMPTY, SelectorTags, open_pattern
from modules.provisioners.api.marks import Since, stricter, words


def _open(id: str, regex: str, *, allowed: str, fix: str) -> Rule:
    """A rule on ids whose pattern in the CRD is open at its ends."""
    return stricter(
        pattern(id, regex, allowed=allowed, fix=fix),
        codes.OPEN_ID,
        open_pattern(id, regex, allowed=allowed, fix=fix),
    )


AMI_ID = _open(
    "ami_id", r"ami-[0-9a-z]+", allowed="an image id such as ami-0123abcd", fix="give the id"
)
SUBNET_ID = _open(
    "subnet_id",
    r"subnet-[0-9a-z]+",
    allowed="a subnet id such as subnet-0123abcd",
    fix="give the id",
)
GROUP_ID = _open(
    "security_group_id",
    r"sg-[0-9a-z]+",
    allowed="a security group id such as sg-0123abcd",
    fix="give the id; for a name use the key name",
)
RESERVATION_ID = pattern(
    "reservation_id",
    r"cr-[0-9a-z]+",
    allowed="a capacity reservation id such as cr-0123abcd",
    fix="give the id",
)
PLACEMENT_GROUP_ID = pattern(
    "placement_group_id",
    r"pg-[0-9a-z]+",
    allowed="a placement group id such as pg-0123abcd",
    fix="give the id; for a name use the key name",
)
OWNER_ACCOUNT = pattern(
    "owner_account",
    r"[0-9]{12}",
    allowed="an AWS account id: 12 digits in quotes",
    fix="write all 12 digits in quotes, with leading zeros",
)
MATCH_CRITERIA = words("match_criteria", "open", "targeted", fix="write open or targeted")
ALIAS_LENGTH = Rule(
    "alias_length",
    "up to 30 characters",
    "write it like al2023@v20250101",
    check=lambda value: len(value) <= 30,
    condition="length({v}) <= 30",
    json_schema={"maxLength": 30},
)


class SubnetTerm(Settings):
    """Subnets that nodes may be in; subnets of any term count."""

    id: Annotated[str, SUBNET_ID] | None = None
    """Id of one subnet; stands alone in its term."""

    tags: SelectorTags | None = None
    """Tags that the subnets carry; `*` stands for any value."""


class SecurityGroupTerm(Settings):
    """Security groups of the nodes; groups of all terms are attached."""

    id: Annotated[str, GROUP_ID] | None = None
    """Id of one group; stands alone in its term."""

    name: str | None = None
    """Name of one group (its GroupName, not its Name tag); stands alone in its term."""

    tags: SelectorTags | None = None
    """Tags that the groups carry; `*` stands for any value."""


class AmiTerm(Settings):
    """Images that nodes may start from; the newest that fits is used."""

    alias: Annotated[str, ALIAS_LENGTH] | None = None
    """Family and version of an EKS image, such as `al2023@v20250101`; the only term."""

    id: Annotated[str, AMI_ID] | None = None
    """Id of one image; stands alone in its term."""

    name: str | None = None
    """Name of the images; may hold `*`."""

    owner: str | None = None
    """Account or alias that owns the images; goes with name or tags."""

    tags: SelectorTags | None = None
    """Tags that the images carry; `*` stands for any value."""

    ssm_parameter: Annotated[str | None, Since("1.4.0")] = None
    """Name or ARN of an SSM parameter that holds an image id."""


class ReservationTerm(Settings):
    """Capacity reservations that nodes may use."""

    id: Annotated[str, RESERVATION_ID] | None = None
    """Id of one reservation; stands alone in its term."""

    owner_id: Annotated[str, OWNER_ACCOUNT] | None = Field(default=None, alias="ownerID")
    """Account that owns the reservations; goes with tags."""

    tags: SelectorTags | None = None
    """Tags that the reservations carry; `*` stands for any value."""

    instance_match_criteria: Annotated[Annotated[str, MATCH_CRITERIA] | None, Since("1.8.0")] = None
    """Which way the reservations match instances."""


class PlacementGroup(Settings):
    """The placement group of the nodes, by name or id."""

    id: Annotated[str, PLACEMENT_GROUP_ID] | None = None
    """Id of the group."""

    name: Annotated[str, NOT_EMPTY] | None = None
    """Name of the group."""
