"""What an example's apply leaves behind, written out by hand.

The tests of a whole life compare with the product's own pure files, which they thus trust.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.terraform.clusters import found
from tests.terraform.clusters.cases import EXAMPLES
from tests.terraform.clusters.installation import Installation

KEPT = {"additionalAnnotations": {"helm.sh/resource-policy": "keep"}}

# Name, account and region; none of them is taken from the product.
FACTS = [
    ("blueprint-construct-dev", "123456789012", "us-west-2"),
    ("research-prod", "222222222222", "eu-central-1"),
]

# Amazon EventBridge's and AWS Health's event references.
EVENTS = [
    ("HealthEvent", "aws.health", "AWS Health Event"),
    ("SpotInterruption", "aws.ec2", "EC2 Spot Instance Interruption Warning"),
    ("Rebalance", "aws.ec2", "EC2 Instance Rebalance Recommendation"),
    ("InstanceStateChange", "aws.ec2", "EC2 Instance State-change Notification"),
    (
        "CapacityReservationInterruption",
        "aws.ec2",
        "EC2 Capacity Reservation Instance Interruption Warning",
    ),
]


def test_every_example_is_written_out_here() -> None:
    assert [name for name, *_ in FACTS] == [cluster.name for cluster in EXAMPLES]


@pytest.mark.parametrize(
    ("cluster", "account", "region"),
    [
        pytest.param(cluster, account, region, id=name)
        for cluster, (name, account, region) in zip(EXAMPLES, FACTS, strict=True)
    ],
    indirect=["cluster"],
)
def test_an_examples_controller_is_told_of_its_cluster_queue_and_role(
    cluster: Installation, account: str, region: str
) -> None:
    live = cluster.exists(endpoint="https://0123.gr7.example.eks.amazonaws.com")
    cluster.tf.apply()
    name = cluster.settings.name
    queue = f"arn:aws:sqs:{region}:{account}:Karpenter-{name}"
    role = f"arn:aws:iam::{account}:role/KarpenterController-{name}"

    releases = cluster.standin.kubernetes
    values: dict[str, Any] = releases.release("karpenter").values
    assert values["settings"] == {
        "clusterName": name,
        "clusterEndpoint": "https://0123.gr7.example.eks.amazonaws.com",
        "interruptionQueue": f"Karpenter-{name}",
    }
    assert values["serviceAccount"] == {
        "create": True,
        "name": "karpenter",
        "annotations": {"eks.amazonaws.com/role-arn": role},
    }
    enough = {"cpu": "1", "memory": "1Gi"}
    assert values["controller"] == {"resources": {"requests": enough, "limits": enough}}
    assert releases.release("karpenter-crd").values == KEPT
    assert releases.release("karpenter").skip_crds
    assert {release.host for release in releases.releases.values()} == {live.endpoint}

    assert set(found.roles(cluster)) == {
        role,
        f"arn:aws:iam::{account}:role/KarpenterNodeRole-{name}",
    }
    trust = found.roles(cluster)[role]["trust"]["Statement"][0]
    issuer = live.issuer.removeprefix("https://")
    provider = f"arn:aws:iam::{account}:oidc-provider/{issuer}"
    assert trust["Principal"] == {"Federated": provider}
    assert trust["Condition"]["StringEquals"] == {
        f"{issuer}:aud": "sts.amazonaws.com",
        f"{issuer}:sub": "system:serviceaccount:kube-system:karpenter",
    }
    assert list(found.queues(cluster)) == [queue]
    rules = found.rules(cluster)
    assert {rule: told["pattern"] for rule, told in rules.items()} == {
        f"Karpenter{rule}-{name}": {"source": [source], "detail-type": [detail_type]}
        for rule, source, detail_type in EVENTS
    }
    targets = [rule["targets"] for rule in rules.values()]
    assert targets == [{"KarpenterInterruptionQueueTarget": queue}] * len(EVENTS)

    pools = releases.release("karpenter-pools").objects
    assert [pool["metadata"]["name"] for pool in pools] == sorted(cluster.settings.node_pools)
    for node_class in releases.release("karpenter-classes").objects:
        assert node_class["spec"]["role"] == f"KarpenterNodeRole-{name}"
        assert node_class["spec"]["tags"] == cluster.settings.tags
