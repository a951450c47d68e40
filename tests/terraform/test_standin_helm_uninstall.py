"""helm_release: which uninstall that fails leaves a release behind, and which does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

MAIN = """
terraform {
  required_providers {
    aws  = { source = "hashicorp/aws" }
    helm = { source = "hashicorp/helm" }
  }
}
provider "aws" { region = "us-west-2" }
data "aws_eks_cluster" "this" { name = "demo" }
provider "helm" { kubernetes = { host = data.aws_eks_cluster.this.endpoint } }
variable "names" {
  type    = list(string)
  default = ["default"]
}
variable "hooks" { default = "" }
variable "policies" { default = "before-hook-creation,hook-succeeded" }
variable "wait" { default = true }
variable "disable_webhooks" { default = false }
resource "terraform_data" "controller" {}
resource "helm_release" "classes" {
  name             = "classes"
  namespace        = "kube-system"
  chart            = "${path.module}/chart"
  timeout          = 300
  wait             = var.wait
  disable_webhooks = var.disable_webhooks
  values           = [jsonencode({ names = var.names, hooks = var.hooks, policies = var.policies })]
  depends_on       = [terraform_data.controller]
}
data "helm_template" "classes" {
  name   = "classes"
  chart  = "${path.module}/chart"
  values = helm_release.classes.values
}
output "manifest" { value = data.helm_template.classes.manifest }
"""
TEMPLATE = """
{{- define "class" }}
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: {{ . }}
{{- end }}
{{- range .Values.names }}
---
{{ include "class" . }}
{{- with $.Values.hooks }}
---
{{ include "class" $name }}
  annotations:
    helm.sh/hook: {{ . }}
    {{- with $.Values.policies }}
    helm.sh/hook-delete-policy: {{ . }}
    {{- end }}
{{- end }}
{{- end }}
""".replace("range .Values", "range $name := .Values")
UNHOOKED: dict[str, Any] = {}
HOOKED = {"hooks": "pre-delete"}
CLASSES = "helm_release.classes"
CONTROLLER = "terraform_data.controller"
TIMED_OUT = "Unable to uninstall Helm release classes: context deadline exceeded"
TIMED_OUT_AND_PURGED = (
    "Unable to uninstall Helm release classes: "
    "uninstallation completed with 1 error(s): context deadline exceeded"
)

unhooked_and_hooked = pytest.mark.parametrize(
    "variables", [UNHOOKED, HOOKED], ids=["without a hook", "with a hook"]
)


@pytest.fixture
def tf(standin: Any, terraform: Any, tmp_path: Path) -> Any:
    """A chart of classes, and something that has to outlive them."""
    standin.eks_cluster("demo", crds=True)
    templates = tmp_path / "chart" / "templates"
    templates.mkdir(parents=True)
    (tmp_path / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: x\nversion: 0.1.0\n")
    (templates / "classes.yaml").write_text(TEMPLATE)
    (tmp_path / "main.tf").write_text(MAIN)
    made = terraform(tmp_path)
    made.init()
    return made


def records(standin: Any) -> dict[str, str]:
    """The releases that Helm knows, and their status."""
    return {found.name: found.status for found in standin.kubernetes.releases.values()}


def test_hooks_are_kept_apart_from_objects(standin: Any, tf: Any) -> None:
    tf.apply(variables=HOOKED)
    release = standin.kubernetes.release("classes")
    assert [item["metadata"] for item in release.objects] == [{"name": "default"}]
    assert [item["metadata"]["name"] for item in release.hooks] == ["default"]
    assert "helm.sh/hook" not in release.manifest
    assert release.manifest.count("kind: EC2NodeClass") == 1
    # Terraform's data source shows both.
    assert tf.output()["manifest"].count("kind: EC2NodeClass") == 2


@unhooked_and_hooked
@pytest.mark.parametrize("seconds", [300, 0])
def test_an_uninstall_that_is_in_time_leaves_nothing(
    standin: Any, tf: Any, variables: dict[str, Any], seconds: float
) -> None:
    tf.apply(variables=variables)
    standin.leave_node_claims("default", seconds=seconds)
    tf.destroy(variables=variables)
    assert (records(standin), standin.kubernetes.terminating, tf.state()) == ({}, [], [])


@pytest.mark.parametrize("seconds", [301, None])
def test_without_a_hook_a_timeout_loses_the_release(
    standin: Any, tf: Any, seconds: float | None
) -> None:
    tf.apply()
    standin.leave_node_claims("default", seconds=seconds)
    assert TIMED_OUT_AND_PURGED in tf.destroy(fail=True).text
    assert {CLASSES, CONTROLLER} <= set(tf.state())
    assert (records(standin), standin.kubernetes.terminating) == ({}, ["classes"])
    tf.destroy()
    assert (tf.state(), standin.kubernetes.terminating) == ([], ["classes"])


@pytest.mark.parametrize("seconds", [301, None])
def test_with_a_hook_a_timeout_keeps_the_release(
    standin: Any, tf: Any, seconds: float | None
) -> None:
    tf.apply(variables=HOOKED)
    standin.leave_node_claims("default", seconds=seconds)
    for _ in range(2):
        assert TIMED_OUT in tf.destroy(variables=HOOKED, fail=True).text
        assert {CLASSES, CONTROLLER} <= set(tf.state())
        assert (records(standin), standin.kubernetes.terminating) == ({"classes": "deployed"}, [])
    standin.kubernetes.node_claims.clear()
    tf.destroy(variables=HOOKED)
    assert (records(standin), tf.state()) == ({}, [])


def test_a_release_whose_first_hook_is_done_can_be_removed_but_not_upgraded(
    standin: Any, tf: Any
) -> None:
    variables = {**HOOKED, "names": ["a", "b"]}
    tf.apply(variables=variables)
    standin.leave_node_claims("b")
    assert TIMED_OUT in tf.destroy(variables=variables, fail=True).text
    assert records(standin) == {"classes": "uninstalling"}
    refused = '"classes" has no deployed releases'
    assert refused in tf.apply(variables={**variables, "names": ["b"]}, fail=True).text
    standin.kubernetes.node_claims.clear()
    tf.destroy(variables=variables)
    assert (records(standin), tf.state()) == ({}, [])


@pytest.mark.parametrize(
    ("seconds", "passes"), [((300, 600), True), ((300, 601), False), ((0, 301), False)]
)
def test_hooks_wait_one_after_the_other_while_all_nodes_drain(
    standin: Any, tf: Any, seconds: tuple[float, float], passes: bool
) -> None:
    variables = {**HOOKED, "names": ["a", "b"]}
    tf.apply(variables=variables)
    for name, time in zip("ab", seconds, strict=True):
        standin.leave_node_claims(name, seconds=time)
    tf.destroy(variables=variables, fail=not passes)
    assert bool(records(standin)) is not passes


@pytest.mark.parametrize(
    "changes",
    [{"hooks": "post-delete"}, {"disable_webhooks": True}],
    ids=["of another event", "when hooks are switched off"],
)
def test_a_hook_is_not_run(standin: Any, tf: Any, changes: dict[str, Any]) -> None:
    variables = {**HOOKED, **changes}
    tf.apply(variables=variables)
    standin.leave_node_claims("default")
    assert TIMED_OUT_AND_PURGED in tf.destroy(variables=variables, fail=True).text
    assert records(standin) == {}


@pytest.mark.parametrize(
    ("policies", "passes"),
    [("", True), ("before-hook-creation", True), ("hook-succeeded", False)],
)
def test_only_the_policy_before_creation_makes_way_for_a_hook(
    standin: Any, tf: Any, policies: str, passes: bool
) -> None:
    variables = {**HOOKED, "policies": policies}
    tf.apply(variables=variables)
    done = tf.destroy(variables=variables, fail=not passes)
    assert ("already exists" in done.text) is not passes
    assert bool(records(standin)) is not passes


@unhooked_and_hooked
def test_node_claims_of_another_class_hold_nothing(
    standin: Any, tf: Any, variables: dict[str, Any]
) -> None:
    tf.apply(variables=variables)
    standin.leave_node_claims("other")
    tf.destroy(variables=variables)
    assert records(standin) == {}


def test_without_wait_a_held_class_is_left_terminating(standin: Any, tf: Any) -> None:
    variables = {"wait": False}
    tf.apply(variables=variables)
    standin.leave_node_claims("default")
    tf.destroy(variables=variables)
    assert (records(standin), standin.kubernetes.terminating) == ({}, ["classes"])


def test_a_hook_waits_without_wait_too(standin: Any, tf: Any) -> None:
    variables = {**HOOKED, "wait": False}
    tf.apply(variables=variables)
    standin.leave_node_claims("default")
    assert TIMED_OUT in tf.destroy(variables=variables, fail=True).text
    assert records(standin) == {"classes": "deployed"}
