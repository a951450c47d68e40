"""Which types the stand-in serves.

Add one here, then run ``python -m tests.terraform.standin.derive``.
"""

from __future__ import annotations

RESOURCES: dict[str, tuple[str, ...]] = {
    "aws": (
        "aws_cloudwatch_event_rule",
        "aws_cloudwatch_event_target",
        "aws_ec2_tag",
        "aws_eks_access_entry",
        "aws_eks_access_policy_association",
        "aws_eks_addon",
        "aws_eks_pod_identity_association",
        "aws_iam_instance_profile",
        "aws_iam_openid_connect_provider",
        "aws_iam_policy",
        "aws_iam_role",
        "aws_iam_role_policy",
        "aws_iam_role_policy_attachment",
        "aws_iam_service_linked_role",
        "aws_sqs_queue",
        "aws_sqs_queue_policy",
    ),
    "helm": ("helm_release",),
}

DATA_SOURCES: dict[str, tuple[str, ...]] = {
    "aws": (
        "aws_caller_identity",
        "aws_ecrpublic_authorization_token",
        "aws_eks_cluster",
        "aws_eks_cluster_auth",
        "aws_iam_openid_connect_provider",
        "aws_iam_policy",
        "aws_iam_policy_document",
        "aws_iam_role",
        "aws_partition",
        "aws_region",
        "aws_sqs_queue",
        "aws_ssm_parameter",
    ),
    "helm": ("helm_template",),
}
