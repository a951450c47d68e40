"""What is known of every Karpenter release: the project's only place for version knowledge.

The facts stand in `catalogue.json`; other code asks `Release` what a release can do and never
compares versions itself. Sources: Karpenter's release tags (versions), its compatibility matrix
(Kubernetes ranges), its upgrade guide and issues (releases to avoid), its charts (addresses,
value keys), its CloudFormation template (what the controller's policy needs), its CRDs (served
API versions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property, total_ordering
from typing import Any

from modules.core.catalogue_file import section
from modules.core.faults import Fault, Step

Span = tuple[str, str | None]
"""The first release with something, and the first one without it again or None."""

_FROM = "0.14"
"""The oldest line that the modules know."""


class Capability(Enum):
    """What some releases have; `spans` of each member stand in the catalogue's file."""

    INTERRUPTION = "interruption"
    """The controller acts on spot interruptions and other events of its nodes."""
    QUEUE_NAMED_AS_CLUSTER = "queue_named_as_cluster"
    """The controller cannot be told the queue's name: it is the cluster's."""
    CRD_CHART = "crd_chart"
    """The CRDs have a chart of their own; before, only the controller's chart holds them."""
    CONVERSION_WEBHOOK = "conversion_webhook"
    """The CRDs convert objects by a webhook of the controller."""
    KEPT_CRDS = "kept_crds"
    """The CRD chart can annotate its CRDs, so that Helm leaves them behind."""
    INSTANCE_PROFILES_MADE = "instance_profiles_made"
    """The controller makes the nodes' instance profiles; before, it has to be given one."""

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """When releases have it: patches of older lines may get what a newer line brought."""
        return tuple((first, gone) for first, gone in section("capabilities")[self.value])

    @property
    def first(self) -> str:
        """The first release with it, by version."""
        return self.spans[0][0]


class Api(Enum):
    """A generation of Karpenter's API, named by the version of its pools."""

    V1ALPHA5 = "v1alpha5"
    """Provisioner and AWSNodeTemplate."""
    V1BETA1 = "v1beta1"
    """NodePool and EC2NodeClass, before they became stable."""
    V1 = "v1"
    """NodePool and EC2NodeClass."""


