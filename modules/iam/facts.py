"""What the policies are about, and what the names in their table stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from modules.core.expressions import Expr, joined
from modules.core.names import (
    CLUSTER_TAG_PREFIX,
    EC2_PRINCIPAL,
    EKS_CLUSTER_TAG,
    NODE_CLAIM_TAG,
    NODE_CLASS_LABEL,
    NODE_POOL_LABEL,
    PROVISIONER_LABEL,
    REGION_LABEL,
)

Text = str | Expr
Words = Mapping[str, Text]
"""What the names of facts stand for."""

SHORT: Final = {
    "cluster": "arn:{partition}:eks:{region}:{account_id}:cluster/{cluster_name}",
    "instance_profiles": "arn:{partition}:iam::{account_id}:instance-profile/*",
    # The parameters in which AWS publishes the ids of its images.
    "public_parameters": "arn:{partition}:ssm:{region}::parameter/aws/service/*",
    # In any account: subnets may be shared ones.
    "ec2": "arn:{partition}:ec2:{region}:*:",
    # ARNs of images and snapshots have no account.
    "ec2_public": "arn:{partition}:ec2:{region}::",
    "ec2_service": EC2_PRINCIPAL,
    "owner": f"{CLUSTER_TAG_PREFIX}{{cluster_name}}",
    "eks_cluster": EKS_CLUSTER_TAG,
    "node_pool": NODE_POOL_LABEL,
    "node_class": NODE_CLASS_LABEL,
    "node_claim": NODE_CLAIM_TAG,
    "provisioner": PROVISIONER_LABEL,
    "region_label": REGION_LABEL,
}
"""Names in the table of statements that stand for a text, in which facts may be named."""

_NAME = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Facts:
    """The cluster and where it is; any of it may be an expression."""

    cluster_name: Text
    partition: Text
    region: Text
    account_id: Text

    def words(self, *, node_role_arn: Text = "", queue_arn: Text = "") -> Words:
        """The facts by name.

        Args:
            node_role_arn, queue_arn: needed only for the groups that speak of them.
        """
        return {
            "cluster_name": self.cluster_name,
            "partition": self.partition,
            "region": self.region,
            "account_id": self.account_id,
            "node_role": node_role_arn,
            "queue": queue_arn,
        }


def filled(text: str, words: Words) -> Text:
    """A text of the table with what its names in braces stand for.

    Raises:
        KeyError: a name stands for nothing.
    """
    written_out = _NAME.sub(lambda name: SHORT.get(name[1], name[0]), text)
    split = enumerate(_NAME.split(written_out))
    parts = [words[part] if at % 2 else part for at, part in split if at % 2 or part]
    # What a name alone stands for stays as it is; joined, an expression becomes a text around it.
    return parts[0] if len(parts) == 1 else joined(*parts)
