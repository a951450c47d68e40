"""What the first API and the add-on said in other words: selectors and times.

In a selector, a comma separated alternatives, and `aws-ids` stood for ids. Source: Karpenter's
migration guide to v1beta1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

IDS = ("aws-ids", "aws::ids")
"""Keys of a selector that stand for ids rather than for tags."""
_UNITS = ((3600, "h"), (60, "m"))
NAMES, OWNERS = "aws::name", "aws::owners"
"""Keys of an image selector that stand for names and owners."""


def terms(tags: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Selector terms: one for each id, and one for each choice among alternative values."""
    yield from ({"id": text} for key in IDS for text in alternatives(tags.get(key, "")))
    # A text without alternatives stays as it is, for the checks to judge.
    rest = {key: alternatives(v) or [v] for key, v in tags.items() if key not in IDS}
    if rest:
        for values in product(*rest.values()):
            yield {"tags": dict(zip(rest, values, strict=True))}


def images(selector: Mapping[str, str]) -> list[dict[str, Any]]:
    """The terms that select images: of each name with each owner, besides ids and tags."""
    named = {
        field: found
        for field, key in (("name", NAMES), ("owner", OWNERS))
        if (found := alternatives(selector.get(key, "")))
    }
    tags = {key: value for key, value in selector.items() if key not in (NAMES, OWNERS)}
    pairs = product(*named.values()) if named else ()
    return [*terms(tags), *(dict(zip(named, pair, strict=True)) for pair in pairs)]


def alternatives(value: str) -> list[str]:
    """What the commas in a value separate."""
    return [part.strip() for part in value.split(",") if part.strip()]


def duration(seconds: int) -> str:
    """Seconds as Karpenter writes them, in the largest whole unit."""
    for size, unit in _UNITS:
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
