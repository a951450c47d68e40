"""Conditions of IAM statements, by AWS's reference of condition operators.

Values of a request are texts; a key with several values is a list of them, and then the operator
must say whether all or any of them are meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from ipaddress import ip_address, ip_network

Values = str | Sequence[str]
Context = Mapping[str, Values]
"""Condition keys of a request, which have no case, and their values."""

_OPERATOR = re.compile(r"(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?")
_VARIABLE = re.compile(r"\$\{([^},]+)(?:,\s*'([^']*)')?\}")
_NOTHING = "\0"


def matches(pattern: str, text: str) -> bool:
    """Whether a text is like a pattern, in which * is any text and ? any character."""
    return _regex(pattern).fullmatch(text) is not None


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(char, re.escape(char)) for char in pattern), re.DOTALL)


def matches_arn(pattern: str, arn: str) -> bool:
    """Whether an ARN is like a pattern, each of its six parts by itself."""
    patterns, parts = pattern.split(":", 5), arn.split(":", 5)
    return len(patterns) == len(parts) and all(map(matches, patterns, parts))


def _time(text: str) -> datetime:
    if text.isdigit():
        return datetime.fromtimestamp(int(text), UTC)
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _in_network(pattern: str, address: str) -> bool:
    return ip_address(address) in ip_network(pattern, strict=False)


Compare = Callable[[str, str], bool]
"""Of what the policy has and what the request has."""

_ALIKE: dict[str, Compare] = {
    "StringEquals": lambda wanted, given: wanted == given,
    "StringEqualsIgnoreCase": lambda wanted, given: wanted.lower() == given.lower(),
    "StringLike": matches,
    "ArnEquals": matches_arn,
    "ArnLike": matches_arn,
    "Bool": lambda wanted, given: wanted.lower() == given.lower(),
    "NumericEquals": lambda wanted, given: float(wanted) == float(given),
    "DateEquals": lambda wanted, given: _time(wanted) == _time(given),
    "IpAddress": _in_network,
}
_ORDERED: dict[str, Compare] = {
    "NumericLessThan": lambda wanted, given: float(given) < float(wanted),
    "NumericLessThanEquals": lambda wanted, given: float(given) <= float(wanted),
    "NumericGreaterThan": lambda wanted, given: float(given) > float(wanted),
    "NumericGreaterThanEquals": lambda wanted, given: float(given) >= float(wanted),
    "DateLessThan": lambda wanted, given: _time(given) < _time(wanted),
    "DateLessThanEquals": lambda wanted, given: _time(given) <= _time(wanted),
    "DateGreaterThan": lambda wanted, given: _time(given) > _time(wanted),
    "DateGreaterThanEquals": lambda wanted, given: _time(given) >= _time(wanted),
}
# Each of these holds where its twin holds for no value of the policy.
_UNLIKE: dict[str, Compare] = {
    "StringNotEquals": _ALIKE["StringEquals"],
    "StringNotEqualsIgnoreCase": _ALIKE["StringEqualsIgnoreCase"],
    "StringNotLike": _ALIKE["StringLike"],
    "ArnNotEquals": _ALIKE["ArnEquals"],
    "ArnNotLike": _ALIKE["ArnLike"],
    "NumericNotEquals": _ALIKE["NumericEquals"],
    "DateNotEquals": _ALIKE["DateEquals"],
    "NotIpAddress": _ALIKE["IpAddress"],
}


def substituted(text: str, context: Context) -> str:
    """A text of a policy with its variables replaced by what the request has.

    A variable without a value stands for what no request has.
    """

    def value(variable: re.Match[str]) -> str:
        name, default = variable.groups()
        if name == "$":
            return "$"
        if name in ("*", "?"):
            raise ValueError("an asterisk or question mark that is meant as such is not judged")
        given = lookup(context, name)
        found = default if given is None else given
        return found if isinstance(found, str) else _NOTHING

    return _VARIABLE.sub(value, text)


def lookup(context: Context, key: str) -> Values | None:
    """What the request has under a key."""
    return next((found for name, found in context.items() if name.lower() == key.lower()), None)


def holds(condition: Mapping[str, Mapping[str, object]], context: Context) -> bool:
    """Whether every key of every operator is as wanted.

    Raises:
        ValueError: an operator is unknown, or one without a set has several values to look at.
    """
    return all(
        _holds(operator, key, wanted, context)
        for operator, keys in condition.items()
        for key, wanted in keys.items()
    )


def _holds(operator: str, key: str, wanted: object, context: Context) -> bool:
    found = _OPERATOR.fullmatch(operator)
    if found is None:
        raise ValueError(f"unknown operator {operator}")
    over, name, if_exists = found.groups()
    given = lookup(context, key)
    values = [substituted(_text(item), context) for item in as_list(wanted)]
    if name == "Null":
        return (given is None) == (values == ["true"])
    judge = _judge(name, values)
    if given is None:
        # AWS: a set of no values fulfils "all", and a missing key is unlike anything.
        return over == "ForAllValues" or bool(if_exists) or (over is None and name in _UNLIKE)
    if over is None:
        if not isinstance(given, str):
            raise ValueError(f"{operator} on {key}, which has several values, needs a set operator")
        return judge(given)
    each = [given] if isinstance(given, str) else given
    return all(map(judge, each)) if over == "ForAllValues" else any(map(judge, each))


def _judge(name: str, values: Sequence[str]) -> Callable[[str], bool]:
    if alike := _ALIKE.get(name, _ORDERED.get(name)):
        return lambda given: any(alike(value, given) for value in values)
    if unlike := _UNLIKE.get(name):
        return lambda given: not any(unlike(value, given) for value in values)
    raise ValueError(f"unknown operator {name}")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_list(value: object) -> list[object]:
    """IAM takes one value for a list of one."""
    return value if isinstance(value, list) else [value]
