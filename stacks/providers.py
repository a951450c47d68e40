"""How a stack reaches the cluster's account and the cluster itself."""

from __future__ import annotations

from modules.cdk import (
    AwsProvider,
    AwsProviderAssumeRole,
    AwsProviderDefaultTags,
    Construct,
    HelmProvider,
    HelmProviderKubernetes,
    HelmProviderKubernetesExec,
)
from modules.core.expressions import template
from modules.core.placing import Placed
from stacks.settings import ClusterSettings

_EXEC_API = "client.authentication.k8s.io/v1beta1"
"""What `aws eks get-token` answers in."""


def aws_provider(scope: Construct, cluster: ClusterSettings) -> AwsProvider:
    """For the cluster's region and account; it tags everything with the cluster's tags."""
    role = cluster.assume_role
    tags = {template(key): template(value) for key, value in cluster.tags.items()}
    return AwsProvider(
        scope,
        "aws",
        region=template(cluster.region),
        profile=_optional(cluster.profile),
        allowed_account_ids=[template(id_) for id_ in cluster.allowed_account_ids] or None,
        assume_role=[
            AwsProviderAssumeRole(
                role_arn=template(role.arn),
                external_id=_optional(role.external_id),
                session_name=_optional(role.session_name),
            )
        ]
        if role
        else None,
        default_tags=[AwsProviderDefaultTags(tags=tags)] if tags else None,
    )


def helm_provider(scope: Construct, cluster: ClusterSettings, live: Placed) -> HelmProvider:
    """For the cluster; it asks the AWS CLI for a token at each use, so that none can run out.

    Args:
        live: the data source of the cluster.
    """
    authority = live.attribute("certificate_authority[0].data").text
    return HelmProvider(
        scope,
        "helm",
        kubernetes=HelmProviderKubernetes(
            host=str(live.attribute("endpoint")),
            cluster_ca_certificate=f"${{base64decode({authority})}}",
            exec=HelmProviderKubernetesExec(
                api_version=_EXEC_API, command="aws", args=token_arguments(cluster)
            ),
        ),
    )


def token_arguments(cluster: ClusterSettings) -> list[str]:
    """The command line of `aws` that prints a token, in the same account as Terraform's."""
    arguments = {
        "--cluster-name": cluster.name,
        "--region": cluster.region,
        "--role-arn": cluster.assume_role.arn if cluster.assume_role else None,
        "--profile": cluster.profile,
        "--output": "json",
    }
    given = ([key, template(value)] for key, value in arguments.items() if value is not None)
    return ["eks", "get-token", *(word for pair in given for word in pair)]


def _optional(value: str | None) -> str | None:
    return None if value is None else template(value)
