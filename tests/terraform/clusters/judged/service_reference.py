"""What of a statement AWS's service authorization reference does not know.

The reference is policy-sentry's copy of it: for each action the types of resources that it is
about, and the condition keys that it fills with each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from policy_sentry.querying.actions import get_action_data
from policy_sentry.querying.conditions import get_condition_keys_for_service

from tests.policies.conditions import as_list

Statement = dict[str, Any]

GLOBAL_KEYS = {"aws:RequestedRegion", "aws:SecureTransport"}
"""Keys that every call fills; the reference names them on no action."""
TOKEN_KEYS = ("aud", "sub")
"""What STS fills from a token, under the name of whoever issued it."""

_PLACEHOLDER = re.compile(r"\$\{\w+\}")
ANY = "*"


def unknown(statement: Statement) -> Iterator[str]:
    """Every action, resource and condition key that AWS does not know there."""
    actions = [str(action) for action in as_list(statement["Action"])]
    if statement["Effect"] == "Deny" and actions[0].endswith(f":{ANY}"):
        # What denies everything of a service is judged by that service's keys alone.
        service = actions[0].partition(":")[0]
        yield from _unknown_keys(statement, actions[0], get_condition_keys_for_service(service))
        return
    rows = {action: _rows(action) for action in actions}
    if missing := [action for action, found in rows.items() if not found]:
        yield from (f"{action} is no action" for action in missing)
        return
    resources = [str(resource) for resource in as_list(statement.get("Resource", ANY))]
    for resource in resources:
        if not any(_is_about(found, resource) for found in rows.values()):
            yield f"no action of the statement is about {resource}"
    for action, found in rows.items():
        if not any(_is_about(found, resource) for resource in resources):
            yield f"{action} is about no resource of the statement"
        keys = [key for row in found for key in row["condition_keys"]]
        yield from _unknown_keys(statement, action, keys)


@cache
def _rows(action: str) -> tuple[dict[str, Any], ...]:
    """What the reference says of an action: a row for each type of resource."""
    service, _, name = action.partition(":")
    found = get_action_data(service, name)
    return tuple(found[service]) if found else ()


def _is_about(rows: tuple[dict[str, Any], ...], resource: str) -> bool:
    return any(resource == ANY or _fits(row["resource_arn_format"], resource) for row in rows)


def _unknown_keys(statement: Statement, action: str, known: list[str]) -> Iterator[str]:
    tokens = {
        f"{provider.partition('/')[2]}:{key}"
        for provider in _providers(statement)
        for key in TOKEN_KEYS
    }
    for keys in statement.get("Condition", {}).values():
        for key in keys:
            if key not in GLOBAL_KEYS | tokens and not any(_fits(each, key) for each in known):
                yield f"{action} has no key {key}"


def _providers(statement: Statement) -> list[str]:
    principal = statement.get("Principal")
    found = principal.get("Federated", []) if isinstance(principal, dict) else []
    return [str(provider) for provider in as_list(found)]


def _fits(form: str, text: str) -> bool:
    """Whether a text has a form in which `${...}` stands for anything but a colon's two sides.

    The last placeholder may hold colons, as a tag's key or a resource's name does.
    """
    *inner, last = _PLACEHOLDER.split(form)
    if not inner:
        return form == text
    regex = "[^:]*".join(map(re.escape, inner)) + ".+" + re.escape(last)
    return re.fullmatch(regex, text) is not None
