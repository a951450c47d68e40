"""What the aws provider refuses before it calls AWS, so already at ``terraform validate``.

Source: the ``ValidateFunc`` and ``ConflictsWith`` of the resources in
hashicorp/terraform-provider-aws 6.x.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import Problem
from ..values import UNKNOWN, State, known_text

_IAM_NAME = r"[0-9A-Za-z+=,.@_-]+"
_EVENTS_NAME = r"[0-9A-Za-z._-]+"
_ARN = r"arn:aws[\w-]*:[\w-]+:[\w-]*:(?:\d{12}|aws)?:.+"


@dataclass(frozen=True)
class _Text:
    maximum: int
    characters: str | None = None


TEXTS: dict[str, dict[str, _Text]] = {
    "aws_iam_role": {
        "name": _Text(64, _IAM_NAME),
        "name_prefix": _Text(38, _IAM_NAME),
        "description": _Text(1000),
    },
    "aws_iam_policy": {
        "name": _Text(128, _IAM_NAME),
        "name_prefix": _Text(102, _IAM_NAME),
        "description": _Text(1000),
    },
    "aws_iam_role_policy": {"name": _Text(128, _IAM_NAME), "name_prefix": _Text(102, _IAM_NAME)},
    "aws_iam_instance_profile": {
        "name": _Text(128, _IAM_NAME),
        "name_prefix": _Text(102, _IAM_NAME),
    },
    "aws_cloudwatch_event_rule": {
        "name": _Text(64, _EVENTS_NAME),
        "name_prefix": _Text(38, _EVENTS_NAME),
        "description": _Text(512),
    },
    "aws_cloudwatch_event_target": {
        "rule": _Text(64, _EVENTS_NAME),
        "target_id": _Text(64, _EVENTS_NAME),
    },
    "aws_eks_access_entry": {"cluster_name": _Text(100, r"[0-9A-Za-z][0-9A-Za-z_-]*")},
}

ARNS: dict[str, tuple[str, ...]] = {
    "aws_cloudwatch_event_target": ("arn",),
    "aws_eks_access_entry": ("principal_arn",),
    "aws_eks_access_policy_association": ("policy_arn", "principal_arn"),
    "aws_eks_addon": ("service_account_role_arn",),
    "aws_eks_pod_identity_association": ("role_arn",),
    "aws_iam_role": ("permissions_boundary",),
    "aws_iam_role_policy_attachment": ("policy_arn",),
}

NUMBERS: dict[str, dict[str, tuple[int, int]]] = {
    "aws_iam_role": {"max_session_duration": (3600, 43200)},
    "aws_sqs_queue": {
        "delay_seconds": (0, 900),
        "max_message_size": (1024, 1048576),
        "message_retention_seconds": (60, 1209600),
        "visibility_timeout_seconds": (0, 43200),
    },
}

_JSON = ("assume_role_policy", "event_pattern", "policy", "redrive_allow_policy", "redrive_policy")

CONFLICTS: dict[str, tuple[tuple[str, str], ...]] = {
    "aws_cloudwatch_event_rule": (("name", "name_prefix"),),
    "aws_iam_instance_profile": (("name", "name_prefix"),),
    "aws_iam_policy": (("name", "name_prefix"),),
    "aws_iam_role": (("name", "name_prefix"),),
    "aws_iam_role_policy": (("name", "name_prefix"),),
    "aws_sqs_queue": (("name", "name_prefix"), ("kms_master_key_id", "sqs_managed_sse_enabled")),
}

_ONE_OF: dict[str, tuple[str, ...]] = {
    "aws_cloudwatch_event_rule": ("event_pattern", "schedule_expression"),
    "aws_iam_openid_connect_provider data": ("arn", "url"),
    "aws_iam_policy data": ("arn", "name", "path_prefix"),
}


def _text(name: str, value: str, rule: _Text) -> Iterator[Problem]:
    if len(value) > rule.maximum:
        yield Problem(
            name,
            f"expected length of {name} to be in the range (1 - {rule.maximum}), got {value}",
        )
    if rule.characters and not re.fullmatch(rule.characters, value):
        yield Problem(name, f"invalid value for {name} (must match {rule.characters}): {value}")


def _json(name: str, value: str) -> Iterator[Problem]:
    try:
        document = json.loads(value)
    except ValueError as error:
        yield Problem(name, f'"{name}" contains an invalid JSON: {error}')
        return
    if not isinstance(document, dict):
        yield Problem(name, f'"{name}" contains an invalid JSON: not an object')


def _number(name: str, value: Any, low: int, high: int) -> Iterator[Problem]:
    if isinstance(value, (int, float)) and not low <= value <= high:
        yield Problem(name, f"expected {name} to be in the range ({low} - {high}), got {value}")


def validate(type_name: str, config: State, *, data: bool = False) -> Iterator[Problem]:
    """Faults of one configuration; what is unknown is not judged."""
    key = f"{type_name} data" if data else type_name
    for name, rule in TEXTS.get(key, {}).items():
        if value := known_text(config.get(name)):
            yield from _text(name, value, rule)
    for name in ARNS.get(key, ()):
        value = known_text(config.get(name))
        if value and not re.fullmatch(_ARN, value):
            yield Problem(name, f'"{name}" ({value}) is an invalid ARN')
    for name, (low, high) in NUMBERS.get(key, {}).items():
        yield from _number(name, config.get(name), low, high)
    for name in () if data else _JSON:
        if value := known_text(config.get(name)):
            yield from _json(name, value)
    for left, right in CONFLICTS.get(key, ()):
        if all(config.get(name) not in (None, UNKNOWN) for name in (left, right)):
            yield Problem(left, f'"{left}": conflicts with {right}')
    names = _ONE_OF.get(key, ())
    if names and all(config.get(name) is None for name in names):
        yield Problem("", f"one of `{','.join(names)}` must be specified")
