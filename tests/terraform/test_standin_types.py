"""The types that the life-cycle test leaves out, and the data sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

CONFIGURATION = """
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
provider "aws" { region = "us-west-2" }
variable "value" { default = "one" }
variable "resource" { type = string }
locals {
  trust = jsonencode({ Version = "2012-10-17", Statement = [{
    Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" }
  }] })
}
resource "aws_ec2_tag" "this" {
  resource_id = var.resource
  key         = "karpenter.sh/discovery"
  value       = var.value
}
resource "aws_iam_role" "this" {
  name_prefix        = "demo-"
  assume_role_policy = local.trust
  description        = var.value
}
resource "aws_iam_openid_connect_provider" "this" {
  url            = "https://oidc.eks.us-west-2.amazonaws.com/id/ABC"
  client_id_list = ["sts.amazonaws.com"]
  tags           = { value = var.value }
}
resource "aws_iam_service_linked_role" "spot" {
  aws_service_name = "spot.amazonaws.com"
  description      = var.value
}
resource "aws_eks_access_entry" "this" {
  cluster_name      = "demo"
  principal_arn     = aws_iam_role.this.arn
  kubernetes_groups = [var.value]
}
resource "aws_eks_access_policy_association" "this" {
  cluster_name  = aws_eks_access_entry.this.cluster_name
  principal_arn = aws_iam_role.this.arn
  policy_arn    = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
  access_scope { type = "cluster" }
}
resource "aws_eks_addon" "this" {
  cluster_name = "demo"
  addon_name   = "eks-pod-identity-agent"
  tags         = { value = var.value }
}
"""


@pytest.fixture
def resource(standin: Any) -> str:
    """A VPC that exists: EC2 tags no other."""
    return str(standin.client("ec2").create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"])


def test_the_other_types_live_and_go(
    standin: Any, terraform: Any, tmp_path: Path, resource: str
) -> None:
    (tmp_path / "main.tf").write_text(CONFIGURATION)
    tf = terraform(tmp_path)
    tf.init()
    tf.apply(variables={"resource": resource})
    assert tf.plan(variables={"resource": resource}).empty

    changed = {"resource": resource, "value": "two"}
    plan = tf.plan(variables=changed)
    assert plan.actions == {
        "aws_ec2_tag.this": ["update"],
        "aws_eks_access_entry.this": ["update"],
        "aws_eks_addon.this": ["update"],
        "aws_iam_openid_connect_provider.this": ["update"],
        "aws_iam_role.this": ["update"],
        "aws_iam_service_linked_role.spot": ["update"],
    }
    tf.apply(variables=changed)
    assert tf.plan(variables=changed).empty

    ec2, iam = standin.client("ec2"), standin.client("iam")
    tags = ec2.describe_tags(Filters=[{"Name": "resource-id", "Values": [resource]}])["Tags"]
    assert [(tag["Key"], tag["Value"]) for tag in tags] == [("karpenter.sh/discovery", "two")]
    (role,) = [r for r in iam.list_roles()["Roles"] if r["RoleName"].startswith("demo-")]
    assert len(role["RoleName"]) == len("demo-") + 26
    assert role["Description"] == "two"
    assert iam.get_role(RoleName="AWSServiceRoleForEC2Spot")["Role"]["Description"] == "two"
    entry = standin.state_only["aws_eks_access_entry", f"demo:{role['Arn']}"]
    assert entry["kubernetes_groups"] == ["two"]
    assert entry["user_name"] == role["Arn"]

    tf.destroy(variables=changed)
    assert standin.leftovers() == []


def test_a_policy_for_a_principal_without_an_entry_is_refused(
    terraform: Any, tmp_path: Path, resource: str
) -> None:
    without = CONFIGURATION.replace("aws_eks_access_entry.this.cluster_name", '"other"')
    (tmp_path / "main.tf").write_text(without)
    tf = terraform(tmp_path)
    tf.init()
    text = tf.apply(variables={"resource": resource}, fail=True).text
    assert "ResourceNotFoundException: The specified principalArn could not be found" in text


LOOKUPS = """
terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
provider "aws" { region = "us-west-2" }
data "aws_iam_role" "this" { name = "SUFFIXrole" }
data "aws_iam_policy" "this" { name = "SUFFIXpolicy" }
data "aws_sqs_queue" "this" { name = "SUFFIXqueue" }
data "aws_ssm_parameter" "this" { name = "/SUFFIXparameter" }
data "aws_eks_cluster_auth" "this" { name = "SUFFIXcluster" }
output "all" {
  value = [
    data.aws_iam_role.this.arn,
    data.aws_iam_policy.this.arn,
    data.aws_sqs_queue.this.arn,
    nonsensitive(data.aws_ssm_parameter.this.value),
    nonsensitive(data.aws_eks_cluster_auth.this.token),
  ]
}
"""


@pytest.fixture
def existing(standin: Any) -> None:
    document = '{"Version": "2012-10-17", "Statement": []}'
    iam = standin.client("iam")
    iam.create_role(RoleName="role", AssumeRolePolicyDocument=document)
    statement = '{"Effect": "Allow", "Action": "sqs:*", "Resource": "*"}'
    allow = document.replace("[]", f"[{statement}]")
    iam.create_policy(PolicyName="policy", PolicyDocument=allow)
    standin.client("sqs").create_queue(QueueName="queue")
    standin.client("ssm").put_parameter(Name="/parameter", Value="ami-1", Type="String")
    standin.eks_cluster("cluster")


@pytest.mark.usefixtures("existing")
def test_data_sources_find_what_is_there(terraform: Any, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(LOOKUPS.replace("SUFFIX", ""))
    tf = terraform(tmp_path)
    tf.init()
    tf.apply()
    assert tf.output()["all"] == [
        "arn:aws:iam::123456789012:role/role",
        "arn:aws:iam::123456789012:policy/policy",
        "arn:aws:sqs:us-west-2:123456789012:queue",
        "ami-1",
        "k8s-aws-v1.cluster",
    ]


@pytest.mark.usefixtures("existing")
def test_data_sources_name_what_is_not_there(terraform: Any, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(LOOKUPS.replace("SUFFIX", "no-"))
    tf = terraform(tmp_path)
    tf.init()
    text = tf.plan_fails().text
    for words in (
        "reading aws_iam_role (no-role): NoSuchEntity",
        "reading IAM Policy (no-policy): couldn't find resource",
        "reading aws_sqs_queue (no-queue): AWS.SimpleQueueService.NonExistentQueue",
        "reading aws_ssm_parameter (/no-parameter): ParameterNotFound",
        "reading EKS Cluster (no-cluster): couldn't find resource",
    ):
        assert words in text


def test_a_test_can_say_what_a_data_source_tells(
    standin: Any, terraform: Any, tmp_path: Path
) -> None:
    standin.eks_cluster("cluster")
    standin.data["aws_eks_cluster"] = {"status": "UPDATING"}
    (tmp_path / "main.tf").write_text(
        LOOKUPS.split("data ")[0]
        + 'data "aws_eks_cluster" "this" { name = "cluster" }\n'
        + 'output "status" { value = data.aws_eks_cluster.this.status }\n'
    )
    tf = terraform(tmp_path)
    tf.init()
    tf.apply()
    assert tf.output() == {"status": "UPDATING"}
