"""What a release has begins and ends with exactly the release that the template changed in."""

from __future__ import annotations

import json

import pytest

from modules.core.catalogue import RELEASES
from tests.iam.baseline import ours

# What to find where; then the last release without it, the first with it, the one after; and,
# where it went again, the last release with it and the first without it.
APPEARS = [
    ("events", "EC2 Spot Instance Interruption", ("0.18.1", "0.19.0", "0.19.1")),
    ("sqs:DeleteMessage", "sqs:GetQueueAttributes", ("0.18.1", "0.19.0", "0.19.1")),
    ("eks:DescribeCluster", "cluster/", ("0.24.0", "0.25.0", "0.26.0")),
    ("AllowScopedDeletion", "provisioner-name", ("0.28.1", "0.29.0", "0.29.1")),
    ("AllowMachineMigrationTagging", "managed-by", ("0.28.1", "0.29.0", "0.29.1")),
    ("AllowGlobalReadActions", "pricing", ("0.28.1", "0.29.0", "0.29.1")),
    ("AllowSSMReadActions", "parameter/aws/service", ("0.30.0", "0.31.0", "0.31.1")),
    (
        "AllowScopedEC2InstanceActionsWithTags",
        "ec2:CreateLaunchTemplate",
        ("0.30.0", "0.31.0", "0.31.1"),
    ),
    ("AllowScopedDeletion", "karpenter.sh/nodepool", ("0.31.5", "0.32.0", "0.32.1")),
    ("AllowScopedInstanceProfileActions", "ec2nodeclass", ("0.31.5", "0.32.0", "0.32.1")),
    (
        "AllowScopedEC2InstanceActionsWithTags",
        "spot-instances-request/",
        ("0.32.10", "0.33.0", "0.33.1"),
    ),
    ("AllowScopedEC2InstanceAccessActions", "subnet/", ("0.33.12", "0.34.0", "0.34.1")),
    ("AllowScopedResourceTagging", "eks:eks-cluster-name", ("0.37.8", "1.0.0", "1.0.1")),
    ("AllowInstanceProfileReadActions", "instance-profile/", ("0.37.8", "1.0.0", "1.0.1")),
    ("AllowPassingInstanceRole", "ec2.amazonaws.com.cn", ("1.0.14", "1.1.0", "1.1.1")),
    ("AllowScopedEC2InstanceAccessActions", "capacity-reservation/", ("1.2.8", "1.3.0", "1.3.1")),
    ("AllowScopedEC2InstanceActionsWithTags", "capacity-reservation/", ("1.2.8", "1.3.0", "1.3.1")),
    ("AllowRegionalReadActions", "CapacityReservations", ("1.2.8", "1.3.0", "1.3.1")),
    ("node policies", "RegistryPullOnly", ("1.3.8", "1.4.0", "1.4.1")),
    ("AllowUnscopedInstanceProfileListAction", "iam:List", ("1.6.8", "1.7.0", "1.7.1")),
    ("events", "EC2 Capacity Reservation", ("1.9.2", "1.10.0", "1.10.1")),
    ("AllowScopedEC2InstanceAccessActions", "placement-group/", ("1.10.2", "1.11.0", "1.11.1")),
    ("AllowRegionalReadActions", "PlacementGroups", ("1.10.2", "1.11.0", "1.11.1")),
    ("AllowZonalShiftStatusReadOnly", "arc-zonal-shift", ("1.11.3", "1.12.0", "1.12.1")),
    ("AllowUnscopedEC2DescribeInstanceStatus", "Status", ("1.11.3", "1.12.0", "1.12.1")),
    ("AllowRegionalReadActions", "InstanceStatus", ("1.12.2", "1.13.0", "1.13.1")),
    ("AllowZonalShiftStatusReadOnly", "ResourceIdentifier", ("1.12.2", "1.13.0", "1.13.1")),
    ("AllowScopedDeletion", "ec2:RebootInstances", ("1.14.2", "1.15.0", "1.15.1")),
]
GOES = [
    ("ec2:CreateFleet", "ssm:GetParameter", ("0.28.1", "0.29.0")),
    ("AllowGlobalReadActions", "pricing", ("0.30.0", "0.31.0")),
    ("AllowScopedEC2LaunchTemplateActions", "ec2:Create", ("0.30.0", "0.31.0")),
    ("AllowMachineMigrationTagging", "managed-by", ("0.31.5", "0.32.0")),
    ("AllowScopedDeletion", "provisioner-name", ("0.31.5", "0.32.0")),
    ("instance profile", "true", ("0.31.5", "0.32.0")),
    ("AllowInterruptionQueueActions", "GetQueueAttributes", ("0.32.10", "0.33.0")),
    ("AllowScopedEC2InstanceActions", "spot-instances-request/", ("0.32.10", "0.33.0")),
    ("AllowScopedEC2InstanceActions", "subnet/", ("0.33.12", "0.34.0")),
    ("AllowRegionalReadActions", "AvailabilityZones", ("1.0.14", "1.1.0")),
    ("node policies", "RegistryReadOnly", ("1.3.8", "1.4.0")),
    ("AllowScopedEC2InstanceActionsWithTags", "capacity-reservation/", ("1.8.8", "1.9.0")),
    ("AllowUnscopedEC2DescribeInstanceStatus", "Status", ("1.12.2", "1.13.0")),
]


def has(version: str, where: str, what: str) -> bool:
    facts = ours(version)
    return what in json.dumps({**facts, **facts["statements"]}.get(where))


@pytest.mark.parametrize(("where", "what", "versions"), APPEARS)
def test_it_appears_with_its_release(where: str, what: str, versions: tuple[str, str, str]) -> None:
    assert [has(version, where, what) for version in versions] == [False, True, True]


@pytest.mark.parametrize(("where", "what", "versions"), GOES)
def test_it_goes_with_its_release(where: str, what: str, versions: tuple[str, str]) -> None:
    assert [has(version, where, what) for version in versions] == [True, False]


def test_the_zonal_shift_group_begins_with_its_statement() -> None:
    with_it = [v for v in RELEASES if has(v, "AllowZonalShiftStatusReadOnly", "arc-zonal-shift")]
    assert with_it[0] == "1.12.0"
    assert with_it == list(RELEASES)[list(RELEASES).index("1.12.0") :]
