"""What the policies are about, and the ARNs and tag conditions that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from modules.core.expressions import Expr, joined
from modules.core.names import CLUSTER_TAG_PREFIX, EKS_CLUSTER_TAG, REGION_LABEL

Text = str | Expr
Tags = dict[Text, object]
"""Condition keys and what they must be; keys may be expressions."""


@dataclass(frozen=True)
class Facts:
    """The cluster and where it is; any of it may be an expression."""

    cluster_name: Text
    partition: Text
    region: Text
    account_id: Text

    @property
    def cluster_arn(self) -> Text:
        """Of the cluster."""
        return self._arn("eks", self.region, self.account_id, "cluster/", self.cluster_name)

    @property
    def instance_profiles(self) -> Text:
        """All instance profiles of the account."""
        return self._arn("iam", "", self.account_id, "instance-profile/*")

    @property
    def public_parameters(self) -> Text:
        """The parameters in which AWS publishes the ids of its images."""
        return self._arn("ssm", self.region, "", "parameter/aws/service/*")

    def ec2(self, *kinds: str) -> list[Text]:
        """All resources of these kinds, in any account: subnets may be shared ones."""
        return [self._arn("ec2", self.region, "*", f"{kind}/*") for kind in kinds]

    def ec2_public(self, *kinds: str) -> list[Text]:
        """All resources of these kinds, whose ARNs have no account."""
        return [self._arn("ec2", self.region, "", f"{kind}/*") for kind in kinds]

    def owned(self, *where: str, named: bool = False) -> Tags:
        """The tags by which this cluster owns something, in the request or on the resource.

        Args:
            where: `Request`, `Resource` or both.
            named: also with the tag that names the cluster, which only requests carry.
        """
        tags: Tags = {}
        for place in where:
            owner = joined(f"aws:{place}Tag/{CLUSTER_TAG_PREFIX}", self.cluster_name)
            tags[owner] = "owned"
            if named and place == "Request":
                tags[f"aws:{place}Tag/{EKS_CLUSTER_TAG}"] = self.cluster_name
        return tags

    def in_region(self, *where: str) -> Tags:
        """The tag that names this region."""
        return {f"aws:{place}Tag/{REGION_LABEL}": self.region for place in where}

    def _arn(self, service: str, region: Text, account: Text, *resource: Text) -> Text:
        return joined("arn:", self.partition, f":{service}:", region, ":", account, ":", *resource)
