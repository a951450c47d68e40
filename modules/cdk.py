"""The one door to CDKTF: every name of `cdktf`, `constructs` and the provider packages we use.

Moving to another distribution of CDKTF means changing this file. Provider packages load lazily
(see `modules/runtime/lazy_provider.py`), Node is found and started with its preload (see
`modules/runtime/node.py`); `KARPENTER_EAGER_IMPORTS=1` switches both off.
"""

from __future__ import annotations

import os
from typing import Any, TypeVar, overload

from modules.core.expressions import Expr
from modules.runtime import lazy_provider
from modules.runtime.node import is_eager, node_settings

if not is_eager(os.environ):
    lazy_provider.install("cdktf_cdktf_provider_aws", "cdktf_cdktf_provider_helm")

# The first import of a jsii package starts Node.
with node_settings():
    from constructs import Construct, IConstruct

from cdktf import (
    Annotations,
    App,
    Aspects,
    AssetType,
    Fn,
    IResolvable,
    Lazy,
    LocalBackend,
    Op,
    Postcondition,
    Precondition,
    S3Backend,
    TerraformAsset,
    TerraformBackend,
    TerraformCount,
    TerraformDataSource,
    TerraformElement,
    TerraformHclModule,
    TerraformLocal,
    TerraformModule,
    TerraformOutput,
    TerraformProvider,
    TerraformProviderGeneratorMetadata,
    TerraformResource,
    TerraformResourceLifecycle,
    TerraformStack,
    TerraformVariable,
    TerraformVariableValidationConfig,
    Testing,
    Token,
    Tokenization,
)
from cdktf_cdktf_provider_aws.cloudwatch_event_rule import CloudwatchEventRule
from cdktf_cdktf_provider_aws.cloudwatch_event_target import CloudwatchEventTarget
from cdktf_cdktf_provider_aws.data_aws_caller_identity import DataAwsCallerIdentity
from cdktf_cdktf_provider_aws.data_aws_eks_cluster import DataAwsEksCluster
from cdktf_cdktf_provider_aws.data_aws_iam_openid_connect_provider import (
    DataAwsIamOpenidConnectProvider,
)
from cdktf_cdktf_provider_aws.data_aws_partition import DataAwsPartition
from cdktf_cdktf_provider_aws.data_aws_region import DataAwsRegion
from cdktf_cdktf_provider_aws.eks_access_entry import EksAccessEntry
from cdktf_cdktf_provider_aws.eks_pod_identity_association import EksPodIdentityAssociation
from cdktf_cdktf_provider_aws.iam_instance_profile import IamInstanceProfile
from cdktf_cdktf_provider_aws.iam_openid_connect_provider import IamOpenidConnectProvider
from cdktf_cdktf_provider_aws.iam_policy import IamPolicy
from cdktf_cdktf_provider_aws.iam_role import IamRole
from cdktf_cdktf_provider_aws.iam_role_policy_attachment import IamRolePolicyAttachment
from cdktf_cdktf_provider_aws.provider import (
    AwsProvider,
    AwsProviderAssumeRole,
    AwsProviderDefaultTags,
)
from cdktf_cdktf_provider_aws.sqs_queue import SqsQueue
from cdktf_cdktf_provider_aws.sqs_queue_policy import SqsQueuePolicy
from cdktf_cdktf_provider_helm.provider import (
    HelmProvider,
    HelmProviderKubernetes,
    HelmProviderKubernetesExec,
)
from cdktf_cdktf_provider_helm.release import Release as HelmRelease

__all__ = [
    "Annotations",
    "App",
    "Aspects",
    "AssetType",
    "AwsProvider",
    "AwsProviderAssumeRole",
    "AwsProviderDefaultTags",
    "CloudwatchEventRule",
    "CloudwatchEventTarget",
    "Construct",
    "DataAwsCallerIdentity",
    "DataAwsEksCluster",
    "DataAwsIamOpenidConnectProvider",
    "DataAwsPartition",
    "DataAwsRegion",
    "EksAccessEntry",
    "EksPodIdentityAssociation",
    "Fn",
    "HelmProvider",
    "HelmProviderKubernetes",
    "HelmProviderKubernetesExec",
    "HelmRelease",
    "IConstruct",
    "IResolvable",
    "IamInstanceProfile",
    "IamOpenidConnectProvider",
    "IamPolicy",
    "IamRole",
    "IamRolePolicyAttachment",
    "Lazy",
    "LocalBackend",
    "Op",
    "Postcondition",
    "Precondition",
    "S3Backend",
    "SqsQueue",
    "SqsQueuePolicy",
    "TerraformAsset",
    "TerraformBackend",
    "TerraformCount",
    "TerraformDataSource",
    "TerraformElement",
    "TerraformHclModule",
    "TerraformLocal",
    "TerraformModule",
    "TerraformOutput",
    "TerraformProvider",
    "TerraformProviderGeneratorMetadata",
    "TerraformResource",
    "TerraformResourceLifecycle",
    "TerraformStack",
    "TerraformVariable",
    "TerraformVariableValidationConfig",
    "Testing",
    "Token",
    "Tokenization",
    "local",
]

T = TypeVar("T")


@overload
def local(scope: Construct, id_: str, value: Expr) -> Expr: ...


@overload
def local(scope: Construct, id_: str, value: T) -> T: ...


def local(scope: Construct, id_: str, value: Any) -> Any:
    """A long expression under a name of its own: the local of the construct's id.

    Args:
        value: a literal comes back as it is, without a local.
    """
    if not isinstance(value, Expr):
        return value
    return Expr(f"local.{TerraformLocal(scope, id_, str(value)).friendly_unique_id}")