@total_ordering
@dataclass(frozen=True, eq=False)
class Version:
    """A Karpenter or Kubernetes version; ordered by its numbers."""

    numbers: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Version:
        """Raises `ValueError` where the text is no dotted row of numbers."""
        return cls(tuple(int(part) for part in text.split(".")))

    def __str__(self) -> str:
        return ".".join(str(number) for number in self.numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and other.numbers == self.numbers

    def __hash__(self) -> int:
        return hash(self.numbers)

    def __lt__(self, other: Version) -> bool:
        return self.numbers < other.numbers


_numbers = cache(Version.of)


@dataclass(frozen=True)
class Release:
    """One Karpenter release.

    Args:
        version: `1.14.2`.
        kubernetes_min: oldest Kubernetes minor version it was tested with.
        kubernetes_max: newest one.
        avoid: why nobody should install it, or None.
        avoid_from: the Kubernetes minor version from which on that holds; None for all.
        crd_line: the release whose CRDs judge this one's manifests.
        evidence: what is inferred rather than read in the release itself, or None.
    """

    version: str
    kubernetes_min: str
    kubernetes_max: str
    avoid: str | None = None
    avoid_from: str | None = None
    crd_line: str = ""
    evidence: str | None = None

    @property
    def line(self) -> str:
        """Its minor version: `1.14`."""
        return self.version.rpartition(".")[0]

    @property
    def chart_repository(self) -> str:
        """Where its charts lie."""
        return str(self._charts["repository"])

    @property
    def chart_version(self) -> str:
        """Its version in the form that its charts carry."""
        return f"{self._charts['prefix']}{self.version}"

    @property
    def _charts(self) -> dict[str, Any]:
        return next(row for row in reversed(section("charts")) if self.at_least(row["since"]))

    @property
    def api(self) -> Api:
        """The generation of the API that its objects are written in."""
        rows = reversed(section("written"))
        return Api(next(api for since, api in rows if self.at_least(since)))

    def serves(self, api: Api) -> bool:
        """Whether its API server and its controller take objects of that generation."""
        return self.is_in(section("apis")[api.value])

    def has(self, capability: Capability) -> bool:
        """Whether this release has the capability."""
        return self.is_in(capability.spans)

    def at_least(self, version: str) -> bool:
        """Whether this is that release or a later one; for tables that say since when."""
        return _numbers(self.version) >= _numbers(version)

    def within(self, first: str, gone: str | None) -> bool:
        """Whether this lies between two releases: with the first one, without the other."""
        return self.at_least(first) and not (gone and self.at_least(gone))

    def is_in(self, spans: Iterable[Sequence[str | None]]) -> bool:
        """Whether this lies in any of the spans."""
        return any(self.within(str(first), gone) for first, gone in spans)

    def supports(self, kubernetes: str) -> bool:
        """Whether it was tested with this Kubernetes minor version."""
        return (
            _numbers(self.kubernetes_min) <= _numbers(kubernetes) <= _numbers(self.kubernetes_max)
        )

    def reason_to_avoid(self, kubernetes: str) -> str | None:
        """Why nobody should install it on this Kubernetes minor version, or None."""
        concerned = self.avoid_from is None or _numbers(kubernetes) >= _numbers(self.avoid_from)
        return self.avoid if concerned else None

    @property
    def kubernetes_versions(self) -> list[str]:
        """Every Kubernetes minor version it supports, oldest first."""
        low, high = (int(v.partition(".")[2]) for v in (self.kubernetes_min, self.kubernetes_max))
        return [f"1.{minor}" for minor in range(low, high + 1)]


def _releases(row: dict[str, Any]) -> Iterator[Release]:
    """The releases of one line."""
    tested, evidence = row["kubernetes"], None
    for patch in range(row["last_patch"] + 1):
        tested = row.get("kubernetes_from", {}).get(str(patch), tested)
        evidence = row.get("evidence", {}).get(str(patch), evidence)
        if patch not in row.get("unreleased", ()):
            yield Release(
                f"{row['line']}.{patch}",
                kubernetes_min=tested[0],
                kubernetes_max=tested[1],
                avoid=row.get("avoid", {}).get(str(patch)),
                avoid_from=row.get("avoid_from", {}).get(str(patch)),
                crd_line=row["crds"],
                evidence=evidence,
            )


RELEASES: dict[str, Release] = {
    release.version: release
    for row in section("lines")
    if _numbers(row["line"]) >= _numbers(_FROM)
    for release in _releases(row)
}
"""Every known release by version, oldest first."""

DEFAULT_VERSION = "1.14.2"
"""The newest release of the long-term line."""

OLDEST_VERSION = next(iter(RELEASES))
NEWEST_VERSION = next(reversed(RELEASES))

NEWEST_KNOWN = f"the newest known is {NEWEST_VERSION}"
"""What every message about versions says besides."""

_SWITCH = "acceptNewerVersion"


def find(version: str, *path: Step, newer: bool = False) -> Release | Fault:
    """The release that a user names, or the fault of naming none.

    Args:
        version: a release, with or without a `v`, or a line, which is its newest release.
        path: where the version stands in the input, for the fault.
        newer: whether a version newer than all known ones is taken to be like the newest.
    """
    plain = version.removeprefix("v")
    if found := RELEASES.get(plain) or newest_of(plain):
        return found
    fix = f"use the default, {DEFAULT_VERSION}; {NEWEST_KNOWN}"
    if is_newer(plain):
        if newer:
            return _like_the_newest(plain)
        fix = f"set {_SWITCH}: true to treat it like {NEWEST_VERSION}, or {fix}"
    elif newest := newest_of(plain.rpartition(".")[0]):
        fix = f"use {newest.version}, the newest of {newest.line}; {NEWEST_KNOWN}"
    return Fault(
        path,
        "is not a Karpenter release known here",
        f"a release from {OLDEST_VERSION} to {NEWEST_VERSION}, or a line such as "
        f"{RELEASES[NEWEST_VERSION].line}",
        fix,
        version,
    )


def is_newer(version: str) -> bool:
    """Whether this is a release's full version, and newer than all known ones."""
    try:
        numbers = Version.of(version.removeprefix("v")).numbers
    except ValueError:
        return False
    return len(numbers) == 3 and numbers > _numbers(NEWEST_VERSION).numbers


def _like_the_newest(version: str) -> Release:
    why = f"it is newer than {NEWEST_VERSION}, the newest known, and treated like it"
    return replace(RELEASES[NEWEST_VERSION], version=version, evidence=why)


def newest_of(line: str) -> Release | None:
    """The newest release of a minor version such as `1.9`, or None when there is none."""
    return next((r for r in reversed(RELEASES.values()) if r.line == line), None)


def newest_for(kubernetes: str) -> Release | None:
    """The newest release that supports this Kubernetes version, or None."""
    return next((r for r in reversed(RELEASES.values()) if r.supports(kubernetes)), None)


def oldest_for(kubernetes: str) -> Release | None:
    """The first release that was tested with this Kubernetes version, or None."""
    return next((r for r in RELEASES.values() if r.supports(kubernetes)), None)
