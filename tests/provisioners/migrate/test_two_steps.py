"""Over v1beta1 or straight to v1: both ways give the same objects."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from modules.core.catalogue import RELEASES
from modules.provisioners.api.judge import judge
from modules.provisioners.migrate.convert import convert
from tests.provisioners.migrate.test_cases import OBJECTS

BETA, STABLE = RELEASES["0.37.8"], RELEASES["1.14.2"]

_TEXT = st.sampled_from(["a", "b-c", "m5.large"])
_REQUIREMENT = st.fixed_dictionaries(
    {
        "key": st.sampled_from(
            [
                "kubernetes.io/arch",
                "kubernetes.io/os",
                "karpenter.sh/capacity-type",
                "node.kubernetes.io/instance-type",
                "example.com/own",
            ]
        ),
        "operator": st.sampled_from(["In", "NotIn"]),
        "values": st.lists(_TEXT, min_size=1, max_size=2, unique=True),
    }
)
_TAINT = st.fixed_dictionaries(
    {"key": _TEXT, "effect": st.sampled_from(["NoSchedule", "NoExecute"])},
    optional={"value": _TEXT},
)
PROVISIONERS = st.fixed_dictionaries(
    {},
    optional={
        "requirements": st.lists(_REQUIREMENT, max_size=3),
        "labels": st.dictionaries(st.sampled_from(["x", "example.com/y"]), _TEXT, max_size=2),
        "taints": st.lists(_TAINT, max_size=1),
        "startupTaints": st.lists(_TAINT, max_size=1),
        "limits": st.just({"resources": {"cpu": "10"}}),
        "weight": st.integers(1, 100),
        "ttlSecondsUntilExpired": st.integers(0, 10_000_000),
        "ttlSecondsAfterEmpty": st.integers(0, 10_000),
        "kubeletConfiguration": st.sampled_from([{}, {"maxPods": 9}, {"podsPerCore": 2}]),
    },
)
TEMPLATES = st.fixed_dictionaries(
    {},
    optional={
        "amiFamily": st.sampled_from(["AL2", "Bottlerocket"]),
        "amiSelector": st.just({"aws::name": "a,b"}),
        "subnetSelector": st.sampled_from([{"Name": "a,b"}, {"aws-ids": "subnet-1,subnet-2"}]),
        "tags": st.just({"team": "a"}),
        "userData": st.just("echo\n"),
        "instanceProfile": st.just("mine"),
    },
)


def objects(pools: list[dict[str, Any]], template: dict[str, Any]) -> list[dict[str, Any]]:
    pool, node_class = OBJECTS["v1alpha5"]
    return [
        *(
            {
                **pool,
                "metadata": {"name": f"pool{n}"},
                "spec": {**pool["spec"], **spec},
            }
            for n, spec in enumerate(pools)
        ),
        {**node_class, "spec": {**node_class["spec"], **template}},
    ]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(PROVISIONERS, min_size=1, max_size=3), TEMPLATES)
def test_two_steps_equal_one(pools: list[dict[str, Any]], template: dict[str, Any]) -> None:
    given_objects = objects(pools, template)
    before = copy.deepcopy(given_objects)
    at_once = convert(given_objects, STABLE, "nodes")
    assert given_objects == before
    first = convert(given_objects, BETA, "nodes")
    assert first.faults == at_once.faults == []
    second = convert([made.manifest for made in first.objects], STABLE, "nodes")
    assert [m.manifest for m in second.objects] == [m.manifest for m in at_once.objects]
    for made in (*first.objects, *at_once.objects):
        release = BETA if made in first.objects else STABLE
        assert judge(made.manifest, release) == []
    # Nothing of what a user wrote in a pool is lost.
    assert len([m for m in at_once.objects if m.manifest["kind"] == "NodePool"]) == len(pools)


def test_what_is_new_already_is_not_touched() -> None:
    made = convert(objects([{}], {}), STABLE, "nodes")
    again = convert([m.manifest for m in made.objects], STABLE, "nodes")
    assert [m.manifest for m in again.objects] == []
