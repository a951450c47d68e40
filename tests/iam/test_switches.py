"""Decisions stay literal where they can and become conditions where they must."""

from __future__ import annotations

from typing import Any

import pytest

from modules.core.expressions import Expr
from modules.iam import node, switches
from modules.iam.switches import both
from tests.iam.baseline import ROLE_ARN, settings

A, B = Expr("var.a"), Expr("var.b")
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
    assert switches.node_policy(chosen, node.CNI) == ipv4
    assert switches.node_ipv6_cni_policy(chosen) == ipv6


@pytest.mark.parametrize("policy", [node.WORKER, node.ECR_PULL_ONLY, node.SSM])
def test_a_role_made_here_gets_what_every_node_needs(policy: node.ManagedPolicy) -> None:
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
