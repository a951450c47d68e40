"""No policy outgrows IAM's limits, for any legal name, region and partition."""

from __future__ import annotations

import botocore.session
import pytest

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.iam import node, policy, queue, trust
from modules.iam.facts import Facts
from tests.iam.baseline import ACCOUNT, all_groups

# The longest region of each partition.
REGIONS = {
    "aws": "ap-southeast-1",
    "aws-cn": "cn-northwest-1",
    "aws-us-gov": "us-gov-east-1",
    "aws-iso": "us-iso-east-1",
    "aws-iso-b": "us-isob-east-1",
    "aws-iso-e": "eu-isoe-west-1",
    "aws-iso-f": "us-isof-south-1",
    "aws-eusc": "eusc-de-east-1",
}
LENGTHS = [1, 17, 46, 100]
MAX_QUEUE_POLICY = 8192
"""Bytes (SQS policy quotas)."""


@pytest.mark.parametrize("partition", botocore.session.get_session().get_available_partitions())
def test_the_table_has_the_longest_region(partition: str) -> None:
    session = botocore.session.get_session()
    regions = session.get_available_regions("ec2", partition, allow_non_regional=False)
    assert max(map(len, regions), default=0) <= len(REGIONS[partition])


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("partition", REGIONS)
def test_every_policy_of_every_release_fits(partition: str, length: int) -> None:
    region = REGIONS[partition]
    facts = Facts("n" * length, partition, region, ACCOUNT)
    role = f"arn:{partition}:iam::{ACCOUNT}:role/{'p' * 510}/{'r' * 64}"
    queue_arn = f"arn:{partition}:sqs:{region}:{ACCOUNT}:{'q' * 80}"
    sizes = {
        (version, group.id): policy.size(group.document)
        for version, release in RELEASES.items()
        for group in all_groups(release, facts, role, queue_arn)
    }
    assert max(sizes.values()) < policy.MAX_POLICY_SIZE, max(sizes.items(), key=lambda s: s[1])


def test_the_policies_together_would_not_fit() -> None:
    """Why they are split for every release: the reason would be gone if this failed."""
    facts = Facts("n" * 46, "aws", REGIONS["aws"], ACCOUNT)
    groups = all_groups(RELEASES["1.8.8"], facts)
    whole = [statement for group in groups for statement in group.document["Statement"]]
    assert policy.size({"Version": "2012-10-17", "Statement": whole}) > policy.MAX_POLICY_SIZE


@pytest.mark.parametrize("partition", REGIONS)
def test_trusts_and_other_documents_fit(partition: str) -> None:
    host = f"oidc.eks.{REGIONS[partition]}.{'d' * 40}/id/{'0' * 32}"
    provider = f"arn:{partition}:iam::{ACCOUNT}:oidc-provider/{host}"
    controller = trust.service_account(provider, host, "n" * 63, "s" * 253)
    assert policy.size(controller) < policy.MAX_TRUST_SIZE
    assert policy.size(trust.ec2(partition)) < policy.MAX_TRUST_SIZE
    assert policy.size(node.ipv6_cni_policy(partition)) < policy.MAX_POLICY_SIZE
    arn = f"arn:{partition}:sqs:{REGIONS[partition]}:{ACCOUNT}:{'q' * 80}"
    assert policy.size(queue.policy(arn)) < MAX_QUEUE_POLICY


def test_white_space_between_tokens_does_not_count() -> None:
    assert policy.size({"Version": "1", "Statement": [1, 2]}) == len(
        '{"Version":"1","Statement":[1,2]}'
    )


def test_the_size_of_an_expression_is_not_guessed() -> None:
    with pytest.raises(TypeError):
        policy.size({"Statement": Expr("var.statements")})
