"""Each check of AWS and of the provider has a case that passes and one that fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from moto.events.responses import EventsHandler

from tests.terraform.standin.aws import checks
from tests.terraform.standin.aws.validation import validate
from tests.terraform.standin.errors import AwsError
from tests.terraform.standin.values import UNKNOWN

ARN = "arn:aws:iam::123456789012:role/demo"
TRUST = json.dumps({"Version": "2012-10-17", "Statement": []})
BASE: dict[str, dict[str, Any]] = {
    "aws_iam_role": {"name": "demo", "assume_role_policy": TRUST},
    "aws_iam_policy": {"name": "demo", "policy": TRUST},
    "aws_iam_role_policy": {"name": "demo", "policy": TRUST, "role": "demo"},
    "aws_iam_instance_profile": {"name": "demo"},
    "aws_iam_role_policy_attachment": {"role": "demo", "policy_arn": ARN},
    "aws_cloudwatch_event_rule": {"name": "demo", "event_pattern": '{"source": ["aws.ec2"]}'},
    "aws_cloudwatch_event_target": {"rule": "demo", "target_id": "demo", "arn": ARN},
    "aws_eks_access_entry": {"cluster_name": "demo", "principal_arn": ARN},
    "aws_eks_pod_identity_association": {"role_arn": ARN},
    "aws_sqs_queue": {"name": "demo"},
}

# type, attribute, a value that is just allowed, one that is just not, words of the message
VALIDATED: list[tuple[str, str, Any, Any, str]] = [
    ("aws_iam_role", "name", "a" * 64, "a" * 65, "range (1 - 64)"),
    ("aws_iam_role", "name", "a+=,.@-_", "a b", "invalid value for name"),
    ("aws_iam_role", "max_session_duration", 3600, 3599, "range (3600 - 43200)"),
    ("aws_iam_role", "max_session_duration", 43200, 43201, "range (3600 - 43200)"),
    ("aws_iam_role", "assume_role_policy", TRUST, "{", "invalid JSON"),
    ("aws_iam_role", "assume_role_policy", TRUST, "[]", "not an object"),
    ("aws_iam_role", "permissions_boundary", ARN, "demo", "invalid ARN"),
    ("aws_iam_policy", "name", "a" * 128, "a" * 129, "range (1 - 128)"),
    ("aws_iam_role_policy", "name", "a" * 128, "a" * 129, "range (1 - 128)"),
    ("aws_iam_instance_profile", "name", "a" * 128, "a" * 129, "range (1 - 128)"),
    ("aws_iam_role_policy_attachment", "policy_arn", ARN, "AmazonEKS", "invalid ARN"),
    ("aws_cloudwatch_event_rule", "name", "a" * 64, "a" * 65, "range (1 - 64)"),
    ("aws_cloudwatch_event_rule", "name", "a.b-c_d", "a/b", "invalid value for name"),
    ("aws_cloudwatch_event_rule", "event_pattern", "{}", None, "must be specified"),
    ("aws_cloudwatch_event_target", "target_id", "a" * 64, "a" * 65, "range (1 - 64)"),
    ("aws_cloudwatch_event_target", "arn", ARN, "queue", "invalid ARN"),
    ("aws_eks_access_entry", "principal_arn", ARN, "node", "invalid ARN"),
    ("aws_eks_access_entry", "cluster_name", "a" * 100, "a" * 101, "range (1 - 100)"),
    ("aws_eks_pod_identity_association", "role_arn", ARN, "node", "invalid ARN"),
    ("aws_sqs_queue", "message_retention_seconds", 60, 59, "range (60 - 1209600)"),
    ("aws_sqs_queue", "visibility_timeout_seconds", 43200, 43201, "range (0 - 43200)"),
    ("aws_sqs_queue", "name_prefix", None, "demo", "conflicts with name_prefix"),
]


@pytest.mark.parametrize(("type_name", "attribute", "good", "bad", "words"), VALIDATED)
def test_the_provider_refuses_what_is_just_too_much(
    type_name: str, attribute: str, good: Any, bad: Any, words: str
) -> None:
    base = BASE[type_name]
    assert list(validate(type_name, {**base, attribute: good})) == []
    (problem,) = validate(type_name, {**base, attribute: bad})
    assert words in problem.message


def test_an_unknown_value_is_not_judged() -> None:
    assert list(validate("aws_iam_role", {"name": UNKNOWN, "assume_role_policy": UNKNOWN})) == []


def _sized(size: int) -> str:
    return json.dumps("a" * (size - 2))


Check = Callable[[Any], None]
# check, what just passes, what just fails, the error's code
AWS: list[tuple[Check, Any, Any, str]] = [
    (checks.managed_policy, _sized(6144), _sized(6145), "LimitExceeded"),
    (checks.managed_policy, _sized(6144) + " \n\t" * 99, _sized(6145), "LimitExceeded"),
    (checks.trust_policy, _sized(2048), _sized(2049), "LimitExceeded"),
    (checks.another_attachment, 9, 10, "LimitExceeded"),
    (checks.another_target, 4, 5, "LimitExceededException"),
    (checks.queue_name, "a" * 80, "a" * 81, "InvalidParameterValue"),
    (checks.queue_name, "a-b_c", "a.b", "InvalidParameterValue"),
    (checks.queue_name, "a" * 75 + ".fifo", "a" * 76 + ".fifo", "InvalidParameterValue"),
    (checks.event_pattern, '{"a": ["x"]}', '{"a": "x"}', "InvalidEventPatternException"),
    (checks.event_pattern, '{"a": {"b": [1]}}', '{"a": {"b": []}}', "InvalidEventPatternException"),
    (checks.event_pattern, '{"a": ["x"]}', "{}", "InvalidEventPatternException"),
    (
        checks.event_pattern,
        json.dumps({"a": ["x" * 2037]}),
        json.dumps({"a": ["x" * 2038]}),
        "InvalidEventPatternException",
    ),
    (
        lambda documents: checks.inline_policies("demo", documents),
        [_sized(5120), _sized(5120)],
        [_sized(5120), _sized(5121)],
        "LimitExceeded",
    ),
]


@pytest.mark.parametrize(("check", "good", "bad", "code"), AWS)
def test_aws_refuses_what_is_just_too_much(check: Check, good: Any, bad: Any, code: str) -> None:
    check(good)
    with pytest.raises(AwsError) as caught:
        check(bad)
    assert caught.value.code == code


PREAMBLE = """
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
provider "aws" { region = "us-west-2" }
locals {
  trust = jsonencode({ Version = "2012-10-17", Statement = [{
    Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })
  wide = [for i in range(var.n) : "arn:aws:sqs:us-west-2:123456789012:queue-number-${i}"]
}
variable "n" { type = number }
"""

# Configuration in terms of var.n, an n that passes, one that fails, words of the error.
APPLIED: dict[str, tuple[str, int, int, str]] = {
    "managed policy size": (
        """resource "aws_iam_policy" "x" {
          name = "x"
          policy = jsonencode({ Version = "2012-10-17", Statement = [{
            Effect = "Allow", Action = "sqs:*", Resource = local.wide }] })
        }""",
        100,
        200,
        "LimitExceeded: Cannot exceed quota for PolicySize: 6144",
    ),
    "trust policy size": (
        """resource "aws_iam_role" "x" {
          name = "x"
          assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{
            Effect = "Allow", Action = "sts:AssumeRole", Principal = {
              AWS = [for i in range(var.n) : "arn:aws:iam::123456789012:role/role-number-${i}"] }
          }] })
        }""",
        10,
        100,
        "LimitExceeded: Cannot exceed quota for ACLSizePerRole: 2048",
    ),
    "attached policies": (
        """resource "aws_iam_role" "x" {
          name               = "x"
          assume_role_policy = local.trust
        }
        resource "aws_iam_policy" "x" {
          count  = var.n
          name   = "x-${count.index}"
          policy = jsonencode({ Version = "2012-10-17", Statement = [{
            Effect = "Allow", Action = "sqs:*", Resource = "*" }] })
        }
        resource "aws_iam_role_policy_attachment" "x" {
          count      = var.n
          role       = aws_iam_role.x.name
          policy_arn = aws_iam_policy.x[count.index].arn
        }""",
        10,
        11,
        "LimitExceeded: Cannot exceed quota for PoliciesPerRole: 10",
    ),
    "targets per rule": (
        """resource "aws_cloudwatch_event_rule" "x" {
          name          = "x"
          event_pattern = jsonencode({ source = ["aws.ec2"] })
        }
        resource "aws_sqs_queue" "x" { name = "x" }
        resource "aws_cloudwatch_event_target" "x" {
          count     = var.n
          rule      = aws_cloudwatch_event_rule.x.name
          target_id = "x-${count.index}"
          arn       = aws_sqs_queue.x.arn
        }""",
        5,
        6,
        "LimitExceededException",
    ),
    "access entry of a role that is not there": (
        """resource "aws_iam_role" "x" {
          count              = 2 - var.n
          name               = "x"
          assume_role_policy = local.trust
        }
        resource "aws_eks_access_entry" "x" {
          cluster_name  = "demo"
          principal_arn = "arn:aws:iam::123456789012:role/x"
          type          = "EC2_LINUX"
          depends_on    = [aws_iam_role.x]
        }""",
        1,
        2,
        "The specified principalArn is invalid: invalid principal.",
    ),
    "groups of a node's access entry": (
        """resource "aws_iam_role" "x" {
          name               = "x"
          assume_role_policy = local.trust
        }
        resource "aws_eks_access_entry" "x" {
          cluster_name      = "demo"
          principal_arn     = aws_iam_role.x.arn
          type              = var.n == 1 ? "STANDARD" : "EC2_LINUX"
          kubernetes_groups = ["admins"]
        }""",
        1,
        2,
        "Kubernetes groups cannot be given",
    ),
    "a name that exists": (
        """resource "aws_iam_role" "x" {
          count              = var.n
          name               = "x"
          assume_role_policy = local.trust
        }""",
        1,
        2,
        "EntityAlreadyExists: Role with name x already exists.",
    ),
    "a rule that exists": (
        """resource "aws_cloudwatch_event_rule" "x" {
          count         = var.n
          name          = "x"
          event_pattern = jsonencode({ source = ["aws.ec2"] })
        }""",
        1,
        2,
        "ResourceAlreadyExistsException: Rule x already exists.",
    ),
    "a pod identity association that exists": (
        """resource "aws_eks_pod_identity_association" "x" {
          count           = var.n
          cluster_name    = "demo"
          namespace       = "kube-system"
          service_account = "karpenter"
          role_arn        = "arn:aws:iam::123456789012:role/x"
        }""",
        1,
        2,
        "ResourceInUseException",
    ),
    "a managed policy that AWS does not have": (
        """resource "aws_iam_role" "x" {
          name               = "x"
          assume_role_policy = local.trust
        }
        resource "aws_iam_role_policy_attachment" "x" {
          role       = aws_iam_role.x.name
          policy_arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNode${var.n == 1 ? "Policy" : ""}"
        }""",
        1,
        2,
        "NoSuchEntity: Policy arn:aws:iam::aws:policy/AmazonEKSWorkerNode does not exist",
    ),
}


@pytest.mark.parametrize("case", APPLIED)
def test_an_apply_ends_as_aws_says(terraform: Any, tmp_path: Path, case: str) -> None:
    configuration, good, bad, words = APPLIED[case]
    (tmp_path / "main.tf").write_text(PREAMBLE + configuration)
    tf = terraform(tmp_path)
    tf.init()
    tf.apply(variables={"n": good})
    tf.destroy(variables={"n": good})
    assert words in tf.apply(variables={"n": bad}, fail=True).text


def test_a_target_that_eventbridge_does_not_take_fails_the_apply(
    terraform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.tf").write_text(PREAMBLE + APPLIED["targets per rule"][0])
    tf = terraform(tmp_path)
    tf.init()
    failed = {"TargetId": "x-0", "ErrorCode": "ManagedRuleException", "ErrorMessage": "managed"}
    with monkeypatch.context() as patch:
        # PutTargets answers 200 and lists what failed; moto knows no such entry.
        patch.setattr(EventsHandler, "put_targets", lambda _self: _answer(failed))
        assert "ManagedRuleException: x-0: managed" in tf.apply(variables={"n": 1}, fail=True).text
    tf.apply(variables={"n": 1})


def _answer(entry: dict[str, str]) -> tuple[str, dict[str, str]]:
    return json.dumps({"FailedEntryCount": 1, "FailedEntries": [entry]}), {}


@pytest.mark.parametrize(("length", "passes"), [(80, True), (81, False)])
def test_a_queue_name_is_judged_at_plan(
    terraform: Any, tmp_path: Path, length: int, passes: bool
) -> None:
    queue = f'resource "aws_sqs_queue" "x" {{ name = "{"q" * length}" }}'
    (tmp_path / "main.tf").write_text(PREAMBLE + queue)
    tf = terraform(tmp_path)
    tf.init()
    if passes:
        tf.plan(variables={"n": 0})
    else:
        assert "invalid queue name" in tf.plan_fails(variables={"n": 0}).text
