"""Names are legal for every legal cluster, the same every time, and never shared."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.core.catalogue import NEWEST_VERSION, RELEASES
from modules.core.naming import Limit
from modules.iam import events, naming, policy
from modules.iam.settings import IamSettings
from tests.iam.baseline import settings

CLUSTER = st.from_regex(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}", fullmatch=True)
AFFIX = st.from_regex(r"[0-9A-Za-z_-]{0,32}", fullmatch=True)
EVERYWHERE = re.compile(r"[0-9A-Za-z_-]+")
"""Letters that roles, policies, queues and rules may all have in their names."""

KINDS: dict[str, tuple[int, Callable[[IamSettings], object]]] = {
    "controller role": (Limit.IAM_ROLE, naming.controller_role),
    "node role": (Limit.IAM_ROLE, naming.node_role),
    "queue": (Limit.SQS_QUEUE, naming.queue),
    **{
        f"{phrase} policy": (
            Limit.IAM_POLICY,
            lambda s, phrase=phrase: naming.controller_policy(s, phrase),
        )
        for phrase in policy.PHRASES.values()
    },
    "node policy": (Limit.IAM_POLICY, lambda s: naming.node_policy(s, "IPv6CNI")),
    **{
        f"{rule.phrase} rule": (
            Limit.EVENT_RULE,
            lambda s, phrase=rule.phrase: naming.event_rule(s, phrase),
        )
        for rule in events.rules(RELEASES[NEWEST_VERSION])
    },
}


def all_names(cluster: str, **affixes: str) -> dict[str, str]:
    chosen = settings(cluster_name=cluster, **affixes)
    return {kind: str(name(chosen)) for kind, (_, name) in KINDS.items()}


@given(CLUSTER, AFFIX, AFFIX)
def test_every_name_is_legal(cluster: str, prefix: str, suffix: str) -> None:
    for kind, name in all_names(cluster, name_prefix=prefix, name_suffix=suffix).items():
        assert EVERYWHERE.fullmatch(name), kind
        assert len(name) <= KINDS[kind][0], kind


@given(CLUSTER, CLUSTER)
def test_two_clusters_share_a_name_only_if_they_are_one(one: str, other: str) -> None:
    shared = [k for k, name in all_names(one).items() if name == all_names(other)[k]]
    assert shared == (list(KINDS) if one == other else [])


def test_long_names_that_differ_at_the_end_stay_different() -> None:
    one, other = all_names("c" * 99 + "1"), all_names("c" * 99 + "2")
    assert not set(one.values()) & set(other.values())


def test_a_cluster_s_own_names_differ() -> None:
    names = all_names("c" * 100)
    assert len(set(names.values())) == len(names)


def test_names_are_karpenter_s_phrases_and_the_cluster() -> None:
    assert all_names("demo") == {
        "controller role": "KarpenterController-demo",
        "node role": "KarpenterNodeRole-demo",
        "queue": "Karpenter-demo",
        "NodeLifecycle policy": "KarpenterControllerNodeLifecyclePolicy-demo",
        "IAMIntegration policy": "KarpenterControllerIAMIntegrationPolicy-demo",
        "EKSIntegration policy": "KarpenterControllerEKSIntegrationPolicy-demo",
        "Interruption policy": "KarpenterControllerInterruptionPolicy-demo",
        "ZonalShift policy": "KarpenterControllerZonalShiftPolicy-demo",
        "ResourceDiscovery policy": "KarpenterControllerResourceDiscoveryPolicy-demo",
        "Additional policy": "KarpenterControllerAdditionalPolicy-demo",
        "node policy": "KarpenterNodeIPv6CNIPolicy-demo",
        "HealthEvent rule": "KarpenterHealthEvent-demo",
        "SpotInterruption rule": "KarpenterSpotInterruption-demo",
        "Rebalance rule": "KarpenterRebalance-demo",
        "InstanceStateChange rule": "KarpenterInstanceStateChange-demo",
        "CapacityReservationInterruption rule": "KarpenterCapacityReservationInterruption-demo",
    }


def test_affixes_stand_around_the_name() -> None:
    names = all_names("demo", name_prefix="eu-", name_suffix="-blue")
    assert names["queue"] == "eu-Karpenter-demo-blue"


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("controller_role_name", "controller role"),
        ("node_role_name", "node role"),
        ("queue_name", "queue"),
    ],
)
def test_a_given_name_is_taken_as_it_is(field: str, kind: str) -> None:
    chosen = settings(name_prefix="eu-", **{field: "mine"})
    assert KINDS[kind][1](chosen) == "mine"
