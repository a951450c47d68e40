"""The order in which the whole installation is made and removed, as a module in a module."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import OBJECTS, facts, root
from tests.terraform.standin.log import Call
from tests.terraform.standin.standin import Standin
from tests.terraform.standin.terraform import Terraform

PERMISSIONS = "permissions"
MADE = [PERMISSIONS, "karpenter-crd", "karpenter", "karpenter-classes", "karpenter-pools"]
REMOVED = ["karpenter-pools", "karpenter-classes", "karpenter", "karpenter-crd", PERMISSIONS]
CLASSES = "module.called.module.provisioners.helm_release.classes[0]"
DRAIN_SECONDS = 1800  # the default of drain_timeout_seconds


@pytest.fixture
def applied(standin: Standin, terraform: MakeTerraform, tmp_path: Path) -> Terraform:
    """The whole installation, with one class and one pool."""
    cluster = standin.eks_cluster("demo")
    variables = {**facts("karpenter", cluster), **OBJECTS}
    tf = terraform(root(tmp_path / "root", "karpenter", variables, endpoint=cluster.endpoint))
    tf.init()
    tf.apply()
    return tf


def stages(standin: Standin, operation: str) -> list[str]:
    """The steps in their order; one that begins before the last is finished is a failure."""
    calls = [call for call in standin.log.changes() if call.operation == operation]
    order: list[str] = []
    for index, call in enumerate(calls):
        if not order or order[-1] != stage(call):
            ends = [before.finished for before in calls[:index]]
            assert all(end is not None and end < call.started for end in ends)
            order.append(stage(call))
    return order


def stage(call: Call) -> str:
    return call.name if call.type == "helm_release" else PERMISSIONS


def test_it_is_made_from_permissions_to_pools_and_removed_the_other_way_round(
    applied: Terraform, standin: Standin
) -> None:
    assert stages(standin, "create") == MADE
    applied.destroy()
    assert stages(standin, "delete") == REMOVED
    assert standin.leftovers() == []


def test_a_drain_that_takes_too_long_leaves_the_controller_and_its_permissions(
    applied: Terraform, standin: Standin
) -> None:
    before = standin.leftovers()
    standin.leave_node_claims("default", seconds=DRAIN_SECONDS + 1)
    text = applied.destroy(fail=True).text
    assert "Unable to uninstall Helm release karpenter-classes" in text
    assert stages(standin, "delete") == REMOVED[:2]
    assert set(before) - set(standin.leftovers()) == {"helm_release karpenter-pools"}
    assert standin.kubernetes.release("karpenter").status == "deployed"
    assert CLASSES in applied.state()

    standin.kubernetes.node_claims.clear()
    applied.destroy()
    assert standin.leftovers() == []


def test_taking_all_pools_and_classes_away_leaves_the_rest(
    applied: Terraform, standin: Standin
) -> None:
    main = applied.directory / "main.tf.json"
    tree = json.loads(main.read_text())
    for variable in OBJECTS:
        del tree["module"]["called"][variable]
    main.write_text(json.dumps(tree))
    plan = applied.plan()
    assert sorted(map(tuple, plan.actions.values())) == [("delete",), ("delete",)]
    applied.apply()
    assert stages(standin, "delete") == REMOVED[:2]
    applied.destroy()
    assert standin.leftovers() == []
