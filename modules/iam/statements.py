"""What the controller may do: a table of statements for each group, for one release.

The groups, statements, their sids and contents are those that Karpenter's CloudFormation template
has for exactly this release (its reference page explains each). Upstream has split the policy
into groups since 1.9; here every release is split so: the whole outgrows a managed policy where
the cluster's name is long, and addresses do not move on the way to 1.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from modules.core.catalogue import Capability, Release
from modules.core.names import (
    CHINA_SUFFIX,
    EC2_PRINCIPAL,
    EKS_CLUSTER_TAG,
    NODE_CLAIM_TAG,
    NODE_CLASS_LABEL,
    NODE_POOL_LABEL,
)
from modules.iam.facts import Facts, Tags, Text

Statement = dict[str, object]
T = TypeVar("T")

ANY = ["*"]
ZONAL_SHIFT_RESOURCE = "arc-zonal-shift:ResourceIdentifier"


def node_lifecycle(release: Release, facts: Facts) -> list[Statement]:
    """Launching, tagging and terminating nodes, each only with this cluster's tags."""
    of_a_pool: Tags = {f"aws:ResourceTag/{NODE_POOL_LABEL}": "*"}
    for_a_pool: Tags = {f"aws:RequestTag/{NODE_POOL_LABEL}": "*"}
    launched = facts.ec2(
        "fleet",
        "instance",
        "volume",
        "network-interface",
        "launch-template",
        "spot-instances-request",
    )
    return [
        _allow(
            "AllowScopedEC2InstanceAccessActions",
            ["ec2:RunInstances", "ec2:CreateFleet"],
            [
                *facts.ec2_public("image", "snapshot"),
                *facts.ec2("security-group", "subnet"),
                *_if(release, Capability.CAPACITY_RESERVATIONS, *facts.ec2("capacity-reservation")),
                *_if(release, Capability.PLACEMENT_GROUPS, *facts.ec2("placement-group")),
            ],
        ),
        _allow(
            "AllowScopedEC2LaunchTemplateAccessActions",
            ["ec2:RunInstances", "ec2:CreateFleet"],
            facts.ec2("launch-template"),
            {"StringEquals": facts.owned("Resource"), "StringLike": of_a_pool},
        ),
        _allow(
            "AllowScopedEC2InstanceActionsWithTags",
            ["ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"],
            [
                *launched,
                *_if(
                    release,
                    Capability.CAPACITY_RESERVATIONS_BY_TAG,
                    *facts.ec2("capacity-reservation"),
                ),
            ],
            {"StringEquals": facts.owned("Request", named=True), "StringLike": for_a_pool},
        ),
        _allow(
            "AllowScopedResourceCreationTagging",
            ["ec2:CreateTags"],
            launched,
            {
                "StringEquals": {
                    **facts.owned("Request", named=True),
                    "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"],
                },
                "StringLike": for_a_pool,
            },
        ),
        _allow(
            "AllowScopedResourceTagging",
            ["ec2:CreateTags"],
            facts.ec2("instance"),
            {
                "StringEquals": facts.owned("Resource"),
                "StringLike": of_a_pool,
                "StringEqualsIfExists": {f"aws:RequestTag/{EKS_CLUSTER_TAG}": facts.cluster_name},
                "ForAllValues:StringEquals": {
                    "aws:TagKeys": [EKS_CLUSTER_TAG, NODE_CLAIM_TAG, "Name"]
                },
            },
        ),
        _allow(
            "AllowScopedDeletion",
            [
                "ec2:TerminateInstances",
                *_if(release, Capability.REBOOT, "ec2:RebootInstances"),
                "ec2:DeleteLaunchTemplate",
            ],
            facts.ec2("instance", "launch-template"),
            {"StringEquals": facts.owned("Resource"), "StringLike": of_a_pool},
        ),
    ]


