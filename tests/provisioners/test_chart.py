"""The local chart: what Helm itself makes of its values, and its version."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
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

# As Helm 3 takes a rendered file apart, with all white space around a document.
BETWEEN = re.compile(r"(?:^|\s*\n)---\s*")
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
    documents = (part.strip() for text in rendered.values() for part in BETWEEN.split(text))
    return [yaml.safe_load(document) for document in documents if document]


def objects_and_hooks(
    rendered: list[dict[str, Any]],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What an install makes, and what an uninstall runs: Helm knows hooks by this annotation."""
    kinds: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for found in rendered:
        kinds["helm.sh/hook" in found["metadata"].get("annotations", {})].append(found)
    return kinds[False], kinds[True]


def without(annotations: Collection[str], given: dict[str, Any]) -> dict[str, Any]:
    """An object without some of its annotations."""
    metadata = dict(given["metadata"])
    left = {k: v for k, v in metadata.pop("annotations", {}).items() if k not in annotations}
    return {**given, "metadata": {**metadata, **({"annotations": left} if left else {})}}


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
    [made], _ = objects_and_hooks(render(chart, chart_values(node_class_kind(RELEASE), classes())))
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
    rendered = render(chart, chart_values(node_class_kind(RELEASE), given))
    assert [len(found) for found in objects_and_hooks(rendered)] == [1, 1]
    for made in rendered:
        assert made["spec"] == {"userData": value}
        assert type(made["spec"]["userData"]) is type(value)


HOOK = {
    "helm.sh/hook": "pre-delete",
    "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
}
METADATA: dict[str, dict[str, Any]] = {
    "nothing": {},
    "labels": {"labels": {"a": "no"}},
    "annotations": {"annotations": {"b": "1e3"}},
    "an annotation of Helm's": {"annotations": {"helm.sh/resource-policy": "keep"}},
    "both": {"labels": {"a": "no"}, "annotations": {"b": "1e3"}},
}


@pytest.mark.parametrize("metadata", METADATA.values(), ids=METADATA)
def test_each_class_is_its_own_hook_before_the_release_goes(
    chart: helm.Chart, metadata: dict[str, Any]
) -> None:
    given = {
        name: {**metadata, "spec": {"userData": f"{name}: {{{{ x }}}}"}} for name in ("a", "b")
    }
    made, hooks = objects_and_hooks(render(chart, chart_values(node_class_kind(RELEASE), given)))
    assert [found["metadata"]["name"] for found in made] == ["a", "b"]
    assert [without(HOOK, hook) for hook in hooks] == made
    for hook in hooks:
        assert hook["metadata"]["annotations"] == {**metadata.get("annotations", {}), **HOOK}


def test_a_pool_is_no_hook(chart: helm.Chart) -> None:
    made, hooks = objects_and_hooks(render(chart, chart_values(node_pool_kind(RELEASE), pools())))
    assert (len(made), hooks) == (1, [])


def test_no_objects_render_nothing(chart: helm.Chart) -> None:
    assert render(chart, chart_values(node_pool_kind(RELEASE), {})) == []


@pytest.mark.parametrize(
    "values",
    [
        chart_values(node_pool_kind(RELEASE), pools()),
        chart_values(node_class_kind(RELEASE), classes()),
    ],
    ids=["pools", "classes"],
)
def test_helm_finds_nothing_to_complain_of(tmp_path: Path, values: dict[str, Any]) -> None:
    chart_package.write(tmp_path / "karpenter-provisioners")
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
