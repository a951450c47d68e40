"""Which pools may launch spot instances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import Api
from stacks.spot import allows_spot, pools_with_spot, validation
from tests.evaluation import evaluate

KEY = "karpenter.sh/capacity-type"


def pool(*requirements: tuple[str, list[str] | None], labels: dict[str, str] | None = None) -> Any:
    listed = [
        {"key": KEY, "operator": operator, "values": values} for operator, values in requirements
    ]
    return {"template": {"metadata": {"labels": labels or {}}, "spec": {"requirements": listed}}}


CASES: list[tuple[Any, bool]] = [
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
]


@pytest.mark.parametrize(("given", "allowed"), CASES)
def test_a_pool_allows_spot_unless_it_says_otherwise(given: Any, allowed: bool) -> None:
    assert allows_spot(given) is allowed


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({}, False),
        ({"requirements": []}, False),
        ({"requirements": [{"key": KEY, "operator": "In", "values": ["spot"]}]}, True),
        ({"requirements": [{"key": KEY, "operator": "In", "values": ["on-demand"]}]}, False),
        ({"requirements": [{"key": KEY, "operator": "Exists"}]}, True),
        ({"labels": {KEY: "spot"}}, True),
        ({"labels": {KEY: "on-demand"}}, False),
        ({"spec": {"labels": {KEY: "spot"}}, "kind": "Provisioner"}, True),
        (pool(("In", ["spot"])), False),
    ],
)
def test_a_provisioner_allows_spot_only_where_it_says_so(given: Any, allowed: bool) -> None:
    assert allows_spot(given, Api.V1ALPHA5) is allowed


def test_pools_with_spot_are_named() -> None:
    pools = {"a": pool(), "b": pool(("In", ["on-demand"])), "c": pool(("In", ["spot"]))}
    assert pools_with_spot(pools) == ["a", "c"]


def test_terraform_names_the_same_pools(tmp_path: Path) -> None:
    pools = {f"case-{n}": given for n, (given, _) in enumerate(CASES)}
    rule = validation("switch", "pools")
    given = {"pools": pools, "switch": False}
    outputs = {"met": f"${{{rule.condition}}}", "says": rule.error_message}
    found = evaluate(tmp_path, outputs, variables=given)
    assert found["met"] is False
    named = found["says"].partition("instances: ")[2].partition(". Allowed")[0].split(", ")
    assert sorted(named) == sorted(pools_with_spot(pools))


@pytest.mark.parametrize(
    ("switch", "pools"), [(True, {"a": pool()}), (False, {"a": pool(("In", ["on-demand"]))})]
)
def test_terraform_has_nothing_to_say(switch: bool, pools: Any, tmp_path: Path) -> None:
    rule = validation("switch", "pools")
    given = {"pools": pools, "switch": switch}
    assert evaluate(tmp_path, {"met": f"${{{rule.condition}}}"}, variables=given) == {"met": True}
