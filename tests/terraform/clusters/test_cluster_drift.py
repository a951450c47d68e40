"""The next plan sees what was changed behind Terraform's back, and the next apply heals it."""

from __future__ import annotations

import json
from collections.abc import Callable

from modules.core.names import POLICY_VERSION
from tests.terraform.clusters import found
from tests.terraform.clusters.installation import Installation

Change = Callable[[Installation], object]

QUEUE_URL = "https://sqs.us-west-2.amazonaws.com/123456789012/Karpenter-plain"
CONTROLLER, NODE = "KarpenterController-plain", "KarpenterNodeRole-plain"
ANYTHING = json.dumps(
    {
        "Version": POLICY_VERSION,
        "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}],
    }
)
ANYBODY = json.dumps(
    {
        "Version": POLICY_VERSION,
        "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": "*"}}],
    }
)


def delete_rule(at: Installation) -> None:
    events = at.client("events")
    rule = "KarpenterSpotInterruption-plain"
    events.remove_targets(Rule=rule, Ids=["KarpenterInterruptionQueueTarget"])
    events.delete_rule(Name=rule)


def remove_target(at: Installation) -> None:
    at.client("events").remove_targets(
        Rule="KarpenterRebalance-plain", Ids=["KarpenterInterruptionQueueTarget"]
    )


def edit_pattern(at: Installation) -> None:
    at.client("events").put_rule(
        Name="KarpenterHealthEvent-plain", EventPattern=json.dumps({"source": ["aws.s3"]})
    )


def edit_policy(at: Installation) -> None:
    at.client("iam").create_policy_version(
        PolicyArn="arn:aws:iam::123456789012:policy/KarpenterControllerNodeLifecyclePolicy-plain",
        PolicyDocument=ANYTHING,
        SetAsDefault=True,
    )


def edit_trust(at: Installation) -> None:
    at.client("iam").update_assume_role_policy(RoleName=CONTROLLER, PolicyDocument=ANYBODY)


def change_retention(at: Installation) -> None:
    at.client("sqs").set_queue_attributes(
        QueueUrl=QUEUE_URL, Attributes={"MessageRetentionPeriod": "9999"}
    )


def remove_queue_policy(at: Installation) -> None:
    at.client("sqs").set_queue_attributes(QueueUrl=QUEUE_URL, Attributes={"Policy": ""})


def detach_policy(at: Installation) -> None:
    at.client("iam").detach_role_policy(
        RoleName=NODE, PolicyArn="arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
    )


def change_tags(at: Installation) -> None:
    at.client("iam").tag_role(RoleName=NODE, Tags=[{"Key": "team", "Value": "other"}])


def delete_entry(at: Installation) -> None:
    at.standin.state_only.clear()


def uninstall_pools(at: Installation) -> None:
    release = at.standin.kubernetes.release("karpenter-pools")
    del at.standin.kubernetes.releases[release.key]


DRIFTS: list[tuple[Change, dict[str, list[str]]]] = [
    (
        delete_rule,
        {
            "aws_cloudwatch_event_rule.iam_spot_interruption": ["create"],
            "aws_cloudwatch_event_target.iam_spot_interruption": ["create"],
        },
    ),
    (remove_target, {"aws_cloudwatch_event_target.iam_rebalance": ["create"]}),
    (edit_pattern, {"aws_cloudwatch_event_rule.iam_health_event": ["update"]}),
    (edit_policy, {"aws_iam_policy.iam_node_lifecycle": ["update"]}),
    (edit_trust, {"aws_iam_role.iam_controller": ["update"]}),
    (change_retention, {"aws_sqs_queue.iam_interruption": ["update"]}),
    (remove_queue_policy, {"aws_sqs_queue_policy.iam_interruption": ["create"]}),
    (detach_policy, {"aws_iam_role_policy_attachment.iam_node_worker": ["create"]}),
    (change_tags, {"aws_iam_role.iam_node": ["update"]}),
    (delete_entry, {"aws_eks_access_entry.iam_node": ["create"]}),
    (uninstall_pools, {"helm_release.provisioners_pools": ["create"]}),
]
KINDS = ("roles", "policies", "queues", "rules", "access_entries", "releases", "objects")


def there(at: Installation) -> dict[str, object]:
    return {kind: getattr(found, kind)(at) for kind in KINDS}


def test_all_drifts_at_once_are_seen_and_healed(cluster: Installation) -> None:
    cluster.deployed()
    before = there(cluster)
    expected: dict[str, list[str]] = {}
    for drift, actions in DRIFTS:
        drift(cluster)
        expected |= actions
    assert cluster.tf.plan().actions == expected
    cluster.tf.apply()
    assert there(cluster) == before
    assert cluster.tf.plan().empty
