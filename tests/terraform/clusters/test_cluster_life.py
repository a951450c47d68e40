"""Each cluster's stack goes through its whole life, and leaves behind exactly what it should."""

from __future__ import annotations

from typing import Any

from stacks.settings import ClusterSettings
from tests.terraform.clusters import found
from tests.terraform.clusters.cases import every_example, every_variant
from tests.terraform.clusters.expected import Expected
from tests.terraform.clusters.installation import Installation
from tests.terraform.standin.terraform import both_engines
from tests.terraform.standin.world import EksCluster

KINDS = [
    "roles",
    "policies",
    "queues",
    "rules",
    "access_entries",
    "oidc_providers",
    "releases",
    "objects",
]


def is_as_it_should_be(cluster: Installation, live: EksCluster) -> None:
    """What the apply of a cluster left in AWS, in the cluster and in Terraform's outputs."""
    expected = Expected(cluster.settings, live)
    for kind in KINDS:
        assert getattr(found, kind)(cluster) == getattr(expected, kind)(), kind
    node_role = expected.node_role_arn.rpartition("/")[2]
    assert found.attached(cluster, node_role) == expected.node_policies()
    assert all(tags == cluster.settings.tags for tags in found.policy_tags(cluster))
    assert cluster.tf.output() == outputs(cluster.settings, expected)


def outputs(settings: ClusterSettings, expected: Expected) -> dict[str, Any]:
    """What the stack tells other tools."""
    told = {
        "controller_role_arn": expected.controller_role_arn,
        "controller_role_name": expected.controller_role_arn.rpartition("/")[2],
        "node_role_arn": expected.node_role_arn,
        "node_role_name": expected.node_role_arn.rpartition("/")[2],
        "crd_version": settings.karpenter_version,
        "controller_version": settings.karpenter_version,
        "class_names": sorted(settings.node_classes),
        "pool_names": sorted(settings.node_pools),
    }
    if settings.interruption_handling is not False:
        told["queue_arn"] = expected.queue_arn
        told["queue_name"] = expected.queue_arn.rpartition(":")[2]
    return told


@both_engines
@every_example
def test_an_example_goes_through_its_whole_life(cluster: Installation) -> None:
    live = cluster.exists()
    tf = cluster.tf
    validated = tf.validate()
    assert (validated["valid"], validated["diagnostics"]) == (True, [])
    assert set(map(tuple, tf.plan().actions.values())) == {("create",)}
    tf.apply()
    is_as_it_should_be(cluster, live)
    assert tf.plan().empty
    tf.destroy()
    assert tf.state() == []
    assert cluster.standin.leftovers() == []


@every_variant
def test_a_variant_is_applied_once_and_removed(cluster: Installation) -> None:
    live = cluster.exists()
    cluster.tf.apply()
    is_as_it_should_be(cluster, live)
    assert cluster.tf.plan().empty
    cluster.tf.destroy()
    assert cluster.standin.leftovers() == []
