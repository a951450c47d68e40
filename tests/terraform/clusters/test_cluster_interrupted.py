"""An apply or destroy that is killed, or that AWS lets down, is finished by the next one.

Local state only. One call at a time, so that a kill always finds the same things done.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.terraform.clusters.expected import Expected
from tests.terraform.clusters.found import objects, policies, queues, releases, roles, rules
from tests.terraform.clusters.installation import CONTROLLER_ROLE, QUEUE, Installation
from tests.terraform.standin.faults import When

ONE_BY_ONE = "-parallelism=1"
README = Path(__file__).parents[3] / "README.md"
IMPORT_BLOCK = re.compile(r"^ *import \{\n.*?^ *\}\n", re.MULTILINE | re.DOTALL)
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


def import_block(address: str) -> str:
    """The README's import block for an address, with this cluster's name and account."""
    (block,) = (b for b in IMPORT_BLOCK.findall(README.read_text()) if f"to = {address}\n" in b)
    return block.replace("demo", "plain").replace("111122223333", "123456789012")


@pytest.mark.parametrize(
    ("type_name", "address", "name"),
    [("aws_iam_role", CONTROLLER_ROLE, CONTROLLER), ("aws_sqs_queue", QUEUE, None)],
)
def test_an_object_whose_create_was_cut_off_can_be_imported(
    cluster: Installation, type_name: str, address: str, name: str | None
) -> None:
    expected = Expected(cluster.settings, cluster.exists())
    cluster.tf.killed("apply", "create", type_name, ONE_BY_ONE, name=name, when="after")
    assert address not in cluster.tf.state()
    block = cluster.directory / "imports.tf"
    block.write_text(import_block(address))
    assert "importing" in cluster.tf.plan().change(address)
    cluster.tf.apply()
    assert len(cluster.standin.log.matching("create", type_name, name)) == 1
    block.unlink()
    assert complete(cluster, expected)


def test_without_an_import_the_next_apply_names_a_role_that_is_there_already(
    cluster: Installation,
) -> None:
    cluster.exists()
    cluster.tf.killed("apply", "create", "aws_iam_role", ONE_BY_ONE, name=CONTROLLER, when="after")
    text = cluster.tf.apply(fail=True).text
    assert f"Role with name {CONTROLLER} already exists" in text
    assert f"with {CONTROLLER_ROLE}" in text


def test_a_queue_that_is_there_already_is_taken_over(cluster: Installation) -> None:
    """SQS answers the creation of a queue that is there, and alike, with the queue itself."""
    expected = Expected(cluster.settings, cluster.exists())
    cluster.tf.killed("apply", "create", "aws_sqs_queue", ONE_BY_ONE, when="after")
    assert QUEUE not in cluster.tf.state()
    cluster.tf.apply()
    assert complete(cluster, expected)


@pytest.mark.parametrize(
    ("type_name", "name", "when"),
    [
        ("helm_release", "karpenter-classes", "before"),
        ("helm_release", "karpenter", "after"),
        ("aws_iam_role", CONTROLLER, "after"),
    ],
)
def test_a_destroy_that_was_killed_is_finished_by_the_next(
    cluster: Installation, type_name: str, name: str, when: When
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
