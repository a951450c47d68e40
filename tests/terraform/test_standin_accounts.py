"""Provider configurations: aliases, assumed roles, profiles, allowed accounts, partitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.terraform.standin.terraform import both_engines

TERRAFORM = """
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
"""


@both_engines
def test_aliases_keep_their_own_region_and_account(
    standin: Any, terraform: Any, tmp_path: Path
) -> None:
    (tmp_path / "main.tf").write_text(
        TERRAFORM
        + """
provider "aws" { region = "eu-west-1" }
provider "aws" {
  alias  = "virginia"
  region = "us-east-1"
}
provider "aws" {
  alias  = "other"
  region = "eu-west-1"
  assume_role {
    role_arn     = "arn:aws:iam::210987654321:role/deploy"
    external_id  = "secret"
    session_name = "terraform"
  }
  allowed_account_ids = ["210987654321"]
}
data "aws_region" "here" {}
data "aws_region" "virginia" { provider = aws.virginia }
data "aws_caller_identity" "here" {}
data "aws_caller_identity" "other" { provider = aws.other }
data "aws_ecrpublic_authorization_token" "this" { provider = aws.virginia }
resource "aws_sqs_queue" "here" { name = "here" }
resource "aws_sqs_queue" "other" {
  provider = aws.other
  name     = "other"
}
output "regions" { value = [data.aws_region.here.region, data.aws_region.virginia.region] }
output "accounts" {
  value = [data.aws_caller_identity.here.account_id, data.aws_caller_identity.other.account_id]
}
output "arns" { value = [aws_sqs_queue.here.arn, aws_sqs_queue.other.arn] }
output "password" {
  value     = data.aws_ecrpublic_authorization_token.this.password
  sensitive = true
}
"""
    )
    tf = terraform(tmp_path)
    tf.init()
    applied = tf.apply()
    assert tf.output() == {
        "regions": ["eu-west-1", "us-east-1"],
        "accounts": ["123456789012", "210987654321"],
        "arns": [
            "arn:aws:sqs:eu-west-1:123456789012:here",
            "arn:aws:sqs:eu-west-1:210987654321:other",
        ],
        "password": "standin-registry-password",
    }
    assert "standin-registry-password" not in applied.text
    other = standin.client("sqs", "eu-west-1", "210987654321")
    assert len(other.list_queues()["QueueUrls"]) == 1
    assert standin.leftovers() == tf.output()["arns"]
    assert tf.plan().empty
    tf.destroy()
    assert standin.leftovers() == []


@pytest.mark.parametrize(("account", "passes"), [("210987654321", True), ("111111111111", False)])
def test_an_account_that_is_not_allowed_is_refused(
    standin: Any, terraform: Any, tmp_path: Path, account: str, passes: bool
) -> None:
    standin.world.profiles["team"] = "210987654321"
    (tmp_path / "main.tf").write_text(
        TERRAFORM
        + f"""
provider "aws" {{
  region              = "us-west-2"
  profile             = "team"
  allowed_account_ids = ["{account}"]
}}
data "aws_caller_identity" "this" {{}}
"""
    )
    tf = terraform(tmp_path)
    tf.init()
    if passes:
        tf.plan()
    else:
        assert "AWS account ID not allowed: 210987654321" in tf.plan_fails().text


@pytest.mark.parametrize(
    ("region", "partition", "suffix"),
    [
        ("us-west-2", "aws", "amazonaws.com"),
        ("cn-north-1", "aws-cn", "amazonaws.com.cn"),
        ("us-gov-west-1", "aws-us-gov", "amazonaws.com"),
    ],
)
def test_the_partition_follows_the_region(
    standin: Any, terraform: Any, tmp_path: Path, region: str, partition: str, suffix: str
) -> None:
    standin.eks_cluster("demo", region=region, ip_family="ipv6", version="1.33")
    (tmp_path / "main.tf").write_text(
        TERRAFORM
        + f"""
provider "aws" {{ region = "{region}" }}
data "aws_partition" "this" {{}}
data "aws_eks_cluster" "this" {{ name = "demo" }}
resource "aws_iam_role" "node" {{
  name = "node"
  assume_role_policy = jsonencode({{ Version = "2012-10-17", Statement = [{{
    Effect = "Allow", Action = "sts:AssumeRole", Principal = {{ Service = "ec2.amazonaws.com" }}
  }}] }})
}}
resource "aws_iam_role_policy_attachment" "node" {{
  role       = aws_iam_role.node.name
  policy_arn = "arn:${{data.aws_partition.this.id}}:iam::aws:policy/AmazonEKSWorkerNodePolicy"
}}
output "all" {{
  value = [
    data.aws_partition.this.dns_suffix,
    data.aws_eks_cluster.this.arn,
    data.aws_eks_cluster.this.version,
    data.aws_eks_cluster.this.kubernetes_network_config[0].ip_family,
    aws_iam_role.node.arn,
  ]
}}
"""
    )
    tf = terraform(tmp_path)
    tf.init()
    tf.apply()
    assert tf.output()["all"] == [
        suffix,
        f"arn:{partition}:eks:{region}:123456789012:cluster/demo",
        "1.33",
        "ipv6",
        f"arn:{partition}:iam::123456789012:role/node",
    ]
