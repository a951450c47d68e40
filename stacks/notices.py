"""What is worth a word about a cluster that is all right."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core import names
from modules.core.catalogue import NEWEST_KNOWN, Capability, Release
from modules.core.faults import Fault, dotted, shown
from modules.provisioners.lint.finding import Severity
from stacks import add_on, spot
from stacks.linting import linted
from stacks.rules import warnings
from stacks.settings import ClusterSettings
from stacks.versions import known_release


def notices(cluster: ClusterSettings) -> list[str]:
    """One text each, for a cluster that `check_cluster` finds no fault in."""
    whole = add_on.expanded(cluster)
    release = known_release(whole)
    return [
        *map(as_text, warnings(cluster)),
        *add_on.told(cluster),
        *_spot(whole, release),
        *_token(whole),
        *map(as_text, linted(cluster, Severity.INFO)),
    ]


def as_text(warning: Fault) -> str:
    """A warning in one line."""
    value = warning.value
    got = f" (got {shown(value)})" if isinstance(value, str | int) else ""
    return f"{dotted(warning.path)}: {warning.problem}{got}. Fix: {warning.fix}."


def _spot(cluster: ClusterSettings, release: Release) -> Iterator[str]:
    if pools := spot.pools_with_spot(cluster.node_pools, release.api):
        if not release.has(Capability.INTERRUPTION):
            yield (
                f"nodePools: {', '.join(pools)} may launch spot instances, whose interruptions "
                f"Karpenter {release.version} does not see. Install the AWS Node Termination "
                f"Handler after Karpenter, or use {Capability.INTERRUPTION.first} or later; "
                f"{NEWEST_KNOWN}."
            )
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
