"""What is made before what, what is removed before what, and a removal that takes too long."""

from __future__ import annotations

from collections.abc import Callable

from tests.terraform.clusters import found
from tests.terraform.clusters.cases import PLAIN
from tests.terraform.clusters.installation import CLASSES, Installation
from tests.terraform.standin.log import Call

PERMISSIONS = "permissions"
MADE = [PERMISSIONS, "karpenter-crd", "karpenter", "karpenter-classes", "karpenter-pools"]
DRAIN_SECONDS = 1800  # the default of drainTimeoutSeconds


def stage(call: Call) -> str:
    """Which step of an installation a call belongs to."""
    return call.name if call.type == "helm_release" else PERMISSIONS


def stages(calls: list[Call]) -> list[str]:
    """The steps in their order; a step that is not finished before the next begins fails."""
    order: list[str] = []
    for index, call in enumerate(calls):
        if not order or order[-1] != stage(call):
            ends = [before.finished for before in calls[:index]]
            assert all(end is not None and end < call.started for end in ends)
            order.append(stage(call))
    return order


def changes(cluster: Installation, operation: str) -> list[Call]:
    """The calls of one operation since the log was last cleared."""
    return [call for call in cluster.standin.log.changes() if call.operation == operation]


def test_it_is_made_from_permissions_to_pools_and_removed_the_other_way_round(
    cluster: Installation,
) -> None:
    cluster.deployed()
    assert stages(changes(cluster, "create")) == MADE
    cluster.tf.destroy()
    removed = ["karpenter-pools", "karpenter-classes", "karpenter", "karpenter-crd", PERMISSIONS]
    assert stages(changes(cluster, "delete")) == removed


def test_a_drain_that_takes_too_long_leaves_the_controller_and_its_permissions(
    cluster: Installation,
) -> None:
    cluster.deployed()
    before = [getattr(found, kind)(cluster) for kind in ("roles", "policies", "queues", "rules")]
    entries = found.access_entries(cluster)
    cluster.standin.leave_node_claims("default", seconds=DRAIN_SECONDS + 1)

    text = cluster.tf.destroy(fail=True).text
    assert "Unable to uninstall Helm release karpenter-classes" in text
    assert stages(changes(cluster, "delete")) == ["karpenter-pools", "karpenter-classes"]
    after = [getattr(found, kind)(cluster) for kind in ("roles", "policies", "queues", "rules")]
    assert (after, found.access_entries(cluster)) == (before, entries)
    assert cluster.standin.kubernetes.release("karpenter").status == "deployed"
    assert cluster.standin.kubernetes.release("karpenter-crd").status == "deployed"
    assert CLASSES in cluster.tf.state()

    cluster.standin.kubernetes.node_claims.clear()
    cluster.tf.destroy()
    assert cluster.standin.leftovers() == []


def test_a_destroy_that_is_tried_again_while_nodes_drain_waits_again(
    cluster: Installation,
) -> None:
    cluster.deployed()
    cluster.standin.leave_node_claims("default")
    cluster.tf.destroy(fail=True)
    left = cluster.standin.leftovers()
    assert {"helm_release karpenter-classes", "helm_release karpenter"} <= set(left)

    for _ in range(2):
        cluster.standin.log.clear()
        text = cluster.tf.destroy(fail=True).text
        assert "Unable to uninstall Helm release karpenter-classes" in text
        assert stages(changes(cluster, "delete")) == ["karpenter-classes"]
        assert cluster.standin.leftovers() == left
        assert CLASSES in cluster.tf.state()

    cluster.standin.kubernetes.node_claims.clear()
    cluster.standin.log.clear()
    cluster.tf.destroy()
    removed = ["karpenter-classes", "karpenter", "karpenter-crd", PERMISSIONS]
    assert stages(changes(cluster, "delete")) == removed
    assert (cluster.standin.leftovers(), cluster.tf.state()) == ([], [])


def test_a_drain_may_take_as_long_as_its_setting_says(
    installation: Callable[..., Installation],
) -> None:
    cluster = installation(PLAIN.model_copy(update={"drain_timeout_seconds": 7200})).deployed()
    cluster.standin.leave_node_claims("default", seconds=7200)
    cluster.tf.destroy()
    assert cluster.standin.leftovers() == []
