"""Independent tools know every action, and find nothing in the policies but what is meant."""

from __future__ import annotations

import json
import warnings

import pytest

from modules.core.catalogue import NEWEST_VERSION, RELEASES
from modules.iam import node, policy, queue
from modules.iam.facts import Facts
from tests.iam.baseline import ACCOUNT, ROLE_ARN, all_groups

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pkg_resources, which parliament still uses
    import parliament
    from policy_sentry.querying.all import get_all_actions

FACTS = Facts("blueprint", "aws", "us-west-2", ACCOUNT)
QUEUE_ARN = f"arn:aws:sqs:us-west-2:{ACCOUNT}:Karpenter-blueprint"

# Launching needs several resources, which upstream grants in statements of their own; AWS's SSM
# parameters are no account's; zonal shift is limited by a condition; addresses are assigned to
# interfaces that exist only later (the VPC CNI's own policy says so).
MEANT = {
    "node_lifecycle": {"RESOURCE_MISMATCH"},
    "resource_discovery": {"RESOURCE_MISMATCH"},
    "zonal_shift": {"RESOURCE_STAR"},
    "node_ipv6_cni": {"RESOURCE_STAR"},
}


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Every action of AWS, in lower case."""
    return {action.lower() for action in get_all_actions()}


def documents() -> dict[str, dict[str, object]]:
    groups = all_groups(RELEASES[NEWEST_VERSION], FACTS, ROLE_ARN, QUEUE_ARN)
    found = {group.id: group.document for group in groups}
    return {**found, "node_ipv6_cni": node.ipv6_cni_policy("aws")}


def findings(document: object) -> set[str]:
    analysed = parliament.analyze_policy_string(json.dumps(document))
    return {finding.issue for finding in analysed.findings}


def actions(document: dict[str, object]) -> set[str]:
    statements = document["Statement"]
    assert isinstance(statements, list)
    listed = [s["Action"] if isinstance(s["Action"], list) else [s["Action"]] for s in statements]
    return {action for actions in listed for action in actions}


@pytest.mark.parametrize("name", documents())
def test_the_linter_finds_only_what_is_meant(name: str) -> None:
    assert findings(documents()[name]) == MEANT.get(name, set())


def test_the_linter_would_find_a_misspelt_action() -> None:
    wrong = {"Effect": "Allow", "Action": "ec2:CreateFleets", "Resource": "*"}
    found = findings(policy.additional([wrong]).document)
    assert "UNKNOWN_ACTION" in found


@pytest.mark.parametrize("version", RELEASES)
def test_every_action_exists(version: str, known: set[str]) -> None:
    used = set()
    for group in all_groups(RELEASES[version], FACTS, ROLE_ARN, QUEUE_ARN):
        used |= actions(group.document)
    assert {action for action in used if action.lower() not in known} == set()


def test_what_the_queue_allows_exists() -> None:
    allowed = actions(queue.policy(QUEUE_ARN)) - {"sqs:*"}
    assert allowed == {"sqs:SendMessage"}
