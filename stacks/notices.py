"""What is worth a word about a cluster that is all right."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core import names
from modules.core.catalogue import RELEASES
from modules.provisioners import checks as provisioner_checks
from stacks import spot
from stacks.settings import ClusterSettings
from stacks.wiring import provisioner_settings


def notices(cluster: ClusterSettings) -> list[str]:
    """One text each, for a cluster that `check_cluster` finds no fault in."""
    return [*_spot(cluster), *_token(cluster), *_provisioners(cluster)]


def _spot(cluster: ClusterSettings) -> Iterator[str]:
    if pools := spot.pools_with_spot(cluster.node_pools):
        yield (
            f"nodePools: {', '.join(pools)} may launch spot instances, which takes a role of the "
            "account. If it never ran any, make the role once: `aws iam "
            f"create-service-linked-role --aws-service-name {names.SPOT_SERVICE_LINKED_ROLE}`"
        )


def _token(cluster: ClusterSettings) -> Iterator[str]:
    if cluster.assume_role and cluster.assume_role.external_id is not None:
        yield (
            "assumeRole.externalId reaches Terraform, but not Helm: `aws eks get-token` cannot "
            "pass an external ID. If the role insists on one, leave assumeRole out and name a "
            "profile that has role_arn and external_id."
        )


def _provisioners(cluster: ClusterSettings) -> list[str]:
    settings = provisioner_settings(cluster, node_role_name="known-at-plan")
    return provisioner_checks.notices(settings, RELEASES[cluster.karpenter_version])
