"""What the controller may do: the statements of one release, out of the catalogue's table.

The groups, statements, their sids and contents are those that Karpenter's CloudFormation template
has for exactly this release (its reference page explains each). Upstream has split the policy
into groups since 1.9; here every release is split so: the whole outgrows a managed policy where
the cluster's name is long, and addresses do not move on the way to 1.9. Up to 0.28 statements
have no sid, and one of them holds all that concerns EC2; it is among those on nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modules.core.catalogue import Release
from modules.core.catalogue_file import section
from modules.iam.facts import Text, Words, filled

Statement = dict[str, object]


def statements(group: str, release: Release, words: Words) -> list[Statement]:
    """The statements of one group; empty where the release has none."""
    return [
        _statement(row, release, words)
        for row in section("iam")["statements"]
        if row["group"] == group and release.is_in(row["spans"])
    ]


def _statement(row: Mapping[str, Any], release: Release, words: Words) -> Statement:
    sid = {"Sid": row["sid"]} if "sid" in row else {}
    conditions: dict[str, dict[Text, object]] = {}
    for condition in _present(row.get("conditions", ()), release):
        test = conditions.setdefault(condition["test"], {})
        test[filled(condition["key"], words)] = _value(condition, release, words)
    return {
        **sid,
        "Effect": "Allow",
        "Action": [*_items(row["actions"], release, words)],
        "Resource": [*_items(row["resources"], release, words)],
        **({"Condition": conditions} if conditions else {}),
    }


def _value(condition: Mapping[str, Any], release: Release, words: Words) -> object:
    if "values" in condition:
        return [*_items(condition["values"], release, words)]
    return filled(condition["value"], words)


def _items(items: Sequence[Any], release: Release, words: Words) -> Iterator[Text]:
    """The items that the release has: plain ones always, others in their spans."""
    for item in items:
        if isinstance(item, str):
            yield filled(item, words)
        elif release.is_in(item["spans"]):
            yield filled(item["value"], words)


def _present(rows: Sequence[Any], release: Release) -> Iterator[Mapping[str, Any]]:
    return (row for row in rows if "spans" not in row or release.is_in(row["spans"]))
