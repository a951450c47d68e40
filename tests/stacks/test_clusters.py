"""Where the cluster file is, and what of it may be left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.core.faults import InvalidInput
from stacks.clusters import DEFAULT_FILE, clusters_path, load_clusters
from stacks.schema import SCHEMA_FILE, schema_text
from stacks.settings import ClusterSettings


def context(value: object) -> str:
    return json.dumps({"clusters": value})


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({}, DEFAULT_FILE),
        ({"KARPENTER_CLUSTERS": ""}, DEFAULT_FILE),
        ({"KARPENTER_CLUSTERS": "my/file.yaml"}, Path("my/file.yaml")),
        ({"CDKTF_CONTEXT_JSON": context("other.yaml")}, Path("other.yaml")),
        ({"CDKTF_CONTEXT_JSON": ""}, DEFAULT_FILE),
        ({"CDKTF_CONTEXT_JSON": '{"excludeStackIdFromLogicalIds": "true"}'}, DEFAULT_FILE),
        (
            {"KARPENTER_CLUSTERS": "my.yaml", "CDKTF_CONTEXT_JSON": context("other.yaml")},
            Path("my.yaml"),
        ),
    ],
)
def test_the_variable_goes_before_the_context_and_that_before_the_default(
    environ: dict[str, str], path: Path
) -> None:
    assert clusters_path(environ) == path


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("{", "is not JSON"),
        (context(3), "is not a path"),
        (context(""), "is not a path"),
        (context(["a.yaml"]), "is not a path"),
    ],
)
def test_a_broken_context_is_told(text: str, fragment: str) -> None:
    with pytest.raises(InvalidInput, match=fragment) as caught:
        clusters_path({"CDKTF_CONTEXT_JSON": text})
    assert str(caught.value).startswith("CDKTF_CONTEXT_JSON: 1 fault")


def test_the_example_is_the_file_that_it_is_meant_to_be() -> None:
    first, second = load_clusters(DEFAULT_FILE)
    assert (first.name, first.region) == ("blueprint-construct-dev", "us-west-2")
    assert (first.kubernetes_version, first.karpenter_version) == ("1.34", "1.14.2")
    assert first.interruption_handling is True
    assert first.tags == {"schedule": "always-on"}
    (pool,) = first.node_pools.values()
    node = pool["template"]["spec"]
    assert {(r["key"], r["operator"], *r["values"]) for r in node["requirements"]} == {
        ("node.kubernetes.io/instance-type", "In", "m5.2xlarge", "m6i.2xlarge", "m7i.2xlarge"),
        ("topology.kubernetes.io/zone", "NotIn", "us-west-2c"),
        ("kubernetes.io/arch", "In", "amd64"),
        ("karpenter.sh/capacity-type", "In", "spot", "on-demand"),
    }
    assert node["taints"] == [{"key": "workload", "value": "test", "effect": "NoSchedule"}]
    assert node["expireAfter"] == "720h"
    assert pool["disruption"]["consolidationPolicy"] == "WhenEmptyOrUnderutilized"
    assert pool["weight"] == 20
    assert pool["limits"]
    (node_class,) = first.node_classes.values()
    assert list(node_class["subnetSelectorTerms"][0]["tags"]) == ["Name"]
    assert node_class["securityGroupSelectorTerms"][0]["tags"]
    assert not node_class["amiSelectorTerms"][0]["alias"].endswith("@latest")

    assert second.ip_family == "ipv6"
    assert second.allowed_account_ids == ["222222222222"]
    assert sorted(second.node_pools) == sorted(second.node_classes) == ["general", "gpu"]
    assert "arm64" in json.dumps(second.node_pools["general"])
    assert "nvidia" in json.dumps(second.node_pools["gpu"])


def test_its_first_line_tells_editors_its_schema() -> None:
    first = DEFAULT_FILE.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={SCHEMA_FILE.name}"
    assert SCHEMA_FILE.parent == DEFAULT_FILE.parent


def test_the_committed_schema_is_the_one_of_the_settings() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


def test_the_id_is_the_name_unless_given() -> None:
    facts = {"name": "dev", "region": "us-west-2", "kubernetes_version": "1.34"}
    assert ClusterSettings(**facts).stack_id == "dev"
    assert ClusterSettings(**facts, id="one").stack_id == "one"
