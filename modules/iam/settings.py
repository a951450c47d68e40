"""What may be chosen about Karpenter's AWS side, and what has to be known for it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.names import DEFAULT_NAMESPACE, SERVICE_ACCOUNT
from modules.core.rules import (
    CLUSTER_NAME,
    IAM_PATH,
    INSTANCE_PROFILE_NAME,
    IP_FAMILY,
    NAME_AFFIX,
    NAMESPACE,
    OIDC_ISSUER,
    POLICY_ARN,
    QUEUE_NAME,
    ROLE_ARN,
    ROLE_NAME,
    SUBDOMAIN,
)
from modules.core.versioned import Versioned


class IamOptions(Settings):
    """What a user may choose; `iam:` of a cluster in clusters.yaml."""

    name_prefix: Annotated[str, NAME_AFFIX] = ""
    """Put before every name made here, as it stands. Set it where two clusters of one account
    share a name."""

    name_suffix: Annotated[str, NAME_AFFIX] = ""
    """Put after every name made here, as it stands. Set it where two clusters of one account
    share a name."""

    controller_role_name: Annotated[str, ROLE_NAME] | None = None
    """Name of the controller's role. By default KarpenterController-<cluster>."""

    controller_role_path: Annotated[str, IAM_PATH] = "/"
    """IAM path of the controller's role."""

    permissions_boundary_arn: Annotated[str, POLICY_ARN] | None = None
    """ARN of a policy that bounds both the controller's and the nodes' role."""

    controller_role_policy_arns: dict[str, Annotated[str, POLICY_ARN]] = Field(default_factory=dict)
    """Managed policies to attach to the controller's role besides Karpenter's own: ARNs by names
    of your choice. The names become part of resource addresses."""

    controller_policy_statements: list[dict[str, Any]] = Field(default_factory=list)
    """IAM policy statements for the controller besides Karpenter's own, such as for a KMS key;
    they become a policy of their own. Each has Effect, Action or NotAction, Resource or
    NotResource, and may have Sid and Condition."""

    oidc_issuer: Annotated[str, OIDC_ISSUER] | None = None
    """OIDC issuer of the cluster: its URL, its host and path, or the ARN of its IAM provider."""

    create_oidc_provider: bool = False
    """Whether to create the IAM provider of the cluster's OIDC issuer. Set it to true if the
    account has none yet, which a plan tells by failing to find one. An account has one provider
    for each issuer, so create it here only if nothing else does."""

    create_node_role: bool = True
    """Whether to create the role of the nodes."""

    node_role_name: Annotated[str, ROLE_NAME] | None = None
    """Name of the nodes' role. By default KarpenterNodeRole-<cluster>."""

    node_role_arn: Annotated[str, ROLE_ARN] | None = None
    """ARN of an existing role for the nodes. Required if none is created. The role needs the
    policies and the trust that EKS asks of a node role."""

    node_role_policy_arns: dict[str, Annotated[str, POLICY_ARN]] = Field(default_factory=dict)
    """Managed policies to attach to the nodes' role besides those that every node needs: ARNs by
    names of your choice. The names become part of resource addresses."""

    attach_cni_policy: bool = True
    """Whether the nodes' role carries the permissions of the VPC CNI. Set it to false if the CNI
    has a role of its own."""

    create_instance_profile: bool | None = None
    """Whether to create an instance profile with the nodes' role. By default one is created
    exactly if Karpenter does not make its own, which it does from 0.32.0 on. Set it to true for
    nodes without a way to IAM, and name the profile in their class."""

    instance_profile_name: Annotated[str, INSTANCE_PROFILE_NAME] | None = None
    """Name of the instance profile: of the one created, by default
    KarpenterNodeInstanceProfile-<cluster>, or of one that exists."""

    queue_name: Annotated[str, QUEUE_NAME] | None = None
    """Name of the interruption queue. By default Karpenter-<cluster>."""

    create_access_entry: bool | None = None
    """Whether to create the EKS access entry that lets nodes join. By default one is created
    exactly if the nodes' role is: a role that you bring has an entry already if a managed node
    group uses it, and a cluster takes one entry for each role. Set it to true for a role of yours
    that has none."""


class IamSettings(IamOptions, Versioned):
    """The options, and the facts about the cluster that they apply to."""

    oidc_issuer: Annotated[str, OIDC_ISSUER]
    """OIDC issuer of the cluster: its URL, its host and path, or the ARN of its IAM provider."""

    cluster_name: Annotated[str, CLUSTER_NAME]
    """Name of the EKS cluster."""

    interruption_handling: bool = True
    """Whether Karpenter acts on spot interruptions, health events and instance state changes,
    which needs a queue and event rules, and Karpenter 0.19.0 or later."""

    ip_family: Annotated[str, IP_FAMILY] = "ipv4"
    """IP family of the cluster: ipv4 or ipv6."""

    namespace: Annotated[str, NAMESPACE] = DEFAULT_NAMESPACE
    """Kubernetes namespace that Karpenter runs in."""

    service_account: Annotated[str, SUBDOMAIN] = SERVICE_ACCOUNT
    """Kubernetes service account that Karpenter runs as."""

    tags: dict[str, str] = Field(default_factory=dict)
    """Tags for every AWS resource made here."""
