"""The local chart: what Helm itself makes of its values, and its version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import helm_python as helm
import pytest
import yaml

from modules.core.expressions import json_document
from modules.provisioners import chart_package
from modules.provisioners.kinds import node_class_kind, node_pool_kind
from modules.provisioners.manifests import chart_values
from tests.provisioners.facts import RELEASE, classes, pools

SEMANTIC_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)\+[0-9a-z]+")


@pytest.fixture(scope="module")
def chart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[helm.Chart]:
    folder = tmp_path_factory.mktemp("chart")
    chart_package.write(folder)
    with helm.Chart.load(folder) as loaded:
        yield loaded


def render(chart: helm.Chart, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects, from values that went through the document that Terraform is given."""
    escaped = json_document(values).replace("$${", "${").replace("%%{", "%{")
    read = helm.values_from_yaml(escaped)  # as the Helm provider reads it
    rendered = chart.render(read, name="karpenter-pools", namespace="kube-system")
    return [found for text in rendered.values() for found in yaml.safe_load_all(text) if found]


def test_each_entry_is_rendered_once_in_alphabetical_order(chart: helm.Chart) -> None:
    given = {name: {"spec": {"weight": n}} for n, name in enumerate(("c", "a", "b"), 1)}
    assert render(chart, chart_values(node_pool_kind(RELEASE), given)) == [
        {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodePool",
            "metadata": {"name": name},
            "spec": {"weight": weight},
        }
        for name, weight in (("a", 2), ("b", 3), ("c", 1))
    ]


def test_the_baseline_is_rendered_as_completed(chart: helm.Chart) -> None:
    [made] = render(chart, chart_values(node_class_kind(RELEASE), classes()))
    assert made["spec"] == classes()["default"]["spec"]
    assert (made["apiVersion"], made["kind"]) == ("karpenter.k8s.aws/v1", "EC2NodeClass")
    [made] = render(chart, chart_values(node_pool_kind(RELEASE), pools()))
    assert made["spec"] == pools()["default"]["spec"]


def test_labels_and_annotations_are_the_only_metadata_beside_the_name(chart: helm.Chart) -> None:
    given = {"x": {"labels": {"a": "no"}, "annotations": {"b": "1e3"}, "spec": {}}}
    [made] = render(chart, chart_values(node_pool_kind(RELEASE), given))
    assert made["metadata"] == {"name": "x", "labels": {"a": "no"}, "annotations": {"b": "1e3"}}


def test_empty_labels_are_left_out(chart: helm.Chart) -> None:
    given: dict[str, Any] = {"x": {"labels": {}, "annotations": {}, "spec": {}}}
    [made] = render(chart, chart_values(node_pool_kind(RELEASE), given))
    assert made["metadata"] == {"name": "x"}


@pytest.mark.parametrize(
    "value",
    [
        "{{ .Values.kind }}",
        "{{- end }}",
        "${X} $${Y}",
        "%{if true}",
        "no",
        "true",
        "null",
        "~",
        "1e3",
        "0123",
        "0x1F",
        "12:34:56",
        "2026-12-01",
        " padded ",
        "",
        "quote ' and \" and \\ and `",
        "# no comment",
        "a: b",
        "- item",
        "<<EOF\nx\nEOF\n",
        "#!/bin/bash\r\nset -e\r\necho \"${HOME}\" '{{ x }}'\r\n",
        "trailing lines\n\n\n",
        "\ttab",
        "é ü 漢字 🚀",
        "<&>",
        "x" * 300,
        110,
        1_000_000,
        12_345_678_901,
        0,
        -1,
        True,
        False,
        [],
        {},
        ["a", {"b": [1, "2"]}],
    ],
)
def test_a_value_comes_out_as_it_went_in(chart: helm.Chart, value: object) -> None:
    given = {"x": {"spec": {"userData": value}}}
    [made] = render(chart, chart_values(node_class_kind(RELEASE), given))
    assert made["spec"] == {"userData": value}
    assert type(made["spec"]["userData"]) is type(value)


def test_no_objects_render_nothing(chart: helm.Chart) -> None:
    assert render(chart, chart_values(node_pool_kind(RELEASE), {})) == []


def test_helm_finds_nothing_to_complain_of(tmp_path: Path) -> None:
    chart_package.write(tmp_path / "karpenter-provisioners")
    values = chart_values(node_pool_kind(RELEASE), pools())
    report = helm.lint(tmp_path / "karpenter-provisioners", values, strict=True)
    informative = {"icon is recommended"}
    assert {message["error"] for message in report["messages"]} <= informative
    assert report["errors"] == []


def test_the_version_is_the_charts_own_and_semantic(chart: helm.Chart) -> None:
    assert chart.version == chart_package.version()
    assert SEMANTIC_VERSION.fullmatch(chart.version)


@pytest.mark.parametrize("file", sorted(chart_package.files()))
def test_a_change_of_any_file_changes_the_version(file: str) -> None:
    before = chart_package.version_of(chart_package.sources())
    changed = {**chart_package.sources(), file: chart_package.sources()[file] + b"\n"}
    assert chart_package.version_of(changed) != before


def test_writing_twice_gives_the_same_files(tmp_path: Path) -> None:
    for _ in range(2):
        chart_package.write(tmp_path)
        found = {
            path.relative_to(tmp_path).as_posix(): path.read_bytes()
            for path in tmp_path.rglob("*")
            if path.is_file()
        }
        assert found == chart_package.files()
