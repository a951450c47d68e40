"""When two JSON documents mean the same, so that their difference is no change."""

from __future__ import annotations

import json
from typing import Any

from . import facts

# Keys of a policy statement whose lists are sets, and where a single string equals a list of one.
_SETS = frozenset({"Action", "NotAction", "Resource", "NotResource"})
_PRINCIPALS = frozenset({"Principal", "NotPrincipal"})


def _as_set(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    # IAM reads JSON true and "true" alike in a condition.
    return sorted({item if isinstance(item, str) else json.dumps(item) for item in items})


def _statement(statement: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in statement.items():
        if key in _SETS:
            result[key] = _as_set(value)
        elif key in _PRINCIPALS and isinstance(value, dict):
            result[key] = {kind: _as_set(items) for kind, items in value.items()}
        elif key == "Condition":
            result[key] = {
                operator: {name.lower(): _as_set(items) for name, items in tests.items()}
                for operator, tests in value.items()
            }
        else:
            result[key] = value
    return result


def _policy(document: Any) -> Any:
    if not isinstance(document, dict) or "Statement" not in document:
        return document
    statements = document["Statement"]
    statements = statements if isinstance(statements, list) else [statements]
    canonical = sorted(json.dumps(_statement(item), sort_keys=True) for item in statements)
    return {**document, "Statement": canonical}


def equivalent(attribute: str, left: Any, right: Any) -> bool:
    """Whether the texts of a JSON attribute mean the same. False for other attributes."""
    if not isinstance(left, str) or not isinstance(right, str):
        return False
    try:
        documents = json.loads(left), json.loads(right)
    except ValueError:
        return False
    if attribute in facts.JSON_POLICIES:
        return bool(_policy(documents[0]) == _policy(documents[1]))
    return attribute in facts.JSON_DOCUMENTS and bool(documents[0] == documents[1])
