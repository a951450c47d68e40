"""helm_release: local charts are rendered by Helm's library, releases live as Helm's do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.terraform.standin.terraform import both_engines

PROVIDERS = """
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
variable "timeout" { default = 300 }
variable "wait" { default = true }
variable "keep" { default = true }
variable "fail" { default = "" }
"""
CRDS = """
resource "helm_release" "crds" {
  name       = "karpenter-crd"
  namespace  = "kube-system"
  repository = "oci://public.ecr.aws/karpenter"
  chart      = "karpenter-crd"
  version    = "1.14.2"
  values = [jsonencode({
    additionalAnnotations = var.keep ? { "helm.sh/resource-policy" = "keep" } : {}
  })]
}
"""
CLASSES = """
resource "helm_release" "classes" {
  name      = "classes"
  namespace = "kube-system"
  chart     = "${path.module}/chart"
  timeout   = var.timeout
  wait      = var.wait
  values    = [jsonencode({ names = var.names, fail = var.fail })]
  depends_on = [helm_release.crds]
}
"""
CLASSES_ALONE = CLASSES.replace("  depends_on = [helm_release.crds]\n", "")
TEMPLATE = """
{{- if .Values.fail }}{{ fail .Values.fail }}{{ end }}
{{- range .Values.names }}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: {{ . }}
spec:
  tags: {{ $.Values.tags | toJson }}
{{- end }}
"""


@pytest.fixture
def directory(standin: Any, tmp_path: Path) -> Path:
    """A chart of two classes' worth of template beside a configuration."""
    standin.eks_cluster("demo")
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    _write_version(tmp_path, "0.1.0")
    (chart / "values.yaml").write_text("names: []\nfail: ''\ntags: {a: b}\n")
    (chart / "templates" / "classes.yaml").write_text(TEMPLATE)
    (tmp_path / "main.tf").write_text(PROVIDERS + CRDS + CLASSES)
    return tmp_path


def _write_version(directory: Path, version: str) -> None:
    (directory / "chart" / "Chart.yaml").write_text(
        f"apiVersion: v2\nname: classes\nversion: {version}\nappVersion: '7'\n"
    )


@pytest.fixture
def tf(terraform: Any, directory: Path) -> Any:
    made = terraform(directory)
    made.init()
    return made


@both_engines
def test_a_local_chart_is_rendered_and_kept(standin: Any, terraform: Any, directory: Path) -> None:
    tf = terraform(directory)
    tf.init()
    tf.apply(variables={"names": ["default", "gpu"]})
    release = standin.kubernetes.release("classes")
    assert [item["metadata"]["name"] for item in release.objects] == ["default", "gpu"]
    assert release.objects[0]["spec"] == {"tags": {"a": "b"}}
    assert release.values == {"names": ["default", "gpu"], "fail": ""}
    assert release.version == "0.1.0"
    assert tf.plan(variables={"names": ["default", "gpu"]}).empty
    tf.apply(variables={"names": ["gpu"]})
    release = standin.kubernetes.release("classes")
    assert [item["metadata"]["name"] for item in release.objects] == ["gpu"]
    assert release.revision == 2
    tf.destroy()
    assert standin.kubernetes.releases == {}


def test_a_release_of_a_registry_chart_keeps_what_it_was_given(standin: Any, tf: Any) -> None:
    tf.apply()
    release = standin.kubernetes.release("karpenter-crd")
    assert (release.chart, release.version, release.repository) == (
        "karpenter-crd",
        "1.14.2",
        "oci://public.ecr.aws/karpenter",
    )
    assert release.values == {"additionalAnnotations": {"helm.sh/resource-policy": "keep"}}


def test_a_failing_template_fails_the_apply(standin: Any, tf: Any) -> None:
    text = tf.apply(variables={"fail": "no such thing"}, fail=True).text
    assert "installation failed" in text
    assert "no such thing" in text
    assert [release.name for release in standin.kubernetes.releases.values()] == ["karpenter-crd"]
    tf.apply()


def test_a_chart_that_is_not_there_fails_the_plan(tf: Any, directory: Path) -> None:
    (directory / "chart").rename(directory / "elsewhere")
    assert "Unable to locate chart ./chart" in tf.plan_fails().text


def test_a_new_chart_version_is_a_change_and_a_new_template_alone_is_none(
    tf: Any, directory: Path
) -> None:
    tf.apply()
    template = directory / "chart" / "templates" / "classes.yaml"
    template.write_text(template.read_text() + "\n# more\n")
    assert tf.plan().empty
    _write_version(directory, "0.2.0")
    plan = tf.plan()
    assert plan.actions == {"helm_release.classes": ["update"]}
    assert plan.change("helm_release.classes")["after"]["version"] == "0.2.0"
    tf.apply()
    assert tf.plan().empty


@pytest.mark.parametrize(
    ("version", "passes"), [("0.1.0", True), ("v0.1.0", True), ("0.1.1", False)]
)
def test_a_configured_version_is_the_charts_own(
    tf: Any, directory: Path, version: str, passes: bool
) -> None:
    tf.apply()
    main = directory / "main.tf"
    pinned = CLASSES.replace("  timeout", f'  version   = "{version}"\n  timeout')
    main.write_text(PROVIDERS + CRDS + pinned)
    if passes:
        tf.apply()
        assert tf.plan().empty
    else:
        text = tf.plan_fails().text
        assert 'configuration is "0.1.1" but the planned version is "0.1.0"' in text


