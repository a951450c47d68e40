"""Rules on a pool by itself: its limits and its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import POOLS, is_static, limits

_LIMITS_NODES: Final = "1.11.0"
"""First release that holds every pool to limits.nodes."""

_STATIC: Final = "1.8.0"
_NODES: Final = "nodes"


def _unlimited(pool: Manifest, _: Context) -> Iterator[Fault]:
    path, given = limits(pool)
    if not given and not is_static(pool):
        yield Fault(
            path,
            "are missing, so that the pool may grow without end",
            "a limit of cpu at least",
            "set cpu to the most that the pool may cost you",
        )


def _nodes_not_held(pool: Manifest, context: Context) -> Iterator[Fault]:
    path, given = limits(pool)
    if _NODES in given:
        yield Fault(
            (*path, _NODES),
            f"is held to from Karpenter {_LIMITS_NODES} on; this is {context.release.version}",
            "limits of cpu and memory with this release",
            f"limit cpu as well, or upgrade Karpenter to {_LIMITS_NODES} or later",
            given[_NODES],
        )


def _nothing_allowed(pool: Manifest, _: Context) -> Iterator[Fault]:
    path, given = limits(pool)
    for resource, limit in given.items():
        if resource in ("cpu", "memory", _NODES) and str(limit) in ("0", "0m", "0Gi", "0Mi"):
            yield Fault(
                (*path, resource),
                "lets the pool launch nothing",
                "more than 0",
                "raise it; delete the pool, or set its limits to 0 for a while, to drain it",
                limit,
            )


def _static_limit(pool: Manifest, _: Context) -> Iterator[Fault]:
    replicas = look.number(pool.spec, "replicas")
    path, given = limits(pool)
    most = str(given.get(_NODES, ""))
    if replicas is not None and most.isdecimal() and int(most) < replicas:
        yield Fault(
            (*path, _NODES),
            f"is less than the {replicas} replicas, which the pool never reaches",
            f"{replicas} or more",
            "raise the limit or lower replicas",
            given[_NODES],
        )


def _static_idle(pool: Manifest, _: Context) -> Iterator[Fault]:
    if not is_static(pool):
        return
    given = look.mapping(pool.spec, "disruption")
    policy = given.get("consolidationPolicy")
    if policy is not None:
        yield Fault(
            ("disruption", "consolidationPolicy"),
            "has no effect in a pool with replicas, which is never consolidated",
            "disruption with consolidateAfter, which the API asks for, and budgets",
            "remove it",
            policy,
        )


RULES = (
    LintRule(
        "KPT101",
        "a pool without limits",
        Severity.WARNING,
        "A runaway workload makes it grow, and the bill with it, until the account's quota ends.",
        "EKS best practices: limits for each NodePool",
        POOLS,
        _unlimited,
    ),
    LintRule(
        "KPT102",
        "limits.nodes with a release that does not hold to it",
        Severity.WARNING,
        "The pool grows beyond it.",
        "kubernetes-sigs/karpenter#2657, #2915",
        (names.NODE_POOL,),
        _nodes_not_held,
        until=_LIMITS_NODES,
    ),
    LintRule(
        "KPT121",
        "a limit of nothing",
        Severity.WARNING,
        "The pool launches no node while it stands.",
        "Karpenter's concepts: limits",
        POOLS,
        _nothing_allowed,
    ),
    LintRule(
        "KPT122",
        "a static pool whose limit is below its replicas",
        Severity.ERROR,
        "The pool never has the nodes that it is to have.",
        "Karpenter's concepts: static capacity",
        (names.NODE_POOL,),
        _static_limit,
        since=_STATIC,
    ),
    LintRule(
        "KPT123",
        "consolidation of a static pool",
        Severity.INFO,
        "Karpenter keeps as many nodes as replicas says, used or not.",
        "Karpenter's concepts: static capacity",
        (names.NODE_POOL,),
        _static_idle,
        since=_STATIC,
    ),
)
