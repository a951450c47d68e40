"""What is known of every Karpenter release: the project's only place for version knowledge.

Sources: Karpenter's release tags (versions and dates), its compatibility matrix
(Kubernetes ranges), its upgrade guide and issues (releases to avoid), its charts (chart
addresses), its CloudFormation template (what the controller's policy needs). Other code
asks `Release` what a release can do; it never compares versions itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import total_ordering

from modules.core.faults import Fault, Step

OCI_REPOSITORY = "oci://public.ecr.aws/karpenter"


class Capability(Enum):
    """What some releases have: `(first release with it, first one without it again or None)`."""

    AVAILABILITY_ZONES_READ = ("1.0.0", "1.1.0")
    """The controller reads the zones of its region."""
    PASS_ROLE_IN_CHINA = ("1.1.0", None)
    """The policy names EC2's principal in China as well."""
    CAPACITY_RESERVATIONS = ("1.3.0", None)
    """The controller may launch into EC2 capacity reservations."""
    CAPACITY_RESERVATIONS_BY_TAG = ("1.3.0", "1.9.0")
    """The policy also lists capacity reservations among what is tagged at launch."""
    ECR_PULL_ONLY = ("1.4.0", None)
    """Nodes get ECR's pull-only policy instead of its read-only one."""
    INSTANCE_PROFILES_LIST = ("1.7.0", None)
    """The controller lists instance profiles to find those that it no longer needs."""
    CAPACITY_RESERVATION_INTERRUPTION = ("1.10.0", None)
    """The controller acts on interruptions of capacity reservations."""
    PLACEMENT_GROUPS = ("1.11.0", None)
    """The controller may launch into placement groups."""
    ZONAL_SHIFT = ("1.12.0", None)
    """The controller reads whether a zone is shifted away from."""
    INSTANCE_STATUS_ANYWHERE = ("1.12.0", "1.13.0")
    """The controller reads the status of instances, in a statement of its own."""
    INSTANCE_STATUS_IN_REGION = ("1.13.0", None)
    """The same among the other reads of its region."""
    ZONAL_SHIFT_BY_CONDITION = ("1.13.0", None)
    """Zonal shift is limited to the cluster by a condition instead of by the resource."""
    REBOOT = ("1.15.0", None)
    """The controller may reboot nodes to repair them."""
    CONVERSION_WEBHOOK = ("1.0.0", "1.1.0")
    """The CRDs convert objects by a webhook of the controller."""
    KEPT_CRDS = ("1.2.0", None)
    """The CRD chart can annotate its CRDs, so that Helm leaves them behind."""

    def __init__(self, first: str, gone: str | None) -> None:
        self.first = first
        self.gone = gone

    def __new__(cls, *_: str | None) -> Capability:
        # Numbered: members of one range would otherwise be names of one member.
        member = object.__new__(cls)
        member._value_ = len(cls.__members__)
        return member


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


@dataclass(frozen=True)
class Release:
    """One Karpenter release.

    Args:
        version: `1.14.2`.
        kubernetes_min: oldest Kubernetes minor version it was tested with.
        kubernetes_max: newest one.
        avoid: why nobody should install it, or None.
        crd_line: the release whose CRDs judge this one's manifests.
        evidence: what is inferred rather than read in the release itself, or None.
    """

    version: str
    kubernetes_min: str
    kubernetes_max: str
    avoid: str | None = None
    crd_line: str = ""
    evidence: str | None = None

    @property
    def line(self) -> str:
        """Its minor version: `1.14`."""
        return self.version.rpartition(".")[0]

    @property
    def chart_repository(self) -> str:
        """Where both of its charts lie."""
        return OCI_REPOSITORY

    @property
    def chart_version(self) -> str:
        """Its version in the form that its charts carry."""
        return self.version

    def has(self, capability: Capability) -> bool:
        """Whether this release has the capability."""
        gone = capability.gone
        return self.at_least(capability.first) and not (gone is not None and self.at_least(gone))

    def at_least(self, version: str) -> bool:
        """Whether this is that release or a later one; for tables that say since when."""
        return Version.of(self.version) >= Version.of(version)

    def supports(self, kubernetes: str) -> bool:
        """Whether it was tested with this Kubernetes minor version."""
        low, high = Version.of(self.kubernetes_min), Version.of(self.kubernetes_max)
        return low <= Version.of(kubernetes) <= high

    @property
    def kubernetes_versions(self) -> list[str]:
        """Every Kubernetes minor version it supports, oldest first."""
        low, high = (int(v.partition(".")[2]) for v in (self.kubernetes_min, self.kubernetes_max))
        return [f"1.{minor}" for minor in range(low, high + 1)]


