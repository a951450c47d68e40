"""Which Karpenter release a cluster gets, and whether that goes with its Kubernetes version.

Source: Karpenter's compatibility matrix. A Kubernetes version older than the range of a release
lacks what the release asks for; a newer one has not been tried with it, and often works.
"""

from __future__ import annotations

from collections.abc import Iterator

from modules.core import catalogue
from modules.core.catalogue import NEWEST_KNOWN, Release, Version
from modules.core.expressions import is_known
from modules.core.faults import Fault
from stacks.settings import ClusterSettings
from stacks.upgrade import rule

KEY = "karpenterVersion"
KUBERNETES = "kubernetesVersion"


def release_of(cluster: ClusterSettings) -> Release | None:
    """The release that the cluster's settings name, or None where they name none."""
    found = _found(cluster)
    return None if isinstance(found, Fault) else found


def known_release(cluster: ClusterSettings) -> Release:
    """The release of a cluster in which no fault was found."""
    release = release_of(cluster)
    if release is None:
        raise LookupError(f"{cluster.karpenter_version} is no release, and was not refused")
    return release


def check_version(cluster: ClusterSettings) -> Iterator[Fault]:
    """The fault of naming no release."""
    found = _found(cluster)
    if isinstance(found, Fault):
        yield found


def check_avoided(cluster: ClusterSettings) -> Iterator[Fault]:
    """The fault of a release that nobody should install on this Kubernetes version."""
    release, wanted = release_of(cluster), cluster.kubernetes_version
    if release is None or not is_known(wanted):
        return
    if avoid := release.reason_to_avoid(wanted):
        why, _, instead = avoid.partition("; ")
        yield Fault(
            (KEY,),
            f"is a release to avoid: {why}",
            "any other release",
            f"{instead or f'use the default, {catalogue.DEFAULT_VERSION}'}; {NEWEST_KNOWN}",
            cluster.karpenter_version,
        )


def check_pair(cluster: ClusterSettings) -> Iterator[Fault]:
    """The fault of a Kubernetes version that is too old for the release."""
    release, wanted = release_of(cluster), cluster.kubernetes_version
    if release is None or not is_known(wanted):
        return
    if Version.of(wanted) < Version.of(release.kubernetes_min):
        newest = catalogue.newest_for(wanted)
        instead = f", or use Karpenter {newest.version}, the newest that does" if newest else ""
        yield Fault(
            (KUBERNETES,),
            f"is not supported by Karpenter {release.version}",
            _range(release),
            f"upgrade the cluster to {release.kubernetes_min} or later{instead}; {NEWEST_KNOWN}",
            wanted,
        )


def check_upgrade(cluster: ClusterSettings) -> Iterator[Fault]:
    """Faults of the way from the release that runs."""
    release, given = release_of(cluster), cluster.upgrading_from
    if given is None or release is None:
        return
    running = catalogue.find(given, rule.KEY) if is_known(given) else _unknown(rule.KEY)
    if isinstance(running, Fault):
        yield running
    else:
        yield from rule.check(running, release, given)


def version_warnings(cluster: ClusterSettings) -> Iterator[Fault]:
    """What is allowed about the two versions, and may go wrong; faults in a strict cluster."""
    release, wanted = release_of(cluster), cluster.kubernetes_version
    if release is None:
        return
    if catalogue.is_newer(cluster.karpenter_version):
        yield Fault(
            (KEY,),
            f"is newer than all known releases: it is treated like {catalogue.NEWEST_VERSION}",
            f"a release from {catalogue.OLDEST_VERSION} to {catalogue.NEWEST_VERSION}",
            f"read its upgrade guide, and add it to the catalogue; {NEWEST_KNOWN}",
            cluster.karpenter_version,
        )
    if is_known(wanted) and Version.of(wanted) > Version.of(release.kubernetes_max):
        first = catalogue.oldest_for(wanted)
        instead = (
            f"use Karpenter {first.version} or later: it is the first that was"
            if first
            else f"wait for a release that was: none known here was tested with {wanted}"
        )
        yield Fault(
            (KUBERNETES,),
            f"is newer than what Karpenter {release.version} was tested with",
            _range(release),
            f"{instead}; {NEWEST_KNOWN}",
            wanted,
        )


def _found(cluster: ClusterSettings) -> Release | Fault:
    if not is_known(cluster.karpenter_version):
        return _unknown(KEY)
    return catalogue.find(
        cluster.karpenter_version, KEY, newer=cluster.accept_newer_version is True
    )


def _unknown(key: str) -> Fault:
    return Fault(
        (key,),
        "is known only to Terraform",
        "literal text: it decides what the stack consists of",
        f"write the release itself; {NEWEST_KNOWN}",
    )


def _range(release: Release) -> str:
    return f"{release.kubernetes_min} to {release.kubernetes_max} with this release"
