"""Decisions stay literal where they can and become conditions where they must."""

from __future__ import annotations

from typing import Any

import pytest

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.iam import node, switches
from modules.iam.switches import both
from tests.iam.baseline import ROLE_ARN, settings

A, B = Expr("var.a"), Expr("var.b")
NEWEST = RELEASES["1.15.1"]


def managed(id_: str) -> node.ManagedPolicy:
    return next(p for p in node.managed_policies(NEWEST) if p.id == id_)


OWN = {"create_node_role": False, "node_role_arn": ROLE_ARN}


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        (True, True, True),
        (True, False, False),
        (False, True, False),
        (True, A, A),
        (A, True, A),
        (False, A, False),
        (A, False, False),
        (A, B, Expr("var.a && var.b")),
    ],
)
def test_both_is_decided_as_early_as_possible(first: Any, second: Any, result: Any) -> None:
    assert both(first, second) == result


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, True),
        ({"create_access_entry": False}, False),
        (OWN, False),
        ({**OWN, "create_access_entry": True}, True),
        ({"create_node_role": A}, A),
        ({"create_access_entry": A}, Expr("coalesce(var.a, true)")),
        ({**OWN, "create_access_entry": A}, Expr("coalesce(var.a, false)")),
        ({"create_access_entry": A, "create_node_role": B}, Expr("coalesce(var.a, var.b)")),
    ],
)
def test_an_access_entry_follows_the_role_unless_told(
    changes: dict[str, Any], wanted: object
) -> None:
    assert switches.access_entry(settings(**changes)) == wanted


@pytest.mark.parametrize(
    ("changes", "ipv4", "ipv6"),
    [
        ({}, True, False),
        ({"ip_family": "ipv6"}, False, True),
        ({"attach_cni_policy": False}, False, False),
        ({"ip_family": "ipv6", "attach_cni_policy": False}, False, False),
        (OWN, False, False),
        ({"ip_family": A}, Expr('var.a == "ipv4"'), Expr('var.a == "ipv6"')),
        ({"attach_cni_policy": A}, A, False),
    ],
)
def test_the_cni_gets_the_policy_of_its_ip_family(
    changes: dict[str, Any], ipv4: object, ipv6: object
) -> None:
    chosen = settings(**changes)
    assert switches.node_policy(chosen, managed("cni")) == ipv4
    assert switches.node_ipv6_cni_policy(chosen) == ipv6


@pytest.mark.parametrize("id_", ["worker", "ecr", "ssm"])
def test_a_role_made_here_gets_what_every_node_needs(id_: str) -> None:
    policy = managed(id_)
    assert switches.node_policy(settings(attach_cni_policy=False), policy) is True
    assert switches.node_policy(settings(**OWN), policy) is False


@pytest.mark.parametrize(
    ("statements", "wanted"),
    [([], False), ([{}], True), (A, Expr("length(var.a) > 0"))],
)
def test_statements_of_the_user_make_a_policy(statements: object, wanted: object) -> None:
    chosen = settings(controller_policy_statements=statements)
    assert switches.additional_policy(chosen) == wanted


def test_a_role_that_is_nowhere_is_an_error() -> None:
    with pytest.raises(ValueError, match="no node role is made and none is given"):
        node.arn(settings(create_node_role=False), None)


@pytest.mark.parametrize(
    ("version", "asked", "made"),
    [
        ("0.31.5", None, True),
        ("0.32.0", None, False),
        ("0.31.5", False, False),
        ("1.14.2", True, True),
        ("1.14.2", A, Expr("coalesce(var.a, false)")),
        ("0.31.5", A, Expr("coalesce(var.a, true)")),
    ],
)
def test_an_instance_profile_is_made_where_karpenter_makes_none(
    version: str, asked: object, made: object
) -> None:
    chosen = settings(create_instance_profile=asked)
    assert switches.instance_profile(chosen, RELEASES[version]) == made


@pytest.mark.parametrize(
    ("version", "asked", "made"),
    [
        ("0.18.1", True, False),
        ("0.19.0", True, True),
        ("0.19.1", True, True),
        ("0.19.0", False, False),
        ("0.18.1", A, False),
        ("0.19.0", A, A),
    ],
)
def test_a_queue_is_made_where_the_release_reads_one(
    version: str, asked: object, made: object
) -> None:
    chosen = settings(interruption_handling=asked)
    assert switches.interruption(chosen, RELEASES[version]) == made