@dataclass(frozen=True)
class _Line:
    """The releases of one minor version: patches 0 to `last`."""

    minor: str
    last: int
    kubernetes: tuple[str, str]
    crd_line: str
    avoid: dict[int, str] = field(default_factory=dict)
    kubernetes_by_patch: dict[int, tuple[str, str]] = field(default_factory=dict)
    """From this patch on, another range."""
    evidence: dict[int, str] = field(default_factory=dict)
    """From this patch on."""

    def releases(self) -> Iterator[Release]:
        kubernetes, evidence = self.kubernetes, None
        for patch in range(self.last + 1):
            kubernetes = self.kubernetes_by_patch.get(patch, kubernetes)
            evidence = self.evidence.get(patch, evidence)
            yield Release(
                f"{self.minor}.{patch}",
                *kubernetes,
                avoid=self.avoid.get(patch),
                crd_line=self.crd_line,
                evidence=evidence,
            )


_LINES = (
    _Line(
        "1.0",
        14,
        ("1.25", "1.30"),
        "1.0.14",
        kubernetes_by_patch={5: ("1.25", "1.31")},
    ),
    _Line("1.1", 10, ("1.25", "1.31"), "1.1.10"),
    _Line("1.2", 8, ("1.25", "1.32"), "1.2.8"),
    _Line("1.3", 8, ("1.25", "1.32"), "1.3.8"),
    _Line("1.4", 4, ("1.25", "1.32"), "1.4.4"),
    _Line("1.5", 8, ("1.26", "1.33"), "1.5.8"),
    _Line("1.6", 8, ("1.26", "1.34"), "1.6.8"),
    _Line("1.7", 6, ("1.26", "1.34"), "1.7.6"),
    _Line(
        "1.8",
        8,
        ("1.26", "1.34"),
        "1.8.8",
        avoid={4: "it spreads pods over zones wrongly; use 1.8.5 or later"},
    ),
    _Line("1.9", 2, ("1.26", "1.35"), "1.9.2"),
    _Line("1.10", 2, ("1.26", "1.35"), "1.10.2"),
    _Line("1.11", 3, ("1.26", "1.35"), "1.11.3"),
    _Line("1.12", 2, ("1.26", "1.35"), "1.12.2"),
    _Line("1.13", 1, ("1.26", "1.36"), "1.13.1"),
    _Line(
        "1.14",
        2,
        ("1.26", "1.36"),
        "1.14.1",
        evidence={2: "chart, CRDs and policy are taken to equal those of 1.14.1"},
    ),
    _Line(
        "1.15",
        1,
        ("1.26", "1.37"),
        "1.14.1",
        evidence={
            0: "manifests are judged by 1.14.1's CRDs plus the changes that the documentation "
            "of 1.15 names"
        },
    ),
)

RELEASES: dict[str, Release] = {
    release.version: release for line in _LINES for release in line.releases()
}
"""Every known release by version, oldest first."""

DEFAULT_VERSION = "1.14.2"
"""The newest release of the long-term line."""

OLDEST_VERSION = next(iter(RELEASES))
NEWEST_VERSION = next(reversed(RELEASES))


def find(version: str, *path: Step) -> Release | Fault:
    """The release of exactly this version, or the fault of asking for another.

    Args:
        path: where the version stands in the input, for the fault.
    """
    if version in RELEASES:
        return RELEASES[version]
    plain = version.removeprefix("v")
    if plain in RELEASES:
        fix = f"write it without the v: {plain}"
    elif newest := newest_of(plain):
        fix = f"name the release: {newest.version} is the newest of {plain}"
    else:
        fix = f"use the default, {DEFAULT_VERSION}"
    return Fault(
        path,
        "is not a Karpenter release known here",
        f"a release from {OLDEST_VERSION} to {NEWEST_VERSION}",
        fix,
        version,
    )


def newest_of(line: str) -> Release | None:
    """The newest release of a minor version such as `1.9`, or None when there is none."""
    return next((r for r in reversed(RELEASES.values()) if r.line == line), None)


def newest_for(kubernetes: str) -> Release | None:
    """The newest release that supports this Kubernetes version, or None."""
    return next((r for r in reversed(RELEASES.values()) if r.supports(kubernetes)), None)
