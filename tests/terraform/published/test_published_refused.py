"""Calls of the whole installation that a plan refuses, each beside one that it takes."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from stacks import spot
from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import CLASS, OBJECTS, POOL, facts, root
from tests.terraform.standin.standin import Standin

WRONG_CLASS = {**CLASS, "kubelet": {"maxPods": "many"}}
WRONG_POOL = {**POOL, "weight": 101}
ON_DEMAND = copy.deepcopy(POOL)
ON_DEMAND["template"]["spec"]["requirements"].append(
    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}
)


def made(node_class: Any = CLASS, node_pool: Any = POOL, **more: Any) -> dict[str, Any]:
    return {"node_classes": {"general": node_class}, "node_pools": {"web": node_pool}, **more}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (OBJECTS, []),
        (made({**CLASS, "kubelet": {"maxPods": 110}}, {**POOL, "weight": 100}), []),
        (made(WRONG_CLASS), ["general: kubelet.maxPods: is not a whole number"]),
        (made(node_pool=WRONG_POOL), ["web: weight: is not allowed"]),
        (
            made(WRONG_CLASS, WRONG_POOL),
            ["general: kubelet.maxPods: is not a whole number", "web: weight: is not allowed"],
        ),
        ({"node_pools": {"web": WRONG_POOL}}, ["web: template.spec.nodeClassRef.name: names no"]),
        (made(node_pool=ON_DEMAND, interruption_handling=False), []),
        (
            made(interruption_handling=False),
            [
                "interruption_handling: is off, while pools may launch "
                f"spot instances: web. Allowed: {spot.ALLOWED}. Fix: {spot.FIX}."
            ],
        ),
    ],
)
def test_a_plan_tells_every_fault_and_takes_what_has_none(
    given: dict[str, Any],
    told: list[str],
    standin: Standin,
    terraform: MakeTerraform,
    tmp_path: Path,
) -> None:
    cluster = standin.eks_cluster("demo")
    variables = {**facts("karpenter", cluster), **given}
    tf = terraform(root(tmp_path, "karpenter", variables, endpoint=cluster.endpoint))
    tf.init()
    if told:
        said = tf.plan_fails().text
        assert [fault for fault in told if fault not in said] == []
    else:
        assert tf.plan().actions
