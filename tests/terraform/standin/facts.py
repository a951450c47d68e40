"""Facts of the real providers that the bindings do not carry, as data.

Source: the schemas in hashicorp/terraform-provider-aws 6.x (``internal/service/*``) and
hashicorp/terraform-provider-helm 3.x (``helm/resource_helm_release.go``).
"""

from __future__ import annotations

from typing import Any

# ``kind.type`` and the path to an attribute that Terraform must hide.
SENSITIVE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("resource.helm_release", ("repository_password",)),
    ("resource.helm_release", ("set_sensitive", "value")),
    ("data.helm_template", ("repository_password",)),
    ("data.helm_template", ("set_sensitive", "value")),
    ("data.aws_ecrpublic_authorization_token", ("authorization_token",)),
    ("data.aws_ecrpublic_authorization_token", ("password",)),
    ("data.aws_eks_cluster_auth", ("token",)),
    ("data.aws_ssm_parameter", ("value",)),
)

# Attributes whose change makes Terraform destroy and create anew.
FORCE_NEW: dict[str, tuple[str, ...]] = {
    "aws_cloudwatch_event_rule": ("name", "name_prefix", "event_bus_name"),
    "aws_cloudwatch_event_target": ("rule", "target_id", "event_bus_name"),
    "aws_ec2_tag": ("resource_id", "key"),
    "aws_eks_access_entry": ("cluster_name", "principal_arn", "type"),
    "aws_eks_access_policy_association": (
        "access_scope",
        "cluster_name",
        "policy_arn",
        "principal_arn",
    ),
    "aws_eks_addon": ("addon_name", "cluster_name"),
    "aws_eks_pod_identity_association": ("cluster_name", "namespace", "service_account"),
    "aws_iam_instance_profile": ("name", "name_prefix", "path"),
    "aws_iam_openid_connect_provider": ("url",),
    "aws_iam_policy": ("description", "name", "name_prefix", "path"),
    "aws_iam_role": ("name", "name_prefix", "path"),
    "aws_iam_role_policy": ("name", "name_prefix", "role"),
    "aws_iam_role_policy_attachment": ("role", "policy_arn"),
    "aws_iam_service_linked_role": ("aws_service_name", "custom_suffix"),
    "aws_sqs_queue": ("fifo_queue", "name", "name_prefix"),
    "aws_sqs_queue_policy": ("queue_url",),
    "helm_release": ("name", "namespace"),
}

# What the provider plans when the configuration says nothing.
DEFAULTS: dict[str, dict[str, Any]] = {
    "aws_cloudwatch_event_rule": {"event_bus_name": "default", "force_destroy": False},
    "aws_cloudwatch_event_target": {"event_bus_name": "default", "force_destroy": False},
    "aws_eks_access_entry": {"type": "STANDARD"},
    "aws_iam_instance_profile": {"path": "/"},
    "aws_iam_policy": {"path": "/"},
    "aws_iam_role": {"force_detach_policies": False, "max_session_duration": 3600, "path": "/"},
    "aws_sqs_queue": {
        "content_based_deduplication": False,
        "delay_seconds": 0,
        "fifo_queue": False,
        "max_message_size": 262144,
        "message_retention_seconds": 345600,
        "receive_wait_time_seconds": 0,
        "visibility_timeout_seconds": 30,
    },
    "helm_release": {
        "atomic": False,
        "cleanup_on_fail": False,
        "create_namespace": False,
        "dependency_update": False,
        "disable_crd_hooks": False,
        "disable_openapi_validation": False,
        "disable_webhooks": False,
        "force_update": False,
        "lint": False,
        "max_history": 0,
        "namespace": "default",
        "pass_credentials": False,
        "recreate_pods": False,
        "render_subchart_notes": True,
        "replace": False,
        "reset_values": False,
        "reuse_values": False,
        "skip_crds": False,
        "take_ownership": False,
        "timeout": 300,
        "upgrade_install": False,
        "verify": False,
        "wait": True,
        "wait_for_jobs": False,
    },
}

# Attributes that hold JSON: an equivalent document is no change.
JSON_POLICIES = frozenset({"assume_role_policy", "policy"})
JSON_DOCUMENTS = frozenset({"event_pattern", "redrive_allow_policy", "redrive_policy"})
