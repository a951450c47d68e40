"""Rows of the catalogue that begin or end with a release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modules.core.catalogue import Version

Row = dict[str, Any]
Item = str | Row
"""A text that is there as long as its row, or one with spans of its own."""


def holds(spans: Sequence[Sequence[str | None]], version: str) -> bool:
    """Whether a release lies in one of the spans."""
    at = Version.of(version)
    return any(
        Version.of(str(first)) <= at and (gone is None or at < Version.of(gone))
        for first, gone in spans
    )


def begun(version: str) -> list[list[str | None]]:
    """The spans of what begins with a release."""
    return [[version, None]]


def ended(spans: Sequence[Sequence[str | None]], version: str) -> list[list[str | None]]:
    """The spans, the open one of them ended by a release."""
    return [[first, version if gone is None else gone] for first, gone in spans]


def present(items: Sequence[Item], version: str) -> list[str]:
    """The texts that a release has."""
    return [
        item if isinstance(item, str) else item["value"]
        for item in items
        if isinstance(item, str) or holds(item["spans"], version)
    ]


def updated(
    items: Sequence[Item], wanted: Sequence[str], row: Row, before: str, version: str
) -> list[Item]:
    """Items so that a new release has exactly the texts that are wanted.

    Args:
        row: what they belong to; items without spans are there as long as it.
        before: the newest release so far.
    """
    found: list[Item] = []
    for item in items:
        text = item if isinstance(item, str) else item["value"]
        if isinstance(item, str):
            gone = text not in wanted
            found.append({"value": text, "spans": ended(row["spans"], version)} if gone else item)
        elif holds(item["spans"], before) and text not in wanted:
            found.append({**item, "spans": ended(item["spans"], version)})
        elif not holds(item["spans"], before) and text in wanted:
            found.append({**item, "spans": [*item["spans"], *begun(version)]})
        else:
            found.append(item)
    known = {item if isinstance(item, str) else item["value"] for item in items}
    found += [{"value": t, "spans": begun(version)} for t in wanted if t not in known]
    return found
