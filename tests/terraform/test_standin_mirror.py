"""Providers that Terraform finds, locks and starts itself; and ``terraform test``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.terraform.standin.mirror import Mirror

CONFIGURATION = """
terraform {
  required_providers {
    aws  = { source = "hashicorp/aws", version = ">= 6.0, < 7.0" }
    helm = { source = "hashicorp/helm", version = ">= 3.0, < 4.0" }
  }
}
variable "name" {
  default = "demo"
  validation {
    condition     = length(var.name) <= 10
    error_message = "A name has at most 10 characters."
  }
}
provider "aws" { region = "us-west-2" }
provider "helm" { kubernetes = { host = "https://example.com" } }
resource "aws_sqs_queue" "this" { name = var.name }
resource "helm_release" "this" {
  name  = "local"
  chart = "./chart"
}
output "arn" { value = aws_sqs_queue.this.arn }
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "chart" / "templates").mkdir(parents=True)
    (root / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: local\nversion: 1.0.0\n")
    (root / "main.tf").write_text(CONFIGURATION)
    return root


@pytest.mark.slow
def test_a_mirror_shares_the_state_of_the_stand_in(
    standin: Any, terraform: Any, directory: Path, tmp_path: Path
) -> None:
    mirror = standin.mirror(tmp_path / "mirror")
    # From elsewhere: the process that forwards must say where Terraform runs, for ./chart.
    tf = terraform(tmp_path, mirror.environment())
    tf.run("-chdir=root", "init")
    lock = (directory / ".terraform.lock.hcl").read_text()
    assert 'version     = "6.25.0"' in lock
    assert 'version     = "3.1.1"' in lock
    tf.run("-chdir=root", "apply", "-auto-approve")
    assert standin.leftovers() == [
        "arn:aws:sqs:us-west-2:123456789012:demo",
        "helm_release local",
    ]
    tf.run("-chdir=root", "plan", "-detailed-exitcode")
    tf.run("-chdir=root", "destroy", "-auto-approve")
    assert standin.leftovers() == []


@pytest.mark.parametrize(
    ("versions", "passes"),
    [
        ({"aws": "6.0.0"}, True),
        ({"aws": "5.100.0"}, False),
        ({"aws": "7.0.0"}, False),
        ({"helm": "2.17.0"}, False),
        ({"helm": "4.0.0"}, False),
    ],
)
def test_version_constraints_are_checked(
    standin: Any,
    terraform: Any,
    directory: Path,
    tmp_path: Path,
    versions: dict[str, str],
    passes: bool,
) -> None:
    mirror = standin.mirror(tmp_path / "mirror", **versions)
    result = terraform(directory, mirror.environment()).init(fail=not passes)
    assert ("no available releases match the given constraints" in result.text) is not passes


@pytest.mark.slow
def test_a_provider_process_can_stand_alone(
    terraform: Any, directory: Path, tmp_path: Path
) -> None:
    tf = terraform(directory, Mirror(tmp_path / "mirror").environment())
    tf.init()
    assert tf.validate()["valid"]
    assert tf.plan().actions == {
        "aws_sqs_queue.this": ["create"],
        "helm_release.this": ["create"],
    }


TEST_FILE = """
run "applies" {
  assert {
    condition     = output.arn == "arn:aws:sqs:us-west-2:123456789012:demo"
    error_message = "another ARN: ${output.arn}"
  }
}
run "refuses_a_long_name" {
  command = plan
  variables { name = "12345678901" }
  expect_failures = [var.name]
}
"""
MOCKED_FILE = """
mock_provider "aws" {
  mock_resource "aws_sqs_queue" { defaults = { arn = "arn:mocked" } }
}
mock_provider "helm" {}
run "mocked" {
  assert {
    condition     = output.arn == "arn:mocked"
    error_message = "another ARN: ${output.arn}"
  }
}
"""


@pytest.mark.parametrize("content", [TEST_FILE, MOCKED_FILE], ids=["real", "mocked"])
def test_terraform_test_runs_on_the_stand_in(
    standin: Any, terraform: Any, directory: Path, content: str
) -> None:
    (directory / "case.tftest.hcl").write_text(content)
    tf = terraform(directory)
    tf.init()
    tf.test()
    assert standin.leftovers() == []


def test_a_wrong_assertion_fails_terraform_test(terraform: Any, directory: Path) -> None:
    (directory / "case.tftest.hcl").write_text(TEST_FILE.replace(":demo", ":other"))
    tf = terraform(directory)
    tf.init()
    assert "another ARN: arn:aws:sqs:us-west-2:123456789012:demo" in tf.test(fail=True).text
