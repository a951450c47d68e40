"""Rules on a whole cluster that its single values do not show.

Rules on one value stand at the settings, rules on one module in its `checks.py`, rules on
several clusters in `stacks/neighbours.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from modules.core import catalogue
from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.core.faults import Fault
from modules.iam import checks as iam_checks
from modules.provisioners import checks as provisioner_checks
from modules.release import checks as release_checks
from stacks import add_on, spot
from stacks.settings import ClusterSettings
from stacks.wiring import iam_settings, provisioner_settings

_LATER = "known-at-plan"
"""Stands, while settings are checked, for what AWS or another module will say."""


def check_cluster(cluster: ClusterSettings, without: frozenset[str] = frozenset()) -> list[Fault]:
    """Every fault in a cluster as a whole.

    Args:
        without: keys that are known to be at fault; rules that read one of them are left out.
    """
    whole = add_on.expanded(cluster)
    if "karpenterVersion" in without:
        whole = whole.model_copy(update={"karpenter_version": ""})
    found = (
        fault for reads, rule in _RULES if not without.intersection(reads) for fault in rule(whole)
    )
    return [
        *add_on.check(cluster, _release_of(cluster)),
        *add_on.in_its_words(cluster, found),
    ]


def account_of(role_arn: str) -> str:
    """The account that a role is in."""
    return role_arn.split(":")[4]


def _version(cluster: ClusterSettings) -> Iterator[Fault]:
    if not is_known(cluster.karpenter_version):
        yield Fault(
            ("karpenterVersion",),
            "is known only to Terraform",
            "literal text: it decides what the stack consists of",
            "write the release itself",
        )
        return
    found = catalogue.find(cluster.karpenter_version, "karpenterVersion")
    if isinstance(found, Fault):
        yield found
    elif found.avoid:
        why, _, fix = found.avoid.partition("; ")
        yield Fault(
            ("karpenterVersion",),
            f"is a release to avoid: {why}",
            "any other release",
            fix or f"use the default, {catalogue.DEFAULT_VERSION}",
            cluster.karpenter_version,
        )


def _kubernetes(cluster: ClusterSettings) -> Iterator[Fault]:
    release, wanted = _release_of(cluster), cluster.kubernetes_version
    if release is None or not is_known(wanted) or release.supports(wanted):
        return
    newest = catalogue.newest_for(wanted)
    if newest:
        fix = f"use Karpenter {newest.version}, the newest for Kubernetes {wanted}"
    else:
        fix = f"no Karpenter release known here supports Kubernetes {wanted}: use another version"
    yield Fault(
        ("kubernetesVersion",),
        f"is not supported by Karpenter {release.version}",
        f"{release.kubernetes_min} to {release.kubernetes_max} with this release",
        fix,
        wanted,
    )


def _accounts(cluster: ClusterSettings) -> Iterator[Fault]:
    role, allowed = cluster.assume_role, cluster.allowed_account_ids
    if role is None or not allowed or not is_known(role.arn) or not all(map(is_known, allowed)):
        return
    if account_of(role.arn) not in allowed:
        yield Fault(
            ("assumeRole", "arn"),
            "is in an account that may not be worked in",
            f"a role in {', '.join(allowed)}, as allowedAccountIds says",
            f"give a role of such an account, or add {account_of(role.arn)} to allowedAccountIds",
            role.arn,
        )


def _iam(cluster: ClusterSettings) -> Iterator[Fault]:
    settings = iam_settings(cluster, issuer="https://oidc.eks.example.com/id/0")
    found = _by_release(cluster, lambda release: iam_checks.check(settings, release))
    yield from (fault.under("iam") for fault in found)


def _release(cluster: ClusterSettings) -> Iterator[Fault]:
    found = _by_release(cluster, lambda release: release_checks.check(cluster.release, release))
    yield from (fault.under("release") for fault in found)


def _provisioners(cluster: ClusterSettings) -> Iterator[Fault]:
    settings = provisioner_settings(cluster, node_role_name=_LATER)
    yield from _by_release(cluster, lambda release: provisioner_checks.check(settings, release))


def _interruption(cluster: ClusterSettings) -> Iterator[Fault]:
    if cluster.interruption_handling is not False:
        return
    if pools := spot.pools_with_spot(cluster.node_pools):
        yield Fault(
            ("interruptionHandling",),
            f"is off, while {_listed('pool', pools)} may launch spot instances",
            spot.ALLOWED,
            spot.FIX,
            False,
        )


def _listed(noun: str, items: list[str]) -> str:
    return f"{noun}{'s' if len(items) > 1 else ''} {', '.join(items)}"


def _by_release(
    cluster: ClusterSettings, check: Callable[[Release], list[Fault]]
) -> Iterator[Fault]:
    """What the cluster's release finds; where that is unknown, what every release would find."""
    if release := _release_of(cluster):
        yield from check(release)
        return
    oldest, newest = (
        check(catalogue.RELEASES[version])
        for version in (catalogue.OLDEST_VERSION, catalogue.NEWEST_VERSION)
    )
    common = {(fault.path, fault.problem) for fault in oldest}
    yield from (fault for fault in newest if (fault.path, fault.problem) in common)


def _release_of(cluster: ClusterSettings) -> Release | None:
    return catalogue.RELEASES.get(cluster.karpenter_version)


_RULES: tuple[tuple[set[str], Callable[[ClusterSettings], Iterator[Fault]]], ...] = (
    ({"karpenterVersion"}, _version),
    ({"karpenterVersion", "kubernetesVersion"}, _kubernetes),
    ({"assumeRole", "allowedAccountIds"}, _accounts),
    ({"iam"}, _iam),
    ({"release"}, _release),
    ({"nodeClasses"}, _provisioners),
    ({"nodePools", "interruptionHandling"}, _interruption),
)
"""Each rule, and the keys that it reads. Pools that are no mapping leave classes to judge."""
