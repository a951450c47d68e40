"""A cluster in the add-on's style is the same cluster as in Karpenter's own fields."""

from __future__ import annotations

from typing import Any

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
