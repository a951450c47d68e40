"""Rules on a pool together with its class, and on pools with one another."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.allowed import Allowed, admits, allowed
from modules.provisioners.lint.class_view import WINDOWS, family, pools_with_class
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import node, requirement_on

_NVME: Final = f"{names.NODE_CLASS_GROUP}/instance-local-nvme"
_RESERVED: Final = "reserved"
_ON_DEMAND: Final = "on-demand"
_RESERVATIONS: Final = "capacityReservationSelectorTerms"
_SINCE_RESERVATIONS: Final = "1.3.0"

Told = Iterator[tuple[Manifest, Fault]]


def _other_system(context: Context) -> Told:
    for pool, node_class in pools_with_class(context):
        kind = family(node_class)
        found = allowed(pool).get(names.OS_LABEL)
        if kind is None or kind == "Custom" or found is None:
            continue
        system = "windows" if kind.startswith(WINDOWS) else "linux"
        if not found.admits(system):
            last = found.by[-1].path if found.by else (*node(pool), "requirements")
            yield (
                pool,
                Fault(
                    last,
                    f"leaves out {system}, which the images of class {node_class.name} ({kind}) "
                    "are",
                    f"{names.OS_LABEL} In {system}",
                    f"require {system}, or name a class with other images",
                    sorted(found.values or ()),
                ),
            )


def _windows_unsaid(context: Context) -> Told:
    for pool, node_class in pools_with_class(context):
        if (family(node_class) or "").startswith(WINDOWS) and names.OS_LABEL not in allowed(pool):
            yield (
                pool,
                Fault(
                    (*node(pool), "requirements"),
                    f"do not say that the nodes run Windows, as class {node_class.name} makes them",
                    f"a requirement on {names.OS_LABEL}",
                    f"require {names.OS_LABEL} In windows",
                ),
            )


def _windows_on_arm(context: Context) -> Told:
    for pool, node_class in pools_with_class(context):
        if not (family(node_class) or "").startswith(WINDOWS):
            continue
        found = requirement_on(pool, names.ARCH_LABEL)
        if found is not None and not admits(pool, names.ARCH_LABEL, "amd64"):
            yield (
                pool,
                Fault(
                    found.path,
                    f"leaves out amd64, the only one that Windows (class {node_class.name}) has",
                    "amd64",
                    "require amd64",
                    list(found.values),
                ),
            )


def _idle_nvme(context: Context) -> Told:
    for pool, node_class in pools_with_class(context):
        asked = requirement_on(pool, _NVME)
        if (
            asked is not None
            and asked.operator in ("Gt", "Gte", "Exists", "In")
            and family(node_class) != "Custom"
            and "instanceStorePolicy" not in node_class.spec
        ):
            yield (
                pool,
                Fault(
                    (*asked.path, "key"),
                    f"asks for local disks, which class {node_class.name} leaves unused",
                    "a class with instanceStorePolicy: RAID0",
                    f"set instanceStorePolicy: RAID0 in class {node_class.name}, unless a daemon "
                    "mounts the disks",
                    asked.key,
                ),
            )


def _no_reservation(context: Context) -> Told:
    for pool, node_class in pools_with_class(context):
        found = allowed(pool).get(names.CAPACITY_TYPE_LABEL)
        if found is None or set(found.values or ()) != {_RESERVED} or not found.by:
            continue
        if _RESERVATIONS not in node_class.spec:
            yield (
                pool,
                Fault(
                    found.by[-1].path,
                    f"leaves reserved capacity alone, while class {node_class.name} selects no "
                    "reservation",
                    f"a class with {_RESERVATIONS}",
                    f"add {_RESERVATIONS} to class {node_class.name}, or list on-demand too",
                    list(found.by[-1].values),
                ),
            )


def _idle_reservation(context: Context) -> Told:
    pools: dict[int, list[Manifest]] = {}
    classes: dict[int, Manifest] = {}
    for pool, node_class in pools_with_class(context):
        if _RESERVATIONS in node_class.spec:
            classes[id(node_class)] = node_class
            pools.setdefault(id(node_class), []).append(pool)
    for key, node_class in classes.items():
        if not any(admits(pool, names.CAPACITY_TYPE_LABEL, _RESERVED) for pool in pools[key]):
            named = ", ".join(pool.name for pool in pools[key])
            yield (
                node_class,
                Fault(
                    (_RESERVATIONS,),
                    f"select reservations that no pool of the class may use ({named})",
                    f"a pool that allows {_RESERVED} as {names.CAPACITY_TYPE_LABEL}",
                    f"add {_RESERVED} to the pool's capacity types",
                ),
            )


def _spot_apart(context: Context) -> Told:
    spot, on_demand = (
        [p for p in context.of_kinds(names.NODE_POOL) if p.name and _capacity(p) == {kind}]
        for kind in (names.SPOT, _ON_DEMAND)
    )
    for pool in spot:
        lower = (p for p in on_demand if _weight(pool) > _weight(p) and _alike(pool, p))
        other = next(lower, None)
        if other is not None:
            yield (
                pool,
                Fault(
                    ("weight",),
                    f"puts spot before {other.name}, which differs in the capacity type alone",
                    "one pool that allows both: Karpenter takes spot first and on-demand where "
                    "there is none",
                    f"allow both in one pool, or let nodes of {other.name} expire soon: "
                    "nothing moves pods back to spot",
                    pool.spec.get("weight"),
                ),
            )


def _capacity(pool: Manifest) -> Collection[str]:
    """The only capacity types that a pool allows; none where there is no end of them."""
    return allowed(pool).get(names.CAPACITY_TYPE_LABEL, Allowed()).values or frozenset()


def _alike(pool: Manifest, other: Manifest) -> bool:
    """Whether two pools ask for the same but for their capacity types."""
    first, second = (
        {k: v for k, v in allowed(p).items() if k != names.CAPACITY_TYPE_LABEL}
        for p in (pool, other)
    )
    same = look.at(pool.spec, *node(pool), "taints") == look.at(other.spec, *node(other), "taints")
    return same and first == second


def _weight(pool: Manifest) -> int:
    return look.number(pool.spec, "weight") or 0


RULES = (
    LintRule(
        "KPT304",
        "spot and on-demand in two pools that are alike otherwise",
        Severity.WARNING,
        "Pods that fell back to on-demand stay there, and fall back more often than expected.",
        "kubernetes-sigs/karpenter#1829; aws/karpenter-provider-aws#7832, #8420",
        check_all=_spot_apart,
    ),
    LintRule(
        "KPT305",
        "a pool that leaves out its images' operating system",
        Severity.ERROR,
        "No instance type fits the pool and its images together, so that nothing is launched.",
        "Karpenter's concepts: amiFamily and kubernetes.io/os",
        check_all=_other_system,
    ),
    LintRule(
        "KPT306",
        "a Windows pool that does not say so",
        Severity.WARNING,
        "Pods without a node selector for their operating system may be put on Windows.",
        "EKS: Windows nodes; Karpenter's concepts: one system for each pool",
        check_all=_windows_unsaid,
    ),
    LintRule(
        "KPT307",
        "Windows without amd64",
        Severity.ERROR,
        "There are no Windows images for arm64, so that nothing is launched.",
        "EKS: Windows images",
        check_all=_windows_on_arm,
    ),
    LintRule(
        "KPT308",
        "local disks that stay unused",
        Severity.WARNING,
        "Pods see the root disk as their storage alone; large requests stay pending.",
        "aws/karpenter-provider-aws#7543, #7943",
        check_all=_idle_nvme,
    ),
    LintRule(
        "KPT309",
        "reserved capacity without a reservation",
        Severity.ERROR,
        "There is nothing to launch from.",
        "Karpenter's concepts: capacityReservationSelectorTerms",
        check_all=_no_reservation,
        since=_SINCE_RESERVATIONS,
    ),
    LintRule(
        "KPT310",
        "reservations that no pool may use",
        Severity.WARNING,
        "They are paid for, while nodes are launched besides.",
        "Karpenter's concepts: reserved is a capacity type of its own",
        check_all=_idle_reservation,
        since=_SINCE_RESERVATIONS,
    ),
)
