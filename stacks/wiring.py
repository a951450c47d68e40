"""What each module is told about a cluster: the one place where its settings are shared out."""

from __future__ import annotations

from typing import Any

from modules.core.expressions import Expr
from modules.core.inputs import Settings
from modules.iam import IamSettings
from modules.provisioners import ProvisionerOptions, ProvisionerSettings
from modules.release import ReleaseSettings
from stacks.settings import ClusterSettings


def iam_settings(cluster: ClusterSettings, *, issuer: str | Expr) -> IamSettings:
    """For the IAM module.

    Args:
        issuer: the cluster's own OIDC issuer; one that the user gives wins.
    """
    return IamSettings(
        **{
            **_fields(cluster.iam),
            "oidc_issuer": issuer if cluster.iam.oidc_issuer is None else cluster.iam.oidc_issuer,
            **_facts(cluster),
            **_interruption(cluster),
            "ip_family": cluster.ip_family,
            "namespace": cluster.release.namespace,
            "service_account": cluster.release.service_account,
            # The provider's default tags bring the cluster's.
            "tags": {},
        }
    )


def release_settings(
    cluster: ClusterSettings,
    *,
    endpoint: str | Expr,
    controller_role_arn: str | Expr,
    queue_name: str | Expr | None,
    default_instance_profile: str | Expr | None = None,
) -> ReleaseSettings:
    """For the release module; the arguments are what only AWS and the IAM module know."""
    return ReleaseSettings(
        **{
            **_fields(cluster.release),
            **_facts(cluster),
            **_interruption(cluster),
            "cluster_endpoint": endpoint,
            "controller_role_arn": controller_role_arn,
            "queue_name": queue_name,
            "default_instance_profile": default_instance_profile,
        }
    )


def provisioner_settings(
    cluster: ClusterSettings, *, node_role_name: str | Expr
) -> ProvisionerSettings:
    """For the provisioners module.

    Args:
        node_role_name: what only the IAM module knows.
    """
    options = {name: getattr(cluster, name) for name in ProvisionerOptions.model_fields}
    return ProvisionerSettings(
        **{
            **options,
            **_facts(cluster),
            "node_role_name": node_role_name,
            "ip_family": cluster.ip_family,
            "namespace": cluster.release.namespace,
            "tags": cluster.tags,
        }
    )


def _facts(cluster: ClusterSettings) -> dict[str, Any]:
    """What every module is told."""
    return {
        "cluster_name": cluster.name,
        "karpenter_version": cluster.karpenter_version,
        "accept_newer_version": cluster.accept_newer_version,
    }


def _interruption(cluster: ClusterSettings) -> dict[str, Any]:
    """What the user says; where nothing, the modules decide by the release."""
    said = cluster.interruption_handling
    return {} if said is None else {"interruption_handling": said}


def _fields(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in type(settings).model_fields}
