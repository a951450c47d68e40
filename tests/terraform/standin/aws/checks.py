"""Limits that AWS itself enforces when it is called, and that moto does not.

Sources: IAM and STS quotas, Amazon EventBridge quotas and Amazon SQS quotas in the AWS
documentation; the wording follows the services' own messages.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import AwsError

MANAGED_POLICY_SIZE = 6144
INLINE_POLICIES_SIZE = 10240
TRUST_POLICY_SIZE = 2048
POLICIES_PER_ROLE = 10
EVENT_PATTERN_SIZE = 2048
TARGETS_PER_RULE = 5
_QUEUE_NAME = re.compile(r"[0-9A-Za-z_-]{1,80}|[0-9A-Za-z_-]{1,75}\.fifo")
_WHITE_SPACE = re.compile(r"\s")


def policy_size(document: str) -> int:
    """Characters of a policy as IAM counts them: white space is free."""
    return len(_WHITE_SPACE.sub("", document))


def managed_policy(document: str) -> None:
    if policy_size(document) > MANAGED_POLICY_SIZE:
        raise AwsError(
            "LimitExceeded", f"Cannot exceed quota for PolicySize: {MANAGED_POLICY_SIZE}"
        )


def trust_policy(document: str) -> None:
    if policy_size(document) > TRUST_POLICY_SIZE:
        raise AwsError(
            "LimitExceeded", f"Cannot exceed quota for ACLSizePerRole: {TRUST_POLICY_SIZE}"
        )


def inline_policies(role: str, documents: list[str]) -> None:
    if sum(map(policy_size, documents)) > INLINE_POLICIES_SIZE:
        raise AwsError(
            "LimitExceeded",
            f"Maximum policy size of {INLINE_POLICIES_SIZE} bytes exceeded for role {role}",
        )


def another_attachment(attached: int) -> None:
    """:param attached: policies that the role has already."""
    if attached >= POLICIES_PER_ROLE:
        raise AwsError(
            "LimitExceeded", f"Cannot exceed quota for PoliciesPerRole: {POLICIES_PER_ROLE}"
        )


def queue_name(name: str) -> None:
    if not _QUEUE_NAME.fullmatch(name):
        raise AwsError(
            "InvalidParameterValue",
            "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length",
        )


def event_pattern(pattern: str) -> None:
    """Every leaf of a pattern is a non-empty list; everything above is an object."""
    reason = _pattern_fault(json.loads(pattern), "")
    if len(pattern) > EVENT_PATTERN_SIZE:
        reason = f"Event pattern is longer than {EVENT_PATTERN_SIZE} characters"
    if reason:
        raise AwsError(
            "InvalidEventPatternException", f"Event pattern is not valid. Reason: {reason}"
        )


def _pattern_fault(node: Any, path: str) -> str:
    if isinstance(node, list):
        return "" if node else f"Empty arrays are not allowed at {path}"
    if not isinstance(node, dict):
        return f'"{path or "pattern"}" must be an object or an array'
    if not node:
        return f"Empty objects are not allowed at {path or 'the top'}"
    for key, value in node.items():
        if key == "$or":
            continue
        if fault := _pattern_fault(value, f"{path}.{key}".lstrip(".")):
            return fault
    return ""


def another_target(targets: int) -> None:
    """:param targets: targets that the rule has already."""
    if targets >= TARGETS_PER_RULE:
        raise AwsError(
            "LimitExceededException",
            f"The requested resource exceeds the maximum number allowed: {TARGETS_PER_RULE}",
        )