def test_values_are_merged_as_helm_merges_them(standin: Any, tf: Any, directory: Path) -> None:
    (directory / "main.tf").write_text(
        PROVIDERS
        + """
resource "helm_release" "x" {
  name       = "x"
  repository = "oci://example.com/charts"
  chart      = "x"
  version    = "1.0.0"
  values = [
    "a: {b: 1, c: [1, 2]}\\nold: yes\\noctal: 0123\\nexponent: 1e3\\nquoted: '1e3'",
    jsonencode({ a = { c = [3] }, text = "{{ x }} $${X} \\"q\\" \\\\ é" }),
  ]
  set           = [{ name = "a.d", value = "5" }, { name = "a.e", value = "5", type = "string" }]
  set_list      = [{ name = "a.f", value = ["x", "y"] }]
  set_sensitive = [{ name = "password", value = "hunter2" }]
}
"""
    )
    applied = tf.apply()
    values = standin.kubernetes.release("x").values
    assert values["a"] == {"b": 1, "c": [3], "d": 5, "e": "5", "f": ["x", "y"]}
    assert values["quoted"] == "1e3"
    assert values["exponent"] == 1000
    assert values["text"] == '{{ x }} ${X} "q" \\ é'
    assert values["password"] == "hunter2"
    assert "hunter2" not in applied.text
    metadata = tf.show()["values"]["root_module"]["resources"][-1]["values"]["metadata"]
    assert "hunter2" not in metadata["values"]
    assert tf.plan().empty


def test_a_value_that_is_no_yaml_fails_the_apply(tf: Any, directory: Path) -> None:
    bad = CRDS.split("  values")[0] + '  values = ["a: [1"]\n}\n'
    (directory / "main.tf").write_text(PROVIDERS + bad)
    assert "Error unmarshaling values" in tf.apply(fail=True).text


def test_a_name_that_is_in_use_fails_the_apply(tf: Any, directory: Path) -> None:
    second = CRDS.replace('"crds"', '"second"').replace(
        "{\n", "{\n  depends_on = [helm_release.crds]\n", 1
    )
    (directory / "main.tf").write_text(PROVIDERS + CRDS + second)
    assert "cannot re-use a name that is still in use" in tf.apply(fail=True).text


@pytest.mark.parametrize("create", [True, False])
def test_a_namespace_is_created_only_on_request(
    standin: Any, tf: Any, directory: Path, create: bool
) -> None:
    crds = CRDS.replace('"kube-system"', f'"karpenter"\n  create_namespace = {str(create).lower()}')
    (directory / "main.tf").write_text(PROVIDERS + crds)
    if create:
        tf.apply()
        assert standin.kubernetes.release("karpenter-crd").namespace == "karpenter"
    else:
        assert 'namespaces "karpenter" not found' in tf.apply(fail=True).text


def test_karpenters_kinds_need_its_crds(standin: Any, tf: Any, directory: Path) -> None:
    (directory / "main.tf").write_text(PROVIDERS + CLASSES_ALONE)
    text = tf.apply(fail=True).text
    assert 'no matches for kind "EC2NodeClass" in version "karpenter.k8s.aws/v1"' in text
    standin.eks_cluster("demo", crds=True, oidc_provider=False)
    tf.apply()


@pytest.mark.parametrize("skipped", [False, True])
def test_the_controllers_chart_brings_crds_unless_they_are_skipped(
    tf: Any, directory: Path, skipped: bool
) -> None:
    controller = CRDS.replace('"karpenter-crd"', '"karpenter"').replace(
        "{\n", f"{{\n  skip_crds = {str(skipped).lower()}\n", 1
    )
    (directory / "main.tf").write_text(PROVIDERS + controller + CLASSES)
    if skipped:
        assert 'no matches for kind "EC2NodeClass"' in tf.apply(fail=True).text
    else:
        tf.apply()


@pytest.mark.parametrize(("keep", "kept"), [(True, ["karpenter-crd"]), (False, [])])
def test_crds_are_kept_when_their_annotation_says_so(
    standin: Any, tf: Any, keep: bool, kept: list[str]
) -> None:
    tf.apply(variables={"keep": keep})
    tf.destroy()
    assert standin.kubernetes.kept == kept
    assert list(standin.kubernetes.crds.values()) == [keep]


def test_what_depends_is_made_later_and_removed_earlier(standin: Any, tf: Any) -> None:
    tf.apply()
    tf.destroy()
    create, create_classes, delete_classes, delete = standin.log.changes()
    assert [call.name for call in standin.log.changes()] == [
        "karpenter-crd",
        "classes",
        "classes",
        "karpenter-crd",
    ]
    assert create.finished < create_classes.started
    assert delete_classes.finished < delete.started


def test_a_local_chart_can_be_templated(tf: Any, directory: Path) -> None:
    (directory / "main.tf").write_text(
        PROVIDERS
        + """
data "helm_template" "x" {
  name   = "x"
  chart  = "${path.module}/chart"
  values = [jsonencode({ names = ["default"] })]
}
output "manifest" { value = data.helm_template.x.manifest }
"""
    )
    tf.apply()
    assert "kind: EC2NodeClass" in tf.output()["manifest"]
