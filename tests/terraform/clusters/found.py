"""What an apply left behind, read back from AWS and the clusters in the shape of ``expected``."""

from __future__ import annotations

import json
from typing import Any

from tests.terraform.clusters.installation import Installation

Object = dict[str, Any]


def _tags(items: list[dict[str, str]] | None) -> dict[str, str]:
    return {item["Key"]: item["Value"] for item in items or []}


def attached(at: Installation, role: str) -> set[str]:
    """ARNs of the policies of a role."""
    answer = at.client("iam").list_attached_role_policies(RoleName=role)
    return {policy["PolicyArn"] for policy in answer["AttachedPolicies"]}


def roles(at: Installation) -> dict[str, Object]:
    """All roles by ARN, but those that a test brought."""
    iam = at.client("iam")
    listed = (role["RoleName"] for role in iam.list_roles()["Roles"])
    told = (iam.get_role(RoleName=name)["Role"] for name in listed)
    return {
        role["Arn"]: {
            "trust": role["AssumeRolePolicyDocument"],
            "attached": attached(at, role["RoleName"]),
            "boundary": role.get("PermissionsBoundary", {}).get("PermissionsBoundaryArn"),
            "tags": _tags(role.get("Tags")),
        }
        for role in told
        if role["Arn"] not in at.standin.world.given
    }


def policies(at: Installation) -> dict[str, Object]:
    """The documents of all policies that AWS does not manage, by ARN."""
    iam = at.client("iam")
    return {
        policy["Arn"]: iam.get_policy_version(
            PolicyArn=policy["Arn"], VersionId=policy["DefaultVersionId"]
        )["PolicyVersion"]["Document"]
        for policy in iam.list_policies(Scope="Local")["Policies"]
    }


def policy_tags(at: Installation) -> list[dict[str, str]]:
    """The tags of each of them."""
    iam = at.client("iam")
    told = (iam.get_policy(PolicyArn=arn)["Policy"] for arn in policies(at))
    return [_tags(policy.get("Tags")) for policy in told]


def queues(at: Installation) -> dict[str, Object]:
    """All queues by ARN."""
    sqs = at.client("sqs")
    found = {}
    for url in sqs.list_queues().get("QueueUrls", []):
        told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
        found[told["QueueArn"]] = {
            "retention": told["MessageRetentionPeriod"],
            "encrypted": told["SqsManagedSseEnabled"],
            "policy": json.loads(told["Policy"]) if told.get("Policy") else None,
            "tags": sqs.list_queue_tags(QueueUrl=url).get("Tags", {}),
        }
    return found


def rules(at: Installation) -> dict[str, Object]:
    """All event rules by name."""
    events = at.client("events")
    return {
        rule["Name"]: {
            "pattern": json.loads(rule["EventPattern"]),
            "targets": {
                target["Id"]: target["Arn"]
                for target in events.list_targets_by_rule(Rule=rule["Name"])["Targets"]
            },
            "tags": _tags(events.list_tags_for_resource(ResourceARN=rule["Arn"])["Tags"]),
        }
        for rule in events.list_rules()["Rules"]
    }


def access_entries(at: Installation) -> dict[str, str]:
    """The types of access entries, by principal; moto has none, the stand-in keeps them."""
    return {
        entry["principal_arn"]: entry["type"]
        for (kind, _), entry in at.standin.state_only.items()
        if kind == "aws_eks_access_entry"
    }


def oidc_providers(at: Installation) -> set[str]:
    """Hosts of all OIDC providers."""
    answer = at.client("iam").list_open_id_connect_providers()
    arns = (provider["Arn"] for provider in answer["OpenIDConnectProviderList"])
    return {arn.partition("/")[2] for arn in arns}


def releases(at: Installation) -> dict[str, Object]:
    """The Helm releases of charts in a registry, by name."""
    return {
        release.name: {
            "version": release.version,
            "repository": release.repository,
            "namespace": release.namespace,
            "values": release.values,
        }
        for release in at.standin.kubernetes.releases.values()
        if release.repository
    }


def objects(at: Installation) -> dict[str, list[Object]]:
    """What the local chart made, by release."""
    return {
        release.name: release.objects
        for release in at.standin.kubernetes.releases.values()
        if not release.repository
    }
