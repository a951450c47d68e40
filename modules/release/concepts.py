"""What can be set about the controller, whatever a release's chart calls it.

Which key a concept has in which release, and the chart's default for it, stand in the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from modules.core.catalogue import Release
from modules.core.catalogue_file import section

CLUSTER_NAME: Final = "cluster_name"
CLUSTER_ENDPOINT: Final = "cluster_endpoint"
INTERRUPTION: Final = "interruption"
INSTANCE_PROFILE: Final = "default_instance_profile"
WEBHOOK: Final = "webhook"
GATE: Final = "gate_"
"""What the concepts of feature gates begin with; the gate's name follows."""

Spans = Sequence[Sequence[str | None]]


def key_of(concept: str, release: Release) -> str | None:
    """The key that a concept has in a release's chart, its steps joined by dots, or None."""
    return next((key for key, spans in keys_of(concept) if release.is_in(spans)), None)


def keys_of(concept: str) -> Iterator[tuple[str, Spans]]:
    """Every key that a concept ever had, and when."""
    for row in section("chart_values")["concepts"][concept]["keys"]:
        yield row["key"], row["spans"]


def concept_of(key: str) -> str | None:
    """The concept that has, or had, this key; None where the key is not one that moved."""
    return next((c for c in concepts() if any(key == known for known, _ in keys_of(c))), None)


def concepts() -> list[str]:
    """All concepts."""
    return list(section("chart_values")["concepts"])


def default_of(concept: str, release: Release) -> Any:
    """The chart's own default; None where the chart has none."""
    rows = section("chart_values")["concepts"][concept]["defaults"]
    return next((row["value"] for row in rows if release.is_in(row["spans"])), None)


def placed(concept: str, release: Release, value: object) -> dict[str, Any]:
    """Values that set a concept; empty where the release does not know it."""
    key = key_of(concept, release)
    return {} if key is None else _nested(key.split("."), value)


def is_set_in(values: Mapping[str, Any], key: str) -> bool:
    """Whether values say something at a key."""
    here: Any = values
    for step in key.split("."):
        if not isinstance(here, Mapping) or step not in here:
            return False
        here = here[step]
    return True


def when(spans: Spans, release: Release, what: str) -> str:
    """What to do about something that a release does not have.

    Args:
        spans: when charts have it.
        what: `charts`, or another word for those who have it.
    """
    later = [str(first) for first, _ in spans if not release.at_least(str(first))]
    if later:
        return f"remove it, or upgrade Karpenter: {what} from {later[0]} on have it"
    ended = [str(gone) for _, gone in spans if gone is not None and release.at_least(gone)]
    return f"remove it: {what} from {ended[-1]} on do not have it"


def _nested(steps: Sequence[str], value: object) -> dict[str, Any]:
    first, *rest = steps
    return {first: _nested(rest, value) if rest else value}
