"""A hand-written configuration goes through its whole life on the stand-in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
    assert tf.state() == []
    assert json.loads((directory / "terraform.tfstate").read_text())["resources"] == []
