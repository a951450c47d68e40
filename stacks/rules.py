"""Rules on a whole cluster that its single values do not show.

Rules on one value stand at the settings, rules on one module in its `checks.py`, rules on
several clusters in `stacks/neighbours.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from modules.core import catalogue
from modules.core.catalogue import Api, Release
from modules.core.expressions import is_known
from modules.core.faults import Fault, Step
from modules.iam import checks as iam_checks
from modules.provisioners import checks as provisioner_checks
from modules.provisioners.lint.finding import Severity
from modules.release import checks as release_checks
from stacks import add_on, other_add_ons, spot, versions
from stacks.linting import KEY as LINT
from stacks.linting import linted
from stacks.settings import ClusterSettings
from stacks.versions import release_of
from stacks.wiring import iam_settings, provisioner_settings

_LATER = "known-at-plan"
"""Stands, while settings are checked, for what AWS or another module will say."""

_SWITCH = "interruptionHandling"

_LINTED = frozenset({"nodeClasses", "nodePools", "addOn", "karpenterVersion", LINT})
"""Keys that the lint rules need."""

_FIRST_STABLE = next(r for r in catalogue.RELEASES.values() if r.api is Api.V1)


def check_cluster(cluster: ClusterSettings, without: frozenset[str] = frozenset()) -> list[Fault]:
    """Every fault in a cluster as a whole.

    Args:
        without: keys that are known to be at fault; rules that read one of them are left out.
    """
    whole = add_on.expanded(cluster)
    if "karpenterVersion" in without:
        whole = whole.model_copy(update={"karpenter_version": ""})
    found = [*_all(_RULES, whole, without)]
    strict = cluster.strict is True
    if strict:
        found += [*_all(_WARNINGS, whole, without), *add_on.warnings(cluster)]
    told = [
        *add_on.check(cluster, release_of(whole)),
        *add_on.in_its_words(cluster, found),
    ]
    if not without & _LINTED:
        severities = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
        places = [fault.path for fault in told]
        told += (f for f in linted(cluster, *severities) if not _is_about(f.path, places))
    return told


def warnings(cluster: ClusterSettings) -> list[Fault]:
    """What is allowed in a cluster without faults, and may go wrong."""
    found = _all(_WARNINGS, add_on.expanded(cluster), frozenset())
    return [
        *add_on.in_its_words(cluster, found),
        *add_on.warnings(cluster),
        *linted(cluster, Severity.WARNING),
    ]


def account_of(role_arn: str) -> str:
    """The account that a role is in."""
    return role_arn.split(":")[4]


def _is_about(path: tuple[Step, ...], places: Sequence[tuple[Step, ...]]) -> bool:
    """Whether something is about one of the places, or about what is around or inside of it."""
    return any(path[: len(place)] == place or place[: len(path)] == path for place in places)


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
    for fault in _by_release(cluster, lambda release: iam_checks.check(settings, release)):
        # A switch of the whole cluster, which the module is told.
        yield fault if fault.path == (_SWITCH,) else fault.under("iam")


def _release(cluster: ClusterSettings) -> Iterator[Fault]:
    found = _by_release(cluster, lambda release: release_checks.check(cluster.release, release))
    yield from (fault.under("release") for fault in found)


def _provisioners(cluster: ClusterSettings) -> Iterator[Fault]:
    settings = provisioner_settings(cluster, node_role_name=_LATER)
    yield from _by_release(cluster, lambda release: provisioner_checks.check(settings, release))


def _interruption(cluster: ClusterSettings) -> Iterator[Fault]:
    if cluster.interruption_handling is not False:
        return
    release = release_of(cluster)
    if pools := spot.pools_with_spot(cluster.node_pools, release.api if release else Api.V1):
        yield Fault(
            (_SWITCH,),
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
    """What the cluster's release finds; where that is unknown, what any likely one would find."""
    if release := release_of(cluster):
        yield from check(release)
        return
    line = catalogue.newest_of(cluster.karpenter_version.removeprefix("v").rpartition(".")[0])
    likely = [line] if line else [_FIRST_STABLE, catalogue.RELEASES[catalogue.NEWEST_VERSION]]
    first, *others = (check(release) for release in likely)
    common = [{(fault.path, fault.problem) for fault in found} for found in others]
    yield from (f for f in first if all((f.path, f.problem) in found for found in common))


def _all(
    rules: Sequence[Rule], cluster: ClusterSettings, without: frozenset[str]
) -> Iterator[Fault]:
    return (
        fault for reads, rule in rules if not without.intersection(reads) for fault in rule(cluster)
    )


Rule = tuple[set[str], Callable[[ClusterSettings], Iterator[Fault]]]
"""A rule, and the keys that it reads."""

_RULES: tuple[Rule, ...] = (
    ({"karpenterVersion"}, versions.check_version),
    # Whoever plans an upgrade may be on such a release already.
    ({"karpenterVersion", "kubernetesVersion", "upgradingFrom"}, versions.check_avoided),
    ({"karpenterVersion", "kubernetesVersion"}, versions.check_pair),
    ({"karpenterVersion", "upgradingFrom"}, versions.check_upgrade),
    ({"otherAddOns", "interruptionHandling"}, other_add_ons.check),
    ({"assumeRole", "allowedAccountIds"}, _accounts),
    ({"iam"}, _iam),
    ({"release"}, _release),
    ({"nodeClasses"}, _provisioners),
    ({"nodePools", "interruptionHandling"}, _interruption),
)
"""Pools that are no mapping leave classes to judge."""

_WARNINGS: tuple[Rule, ...] = (
    ({"karpenterVersion", "kubernetesVersion"}, versions.version_warnings),
    ({"otherAddOns", "interruptionHandling"}, other_add_ons.warnings),
)
