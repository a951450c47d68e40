"""Rules on the terms by which an EC2NodeClass selects what exists already.

Some of the CRDs' rules look at all terms of a list where each was meant: they refuse only if no
term is right. Ours look at each; the code tells what only they refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modules.provisioners.api import codes
from modules.provisioners.api.rules import SpecRule, has, listed


def needs_one(at: str, *keys: str) -> SpecRule:
    """At least one of the keys is there."""
    return SpecRule(
        f"{_plain(at)}_needs_one",
        at,
        "selects nothing" if "Select" in at else "sets nothing",
        f"at least one of {', '.join(keys)}",
        "add one of them, or remove the whole",
        check=lambda value: has(value, *keys),
        condition=f"length([for key in {listed(keys)} : "
        "key if lookup({v}, key, null) != null]) > 0",
    )


def alone(at: str, key: str, code: str | None = None) -> SpecRule:
    """A key beside which no other one may stand."""
    return SpecRule(
        f"{_plain(at)}_{key}_alone",
        at,
        f"{key} stands alone",
        f"{key} and nothing else",
        "make two terms of it, or remove the other keys",
        check=lambda value: key not in value or len(value) == 1,
        condition=f'lookup({{v}}, "{key}", null) == null || '
        "length([for key, value in {v} : key if value != null]) == 1",
        code=code,
    )


def alone_in_any(at: str, key: str, *others: str) -> list[SpecRule]:
    """The same on each term; the API server refuses any term with one of `others`."""
    return _with_weaker(
        alone(at, key, codes.CROWDED_TERM),
        lambda terms: not any(has(t, key) and has(t, *others) for t in terms),
    )


def alone_in_all(at: str, key: str, *others: str) -> list[SpecRule]:
    """The same; the API server refuses only where every term has one of `others`."""
    return _with_weaker(
        alone(at, key, codes.CROWDED_TERM),
        lambda terms: not all(has(t, key) and has(t, *others) for t in terms),
    )


def network_terms() -> list[SpecRule]:
    """Rules on subnetSelectorTerms and securityGroupSelectorTerms."""
    subnets, groups = "subnetSelectorTerms[]", "securityGroupSelectorTerms[]"
    return [
        needs_one(subnets, "tags", "id"),
        *alone_in_all(subnets, "id", "tags"),
        needs_one(groups, "tags", "id", "name"),
        *alone_in_all(groups, "id", "tags", "name"),
        *alone_in_all(groups, "name", "tags", "id"),
    ]


def _with_weaker(rule: SpecRule, check: Callable[[list[Any]], bool]) -> list[SpecRule]:
    weaker = SpecRule(
        f"{rule.id}_of_api",
        _plain(rule.at),
        rule.problem,
        rule.allowed,
        rule.fix,
        check,
        condition=rule.condition,
        kind=list,
        weaker_than=rule.id,
    )
    return [rule, weaker]


def _plain(at: str) -> str:
    return at.rstrip("[]")