def iam_integration(release: Release, facts: Facts, node_role_arn: Text) -> list[Statement]:
    """Passing the nodes' role to EC2, and the instance profiles that carry it."""
    china = _if(release, Capability.PASS_ROLE_IN_CHINA, EC2_PRINCIPAL + CHINA_SUFFIX)
    of_a_class: Tags = {f"aws:ResourceTag/{NODE_CLASS_LABEL}": "*"}
    for_a_class: Tags = {f"aws:RequestTag/{NODE_CLASS_LABEL}": "*"}
    return [
        _allow(
            "AllowPassingInstanceRole",
            ["iam:PassRole"],
            [node_role_arn],
            {"StringEquals": {"iam:PassedToService": [EC2_PRINCIPAL, *china]}},
        ),
        _allow(
            "AllowScopedInstanceProfileCreationActions",
            ["iam:CreateInstanceProfile"],
            [facts.instance_profiles],
            {
                "StringEquals": {
                    **facts.owned("Request", named=True),
                    **facts.in_region("Request"),
                },
                "StringLike": for_a_class,
            },
        ),
        _allow(
            "AllowScopedInstanceProfileTagActions",
            ["iam:TagInstanceProfile"],
            [facts.instance_profiles],
            {
                "StringEquals": {
                    **facts.owned("Resource", "Request", named=True),
                    **facts.in_region("Resource", "Request"),
                },
                "StringLike": {**of_a_class, **for_a_class},
            },
        ),
        _allow(
            "AllowScopedInstanceProfileActions",
            [
                "iam:AddRoleToInstanceProfile",
                "iam:RemoveRoleFromInstanceProfile",
                "iam:DeleteInstanceProfile",
            ],
            [facts.instance_profiles],
            {
                "StringEquals": {**facts.owned("Resource"), **facts.in_region("Resource")},
                "StringLike": of_a_class,
            },
        ),
    ]


def eks_integration(_: Release, facts: Facts) -> list[Statement]:
    """Finding the cluster's endpoint."""
    return [_allow("AllowAPIServerEndpointDiscovery", ["eks:DescribeCluster"], [facts.cluster_arn])]


def interruption(_: Release, queue_arn: Text) -> list[Statement]:
    """Reading the interruption queue."""
    actions = ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"]
    return [_allow("AllowInterruptionQueueActions", actions, [queue_arn])]


def zonal_shift(release: Release, facts: Facts) -> list[Statement]:
    """Reading whether a zone is shifted away from; empty before a release that does."""
    sid, actions = "AllowZonalShiftStatusReadOnly", ["arc-zonal-shift:GetManagedResource"]
    if release.has(Capability.ZONAL_SHIFT_BY_CONDITION):
        this_cluster: Tags = {ZONAL_SHIFT_RESOURCE: facts.cluster_arn}
        return [_allow(sid, actions, ANY, {"StringEquals": this_cluster})]
    if release.has(Capability.ZONAL_SHIFT):
        return [_allow(sid, actions, [facts.cluster_arn])]
    return []


def resource_discovery(release: Release, facts: Facts) -> list[Statement]:
    """Reading what EC2 offers in this region, at which price, with which image."""
    reads = [
        *_if(release, Capability.AVAILABILITY_ZONES_READ, "AvailabilityZones"),
        *_if(release, Capability.CAPACITY_RESERVATIONS, "CapacityReservations"),
        "Images",
        "Instances",
        *_if(release, Capability.INSTANCE_STATUS_IN_REGION, "InstanceStatus"),
        "InstanceTypeOfferings",
        "InstanceTypes",
        "LaunchTemplates",
        *_if(release, Capability.PLACEMENT_GROUPS, "PlacementGroups"),
        "SecurityGroups",
        "SpotPriceHistory",
        "Subnets",
    ]
    return [
        _allow(
            "AllowRegionalReadActions",
            [f"ec2:Describe{read}" for read in reads],
            ANY,
            {"StringEquals": {"aws:RequestedRegion": facts.region}},
        ),
        _allow("AllowSSMReadActions", ["ssm:GetParameter"], [facts.public_parameters]),
        _allow("AllowPricingReadActions", ["pricing:GetProducts"], ANY),
        *_if(
            release,
            Capability.INSTANCE_PROFILES_LIST,
            _allow("AllowUnscopedInstanceProfileListAction", ["iam:ListInstanceProfiles"], ANY),
        ),
        _allow(
            "AllowInstanceProfileReadActions", ["iam:GetInstanceProfile"], [facts.instance_profiles]
        ),
        *_if(
            release,
            Capability.INSTANCE_STATUS_ANYWHERE,
            _allow("AllowUnscopedEC2DescribeInstanceStatus", ["ec2:DescribeInstanceStatus"], ANY),
        ),
    ]


def _if(release: Release, capability: Capability, *items: T) -> Iterator[T]:
    """The items, where the release has the capability."""
    return iter(items if release.has(capability) else ())


def _allow(
    sid: str,
    actions: Sequence[str],
    resources: Sequence[Text],
    condition: Mapping[str, Tags] | None = None,
) -> Statement:
    statement: Statement = {
        "Sid": sid,
        "Effect": "Allow",
        "Action": list(actions),
        "Resource": list(resources),
    }
    return statement if condition is None else {**statement, "Condition": condition}
