"""Calls that fail and a Terraform that is killed, at a chosen provider call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.terraform.standin.faults import Faults, InjectedFault
from tests.terraform.standin.log import Call, CallLog
from tests.terraform.standin.terraform import TerraformFailed, both_engines

CONFIGURATION = """
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
provider "aws" { region = "us-west-2" }
resource "aws_sqs_queue" "first" { name = "first" }
resource "aws_sqs_queue" "second" {
  name = "second"
  tags = { after = aws_sqs_queue.first.arn }
}
resource "aws_iam_role" "third" {
  name = "third"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{
    Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" }
  }] })
  tags = { after = aws_sqs_queue.second.arn }
}
"""
FIRST = "arn:aws:sqs:us-west-2:123456789012:first"
SECOND = "arn:aws:sqs:us-west-2:123456789012:second"
THIRD = "arn:aws:iam::123456789012:role/third"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "main.tf").write_text(CONFIGURATION)
    return tmp_path


@pytest.fixture
def tf(terraform: Any, directory: Path) -> Any:
    made = terraform(directory)
    made.init()
    return made


def test_a_failing_call_leaves_a_state_that_the_next_apply_completes(standin: Any, tf: Any) -> None:
    standin.faults.fail("create", "aws_sqs_queue", "ThrottlingException: slow down", nth=2)
    assert "ThrottlingException: slow down" in tf.apply(fail=True).text
    assert tf.state() == ["aws_sqs_queue.first"]
    assert standin.leftovers() == [FIRST]
    tf.apply()
    assert tf.plan().empty


def test_an_answer_that_is_lost_leaves_an_object_that_the_next_apply_names(
    standin: Any, tf: Any
) -> None:
    standin.faults.fail("create", "aws_iam_role", when="after")
    tf.apply(fail=True)
    assert THIRD in standin.leftovers()
    assert "Role with name third already exists" in tf.apply(fail=True).text
    tf.import_("aws_iam_role.third", "third")
    tf.apply()
    assert tf.plan().empty


@both_engines
def test_killed_between_calls_the_next_apply_converges(
    standin: Any, terraform: Any, directory: Path
) -> None:
    tf = terraform(directory)
    tf.init()
    result = tf.killed("apply", "create", "aws_sqs_queue", nth=2)
    assert result.code == -9
    assert standin.leftovers() == [FIRST]
    tf.apply()
    assert tf.plan().empty
    assert standin.leftovers() == [THIRD, FIRST, SECOND]


def test_killed_during_a_create_the_object_is_there_and_can_be_imported(
    standin: Any, tf: Any
) -> None:
    tf.killed("apply", "create", "aws_iam_role", when="after")
    assert THIRD in standin.leftovers()
    assert "Role with name third already exists" in tf.apply(fail=True).text
    tf.import_("aws_iam_role.third", "third")
    tf.apply()
    assert tf.plan().empty


def test_killed_in_a_destroy_the_next_one_finishes(standin: Any, tf: Any) -> None:
    tf.apply()
    tf.killed("destroy", "delete", "aws_sqs_queue", name="second", when="after")
    assert standin.leftovers() == [FIRST]
    tf.destroy()
    assert standin.leftovers() == []
    assert tf.state() == []


def test_a_run_that_is_not_killed_as_told_fails_the_test(tf: Any) -> None:
    with pytest.raises(TerraformFailed, match="ended with 0"):
        tf.killed("apply", "create", "aws_iam_policy")


def test_a_failing_read_fails_the_plan(standin: Any, tf: Any) -> None:
    tf.apply()
    standin.faults.fail("read", "aws_iam_role", "AccessDenied: no")
    assert "AccessDenied: no" in tf.plan_fails().text
    assert tf.plan().empty


@pytest.mark.parametrize("nth", [1, 2])
def test_a_fault_is_due_once_at_its_own_call(nth: int) -> None:
    faults = Faults()
    faults.fail("create", "aws_sqs_queue", nth=nth, name="x")
    calls = [
        Call("create", "aws_sqs_queue", "y", 1),
        Call("delete", "aws_sqs_queue", "x", 2),
        Call("create", "aws_iam_role", "x", 3),
    ]
    for call in calls:
        faults.run(call, "before")
    outcomes = []
    for tick in range(3):
        call = Call("create", "aws_sqs_queue", "x", tick)
        faults.run(call, "after")
        try:
            faults.run(call, "before")
            outcomes.append("passed")
        except InjectedFault:
            outcomes.append("failed")
    assert outcomes.index("failed") == nth - 1
    assert outcomes.count("failed") == 1


def test_the_log_keeps_order_narrows_and_tells_errors() -> None:
    log = CallLog()
    with (
        log.record("create", "a", "one"),
        log.record("read", "b", "two"),
        pytest.raises(TimeoutError, match="still runs"),
    ):
        log.wait_until_quiet(timeout=0.01)
    with pytest.raises(ValueError, match="wrong"), log.record("delete", "a", "one"):
        raise ValueError("wrong")
    log.wait_until_quiet()
    assert [(c.started, c.finished) for c in log.calls] == [(1, 4), (2, 3), (5, 6)]
    assert [call.operation for call in log.changes()] == ["create", "delete"]
    assert [call.name for call in log.matching("read", "b")] == ["two"]
    assert [call.error for call in log.matching(type_name="a")] == [None, "wrong"]
