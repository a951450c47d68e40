"""Keys that are not the user's to set, each with the reason."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final

from modules.core import names
from modules.core.catalogue import Capability, Release
from modules.release import concepts


@dataclass(frozen=True)
class Owned:
    """A key whose value this module provides.

    Args:
        path: the steps to it.
        reason: why, continuing "none here, since".
        fix: what to do instead.
    """

    path: tuple[str, ...]
    reason: str
    fix: str

    @property
    def allowed(self) -> str:
        """What is allowed, as a phrase."""
        return f"none here, since {self.reason}"


OF_CONCEPTS: Final = {
    concepts.CLUSTER_NAME: (
        "it is the name of the cluster that Karpenter is installed into",
        "remove it",
    ),
    concepts.CLUSTER_ENDPOINT: (
        "it is the address of the cluster that Karpenter is installed into",
        "remove it",
    ),
    concepts.INTERRUPTION: (
        "it is the queue that the permissions and the event rules were made for",
        "remove it, and switch interruption handling on or off instead",
    ),
    concepts.INSTANCE_PROFILE: (
        "it is the instance profile of the nodes' role",
        "remove it, and name another instance profile in its option",
    ),
}
"""By concept: the reason and the fix."""

_OF_EVERY_RELEASE: Final = (
    Owned(
        ("serviceAccount", "create"),
        "the controller role trusts the service account that the chart makes",
        "remove it",
    ),
    Owned(
        ("serviceAccount", "name"),
        "the controller role trusts a service account of exactly one name",
        "remove it, and give the name as the service account option",
    ),
    Owned(
        ("serviceAccount", "annotations", names.ROLE_ANNOTATION),
        "it is the controller role that trusts the service account",
        "remove it; other annotations are yours",
    ),
)

_SERVICE: Final = "the CRDs call the conversion webhook at the service named karpenter"
_OF_THE_WEBHOOK: Final = (
    Owned(("nameOverride",), _SERVICE, "remove it"),
    Owned(("fullnameOverride",), _SERVICE, "remove it"),
)

_HONOURED_PARENT: Final = "settings.aws"
"""0.32 still reads the keys that were below this one before, whatever they are."""

ENVIRONMENT: Final = ("CLUSTER_NAME", "CLUSTER_ENDPOINT", "INTERRUPTION_QUEUE")
"""Variables that the chart makes of owned keys; a second one of that name would win."""


def owned_in(release: Release, known: Container[str]) -> Iterator[Owned]:
    """The keys owned at this release.

    Args:
        known: the names of the keys that its chart has.
    """
    for concept, (reason, fix) in OF_CONCEPTS.items():
        for key, _ in concepts.keys_of(concept):
            parent = key.rpartition(".")[0]
            if key == concepts.key_of(concept, release) or (
                parent == _HONOURED_PARENT and parent in known
            ):
                yield Owned(tuple(key.split(".")), reason, fix)
    yield from _OF_EVERY_RELEASE
    if release.has(Capability.CONVERSION_WEBHOOK):
        yield from _OF_THE_WEBHOOK
