"""The two judges, the releases and kinds that both know, and where they may disagree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.core.catalogue import RELEASES, Release
from modules.provisioners.api.judge import KINDS, refusals
from modules.provisioners.api.kind import Kind
from tests.provisioners.crd import crd_root, takes

LINES = [release for release in RELEASES.values() if release.crd_line == release.version]
"""The releases whose own CRDs are there: the newest patch of each line."""

# The CRDs of v1beta1 in 0.30 and 0.31 came before its release: no controller reads them.
SERVED = [(line, kind) for line in LINES for kind in KINDS.values() if kind.served_by(line)]
"""Every line with each kind that it serves."""


def named(served: tuple[Release, Kind]) -> str:
    """What a test is called that judges a kind of a line."""
    line, kind = served
    return f"{line.version} {kind.kind} {kind.version}"


def ours(manifest: dict[str, Any], release: Release) -> bool:
    """Whether our judge takes a manifest, the webhook apart."""
    return all(judged.webhook for judged in refusals(manifest, release))


def theirs(manifest: dict[str, Any], line: Release, kind: Kind, reference: Path) -> bool:
    """Whether the CRD of a line takes it."""
    return takes(crd_root(reference, line.version, kind.kind, kind.version), manifest)


@dataclass(frozen=True)
class Disagreement:
    """Where our judge gives another verdict than the CRD, on purpose.

    Args:
        when: whether a manifest that we refuse and the CRD takes is such a one.
    """

    id: str
    when: Callable[[dict[str, Any], Release], bool]
    reason: str


def _places(manifest: dict[str, Any], line: Release) -> set[object]:
    """The parts of a manifest that our judge refuses, the webhook apart."""
    found = refusals(manifest, line)
    return {judged.fault.path[0] for judged in found if not judged.webhook}


EXPLAINED = [
    Disagreement(
        "metadata",
        lambda manifest, line: _places(manifest, line) == {"metadata"},
        "the API server judges the metadata of every object by itself; no CRD speaks of it",
    ),
]
"""Every other disagreement is a mistake of ours."""


def explained(manifest: dict[str, Any], line: Release) -> str | None:
    """The disagreement that a manifest belongs to, or None."""
    return next((known.id for known in EXPLAINED if known.when(manifest, line)), None)
