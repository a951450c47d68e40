"""An apply or destroy that is killed, or that AWS lets down, is finished by the next one.

Local state only. One call at a time, so that a kill always finds the same things done.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terraform.clusters.expected import Expected
from tests.terraform.clusters.found import objects, policies, queues, releases, roles, rules
from tests.terraform.clusters.installation import CONTROLLER_ROLE, QUEUE, Installation

ONE_BY_ONE = "-parallelism=1"
IMPORTS = Path(__file__).with_name("imports.tf")
CONTROLLER = "KarpenterController-plain"


def complete(cluster: Installation, expected: Expected) -> bool:
    """Whether everything is there and Terraform knows it."""
    for read in (roles, policies, queues, rules, releases, objects):
        assert read(cluster) == getattr(expected, read.__name__)()
    return cluster.tf.plan().empty


@pytest.mark.parametrize(
    ("type_name", "nth", "name"),
    [
        ("aws_iam_role", 1, None),
        ("aws_iam_role_policy_attachment", 4, None),
        ("aws_cloudwatch_event_target", 3, None),
        ("helm_release", 1, "karpenter"),
        ("helm_release", 1, "karpenter-pools"),
    ],
)
def test_an_apply_that_was_killed_between_calls_is_completed_by_the_next(
    cluster: Installation, type_name: str, nth: int, name: str | None
) -> None:
    expected = Expected(cluster.settings, cluster.exists())
    cluster.tf.killed("apply", "create", type_name, ONE_BY_ONE, nth=nth, name=name)
    assert not releases(cluster).get("karpenter") or name == "karpenter-pools"
    cluster.tf.apply()
    assert complete(cluster, expected)


def test_a_role_whose_create_was_cut_off_is_named_by_the_next_apply_and_can_be_imported(
    cluster: Installation,
) -> None:
    expected = Expected(cluster.settings, cluster.exists())
    cluster.tf.killed("apply", "create", "aws_iam_role", ONE_BY_ONE, name=CONTROLLER, when="after")
    assert expected.controller_role_arn in roles(cluster)
    assert CONTROLLER_ROLE not in cluster.tf.state()

    text = cluster.tf.apply(fail=True).text
    assert f"Role with name {CONTROLLER} already exists" in text
    assert f"with {CONTROLLER_ROLE}" in text
    imported(cluster)
    assert complete(cluster, expected)


def test_a_queue_whose_create_was_cut_off_can_be_imported(cluster: Installation) -> None:
    expected = Expected(cluster.settings, cluster.exists())
    cluster.tf.apply(f"-target={CONTROLLER_ROLE}")
    cluster.tf.run("state", "rm", CONTROLLER_ROLE)
    cluster.tf.killed("apply", "create", "aws_sqs_queue", ONE_BY_ONE, when="after")
    assert list(queues(cluster)) == [expected.queue_arn]
    assert QUEUE not in cluster.tf.state()
    imported(cluster)
    assert complete(cluster, expected)


def imported(cluster: Installation) -> None:
    """Apply with the README's import blocks in place, and take them away again."""
    blocks = cluster.directory / IMPORTS.name
    shutil.copy(IMPORTS, blocks)
    plan = cluster.tf.plan()
    assert {plan.change(address).get("importing", {}).get("id") for address in plan.actions}
    cluster.tf.apply()
    blocks.unlink()


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    ("type_name", "name"),
    [("helm_release", "karpenter-classes"), ("aws_iam_role", CONTROLLER)],
)
def test_a_destroy_that_was_killed_is_finished_by_the_next(
    cluster: Installation, type_name: str, name: str, when: str
) -> None:
    cluster.deployed()
    cluster.tf.killed("destroy", "delete", type_name, ONE_BY_ONE, name=name, when=when)
    assert cluster.standin.leftovers() != []
    cluster.tf.destroy()
    assert cluster.tf.state() == []
    assert cluster.standin.leftovers() == []


@pytest.mark.parametrize(
    ("type_name", "nth", "name", "untouched"),
    [
        ("aws_iam_policy", 3, None, ["karpenter-crd", "karpenter"]),
        ("aws_sqs_queue_policy", 1, None, ["karpenter-crd", "karpenter"]),
        ("helm_release", 1, "karpenter", ["karpenter-classes", "karpenter-pools"]),
    ],
)
def test_a_call_that_fails_leaves_a_state_that_the_next_apply_completes(
    cluster: Installation, type_name: str, nth: int, name: str | None, untouched: list[str]
) -> None:
    expected = Expected(cluster.settings, cluster.exists())
    standin = cluster.standin
    standin.faults.fail("create", type_name, "ThrottlingException: slow down", nth=nth, name=name)
    assert "ThrottlingException: slow down" in cluster.tf.apply(fail=True).text
    tried = [call.name for call in standin.log.matching("create", "helm_release")]
    assert not set(untouched).intersection(set(tried) - {name})
    cluster.tf.apply()
    assert complete(cluster, expected)


Unused = Callable[..., None]
