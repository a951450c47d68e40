"""Keys that are not the user's to set, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from modules.core import names
from modules.core.catalogue import Capability, Release


@dataclass(frozen=True)
class Owned:
    """A key whose value this module provides.

    Args:
        path: the steps to it.
        reason: why, continuing "none here, since".
        fix: what to do instead.
        only: the capability of the releases where it is owned; None for all of them.
    """

    path: tuple[str, ...]
    reason: str
    fix: str
    only: Capability | None = None

    @property
    def allowed(self) -> str:
        """What is allowed, as a phrase."""
        return f"none here, since {self.reason}"


_SERVICE = "the CRDs call the conversion webhook at the service named karpenter"

_OWNED: Final = (
    Owned(
        ("settings", "clusterName"),
        "it is the name of the cluster that Karpenter is installed into",
        "remove it",
    ),
    Owned(
        ("settings", "clusterEndpoint"),
        "it is the address of the cluster that Karpenter is installed into",
        "remove it",
    ),
    Owned(
        ("settings", "interruptionQueue"),
        "it is the queue that the permissions and the event rules were made for",
        "remove it, and switch interruption handling on or off instead",
    ),
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
    Owned(("nameOverride",), _SERVICE, "remove it", Capability.CONVERSION_WEBHOOK),
    Owned(("fullnameOverride",), _SERVICE, "remove it", Capability.CONVERSION_WEBHOOK),
)

ENVIRONMENT: Final = ("CLUSTER_NAME", "CLUSTER_ENDPOINT", "INTERRUPTION_QUEUE")
"""Variables that the chart makes of owned keys; a second one of that name would win."""


def owned_in(release: Release) -> Iterator[Owned]:
    """The keys owned at this release."""
    return (key for key in _OWNED if key.only is None or release.has(key.only))
