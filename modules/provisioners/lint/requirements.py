"""Rules on the requirements of a pool."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.lint.allowed import allowed
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import (
    POOLS,
    Requirement,
    node,
    requirements,
)

_INSTANCE = f"{names.NODE_CLASS_GROUP}/instance-"


def _contradictory(pool: Manifest, _: Context) -> Iterator[Fault]:
    for key, found in allowed(pool).items():
        if found.impossible and len(found.by) > 1:
            last = found.by[-1]
            said = "; ".join(_said(r) for r in found.by)
            yield Fault(
                last.path,
                f"leaves no value of {key}: {said}",
                "requirements that some value meets together",
                "remove or widen one of them: all requirements hold at once",
                list(last.values),
            )


def _said(requirement: Requirement) -> str:
    return " ".join([requirement.operator, ", ".join(requirement.values)]).strip()


def _narrowed(pool: Manifest, _: Context) -> Iterator[Fault]:
    seen: dict[str, Requirement] = {}
    for requirement in requirements(pool):
        if requirement.operator != "In":
            continue
        first = seen.setdefault(requirement.key, requirement)
        common = set(first.values) & set(requirement.values)
        if first is not requirement and common:
            yield Fault(
                (*requirement.path, "key"),
                "is asked for a second time with In: only what both list is allowed, which is "
                f"{', '.join(sorted(common))}",
                "one requirement with In for each key",
                "write one list; two do not add up",
                requirement.key,
            )


def _too_many_values(pool: Manifest, _: Context) -> Iterator[Fault]:
    for found in allowed(pool).values():
        asking = [r for r in found.by if r.min_values is not None]
        left = found.values
        if not asking or left is None or found.impossible:
            continue
        most = max(asking, key=lambda r: r.min_values or 0)
        # A list that is too short by itself is the API server's business.
        own = most.operator != "In" or len(most.values) >= (most.min_values or 0)
        if most.min_values is not None and most.min_values > len(left) and own:
            yield Fault(
                (*most.path, "minValues"),
                f"asks for more values than the {len(left)} that all requirements on {most.key} "
                "leave",
                f"up to {len(left)}",
                "lower minValues, or widen the other requirements on this key",
                most.min_values,
            )


def _architecture_unsaid(pool: Manifest, _: Context) -> Iterator[Fault]:
    if names.ARCH_LABEL not in allowed(pool):
        yield Fault(
            (*node(pool), "requirements"),
            "leave both architectures possible",
            f"a requirement on {names.ARCH_LABEL}",
            f"require {names.ARCH_LABEL} In amd64; list arm64 too where all images have it",
        )


def _capacity_unsaid(pool: Manifest, _: Context) -> Iterator[Fault]:
    if names.CAPACITY_TYPE_LABEL not in allowed(pool):
        yield Fault(
            (*node(pool), "requirements"),
            "leave spot possible, which Karpenter prefers",
            f"a requirement on {names.CAPACITY_TYPE_LABEL}",
            f"require {names.CAPACITY_TYPE_LABEL} In on-demand; list {names.SPOT} too where pods "
            "bear interruptions",
        )


def _any_type(pool: Manifest, _: Context) -> Iterator[Fault]:
    narrowing = (names.INSTANCE_TYPE_LABEL, _INSTANCE)
    if not any(key.startswith(narrowing) for key in allowed(pool)):
        yield Fault(
            (*node(pool), "requirements"),
            "leave every instance type possible, old generations and bare metal among them",
            f"a requirement on {_INSTANCE}category, {_INSTANCE}generation or the like",
            f"require {_INSTANCE}category In c, m, r and {_INSTANCE}generation Gt 4, or what "
            "your pods need",
        )


_NODE_POOLS = (names.NODE_POOL,)

RULES = (
    LintRule(
        "KPT103",
        "requirements that contradict one another",
        Severity.ERROR,
        "No instance type meets them, so that the pool never launches a node.",
        "Karpenter's concepts: all requirements of a NodePool hold at once",
        POOLS,
        _contradictory,
    ),
    LintRule(
        "KPT104",
        "a pool that does not say its architecture",
        Severity.WARNING,
        "Pods whose images are made for amd64 alone are put on arm64 nodes and do not start.",
        "aws/karpenter-provider-aws#5158",
        _NODE_POOLS,
        _architecture_unsaid,
    ),
    LintRule(
        "KPT105",
        "a pool that does not say its capacity type",
        Severity.INFO,
        "Both are possible then, and spot, being cheaper, is taken; a Provisioner had on-demand.",
        "aws/karpenter-provider-aws#4829, #5015",
        _NODE_POOLS,
        _capacity_unsaid,
    ),
    LintRule(
        "KPT106",
        "a pool that narrows instance types by nothing",
        Severity.INFO,
        "A Provisioner had categories c, m and r of generations above 2; a NodePool has all.",
        "aws/karpenter-provider-aws#4829; EKS best practices: exclude types that do not fit",
        _NODE_POOLS,
        _any_type,
    ),
    LintRule(
        "KPT114",
        "two lists for one key",
        Severity.WARNING,
        "They do not add up: only what both list is allowed.",
        "Karpenter's concepts: all requirements of a NodePool hold at once",
        POOLS,
        _narrowed,
    ),
    LintRule(
        "KPT120",
        "minValues that the other requirements leave no room for",
        Severity.ERROR,
        "Fewer values are possible than must be, so that nothing is launched.",
        "kubernetes-sigs/karpenter#2078, #2999",
        _NODE_POOLS,
        _too_many_values,
        since="0.35.0",
    ),
)
