"""Which pools may launch spot instances."""

from __future__ import annotations

from typing import Any

import pytest

from stacks.spot import allows_spot, pools_with_spot

KEY = "karpenter.sh/capacity-type"


def pool(*requirements: tuple[str, list[str] | None], labels: dict[str, str] | None = None) -> Any:
    listed = [
        {"key": KEY, "operator": operator, "values": values} for operator, values in requirements
    ]
    return {"template": {"metadata": {"labels": labels or {}}, "spec": {"requirements": listed}}}


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        (pool(), True),
        (pool(("In", ["spot"])), True),
        (pool(("In", ["on-demand", "spot"])), True),
        (pool(("In", ["on-demand"])), False),
        (pool(("In", ["reserved", "on-demand"])), False),
        (pool(("NotIn", ["spot"])), False),
        (pool(("NotIn", ["on-demand"])), True),
        (pool(("Exists", None)), True),
        (pool(("DoesNotExist", None)), False),
        (pool(("In", ["spot", "on-demand"]), ("NotIn", ["spot"])), False),
        (pool(("In", ["spot", "on-demand"]), ("NotIn", ["reserved"])), True),
        (pool(labels={KEY: "on-demand"}), False),
        (pool(labels={KEY: "spot"}), True),
        ({"spec": pool(("In", ["on-demand"])), "kind": "NodePool"}, False),
        ({"spec": pool(("In", ["spot"])), "kind": "NodePool"}, True),
        ({"template": {"spec": {"requirements": [{"key": "other", "operator": "In"}]}}}, True),
        ({}, True),
        (None, True),
        ({"template": {"spec": {"requirements": "spot"}}}, True),
    ],
)
def test_a_pool_allows_spot_unless_it_says_otherwise(given: Any, allowed: bool) -> None:
    assert allows_spot(given) is allowed


def test_pools_with_spot_are_named() -> None:
    pools = {"a": pool(), "b": pool(("In", ["on-demand"])), "c": pool(("In", ["spot"]))}
    assert pools_with_spot(pools) == ["a", "c"]
