"""Which value keys each release of Karpenter's chart reads.

The charts ship no schema and Helm ignores a key that a chart does not read, so that a
misspelt one is lost silently. The table in the catalogue is what we judge by instead. Where the
chart hands a value on to Kubernetes as it is (labels, affinity terms, security contexts), the
key is free below. Source: the chart's values and templates at each release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modules.core.catalogue import Release
from modules.core.catalogue_file import section
from modules.release.concepts import Spans
from modules.release.kinds import Kind, kind_of

Path = tuple[str, ...]


@dataclass(frozen=True)
class Key:
    """A key that the chart of some releases reads.

    Args:
        name: the steps to it, joined by dots.
        kind: what its value must be.
        spans: which releases have it.
    """

    name: str
    kind: Kind
    spans: Spans

    @property
    def path(self) -> Path:
        """The steps to it."""
        return tuple(self.name.split("."))

    def is_in(self, release: Release) -> bool:
        """Whether the chart of this release has it."""
        return release.is_in(self.spans)


KEYS = tuple(
    Key(row["name"], kind_of(row["kind"]), row["spans"]) for row in section("chart_values")["keys"]
)
"""Every key of every release."""


def keys_of(release: Release) -> Iterator[Key]:
    """The keys that the chart of this release has."""
    return (key for key in KEYS if key.is_in(release))


def kinds_of(release: Release) -> dict[Path, Kind]:
    """The kind of every key of this release's chart, by its path."""
    return {key.path: key.kind for key in keys_of(release)}


def levels_of(release: Release) -> dict[Path, list[str]]:
    """The names at each closed level of this release's chart, the top being `()`."""
    levels: dict[Path, list[str]] = {}
    for key in keys_of(release):
        for depth, name in enumerate(key.path):
            names = levels.setdefault(key.path[:depth], [])
            if name not in names:
                names.append(name)
    return levels
