"""A cluster in the add-on's style is the same cluster as in Karpenter's own fields."""

from __future__ import annotations

from typing import Any

import pytest

from modules.core.inputs import parse
from modules.provisioners.add_on_settings import AddOnSettings
from stacks.add_on import expanded
from stacks.rules import check_cluster
from stacks.settings import ClusterSettings

FACTS: dict[str, Any] = {"name": "dev", "region": "us-west-2", "kubernetes_version": "1.34"}
TAGS = {"subnet_tags": {"Name": "a"}, "security_group_tags": {"Name": "b"}}
SPOT = {"key": "karpenter.sh/capacity-type", "op": "In", "vals": ["spot", "on-demand"]}


def test_the_block_takes_its_place_in_the_cluster() -> None:
    given = ClusterSettings(
        **FACTS,
        release={"timeout_seconds": 300},
        add_on={
            "ami_alias": "al2023@v20260917",
            **TAGS,
            "requirements": [SPOT],
            "weight": 20,
            "interruption_handling": True,
            "values": {"replicas": 1},
        },
    )
    found = expanded(given)
    (pool,) = found.node_pools.values()
    assert pool["weight"] == 20
    assert pool["template"]["spec"]["requirements"] == [
        {"key": SPOT["key"], "operator": "In", "values": SPOT["vals"]}
    ]
    assert found.node_classes["default"]["amiSelectorTerms"] == [{"alias": "al2023@v20260917"}]
    assert found.interruption_handling is True
    assert (found.release.values, found.release.timeout_seconds) == ({"replicas": 1}, 300)
    assert found.add_on is None
    assert check_cluster(given) == check_cluster(found) == []


def test_what_the_block_leaves_alone_stays() -> None:
    given = ClusterSettings(
        **FACTS,
        interruption_handling=False,
        release={"values": {"replicas": 1}},
        add_on={"ami_alias": "al2023@v20260917"},
    )
    found = expanded(given)
    assert found.interruption_handling is False
    assert found.release.values == {"replicas": 1}


def test_a_cluster_without_the_block_is_itself() -> None:
    given = ClusterSettings(**FACTS)
    assert expanded(given) is given


@pytest.mark.parametrize(
    ("block", "version", "release"),
    [
        ({}, "1.14.2", {}),
        ({"version": "v1.15.1"}, "v1.15.1", {}),
        ({"namespace": "platform"}, "1.14.2", {"namespace": "platform"}),
        ({"helm_chart_timeout": "5m"}, "1.14.2", {"timeout_seconds": 300}),
        ({"repository": "oci://public.ecr.aws/karpenter/karpenter"}, "1.14.2", {}),
        (
            {"repository": "oci://mirror.example.com/charts/karpenter"},
            "1.14.2",
            {"chart_repository": "oci://mirror.example.com/charts"},
        ),
        ({"version": "0.16.3", "repository": "https://charts.karpenter.sh"}, "0.16.3", {}),
        (
            {"version": "0.16.3", "repository": "https://mirror.example.com/charts"},
            "0.16.3",
            {"chart_repository": "https://mirror.example.com/charts"},
        ),
    ],
)
def test_what_it_says_of_the_installation_becomes_the_clusters(
    block: dict[str, Any], version: str, release: dict[str, Any]
) -> None:
    settings, faults = parse(AddOnSettings, block)
    assert settings, faults
    found = expanded(ClusterSettings(**FACTS, add_on=settings))
    assert found.karpenter_version == version
    assert found.release == ClusterSettings(**FACTS).release.model_copy(update=release)


def test_what_the_cluster_says_stays_where_the_block_says_nothing() -> None:
    release = {"namespace": "platform", "timeout_seconds": 300}
    given = ClusterSettings(**FACTS, karpenter_version="1.15.1", release=release, add_on={})
    found = expanded(given)
    assert (found.karpenter_version, found.release) == ("1.15.1", given.release)
