"""IAM's documented logic for identity policies: an explicit deny, else an allow, else a refusal.

Only what the project's policies use; anything else is an error, so that no statement is judged
by half. Source: IAM's user guide (policy evaluation logic; condition operators).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Context = Mapping[str, str | list[str]]


def like(pattern: str, value: str) -> bool:
    """Whether a text with `*` and `?` matches."""
    parts = (".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern)
    return re.fullmatch("".join(parts), value, re.DOTALL) is not None


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "StringEquals": lambda pattern, value: pattern == value,
    "StringLike": like,
}
_OPERATOR = re.compile(r"(?P<all>ForAllValues:)?(?P<name>\w+?)(?P<optional>IfExists)?")


def allows(
    documents: Iterable[Mapping[str, Any]], action: str, resource: str, context: Context
) -> bool:
    """Whether the policies together allow a request."""
    statements = [statement for document in documents for statement in document["Statement"]]
    hits = [s["Effect"] for s in statements if _matches(s, action, resource, context)]
    return "Allow" in hits and "Deny" not in hits


def _matches(statement: Mapping[str, Any], action: str, resource: str, context: Context) -> bool:
    assert set(statement) <= {"Sid", "Effect", "Action", "Resource", "Condition"}
    return (
        any(like(pattern.lower(), action.lower()) for pattern in _list(statement["Action"]))
        and any(like(pattern, resource) for pattern in _list(statement["Resource"]))
        and all(
            _holds(operator, key, _list(patterns), context)
            for operator, keys in statement.get("Condition", {}).items()
            for key, patterns in keys.items()
        )
    )


def _holds(operator: str, key: str, patterns: list[str], context: Context) -> bool:
    read = _OPERATOR.fullmatch(operator)
    assert read is not None
    test = _OPERATORS[read["name"]]
    if key not in context:
        return bool(read["all"] or read["optional"])
    values = [any(test(pattern, value) for pattern in patterns) for value in _list(context[key])]
    return all(values)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
