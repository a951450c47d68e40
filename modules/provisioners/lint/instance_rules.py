"""Rules that need to know EC2's instance types.

The data is as old as its source says: what it does not know may be new, and is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from modules.core import names
from modules.core.faults import Fault, nearest
from modules.provisioners.instances import data
from modules.provisioners.instances.data import InstanceType
from modules.provisioners.instances.selection import ZONE_ID_LABEL, conditions, conflict, select
from modules.provisioners.lint import look
from modules.provisioners.lint.allowed import allowed
from modules.provisioners.lint.class_view import class_of
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import POOLS, Requirement, kubelet, limits, node

_GROUP: Final = names.NODE_CLASS_GROUP
_WORDS: Final = tuple(
    f"{_GROUP}/instance-{label}"
    for label in ("category", "family", "size", "gpu-name", "accelerator-name", "cpu-manufacturer")
)
_TYPES: Final = names.INSTANCE_TYPE_LABEL
_ENOUGH_FOR_SPOT: Final = 15
"""How many cheaper types Karpenter wants before it replaces spot by spot."""
_GATE: Final = "spotToSpotConsolidation"
_TINY: Final = ("nano", "micro")
_OPEN: Final = (names.ARCH_LABEL, names.CAPACITY_TYPE_LABEL, ZONE_ID_LABEL)
"""Labels that say nothing of a type's size."""


def _possible(pool: Manifest) -> tuple[InstanceType, ...]:
    return _select(tuple(conditions(pool)))


@lru_cache(maxsize=512)
def _select(given: tuple[Requirement, ...]) -> tuple[InstanceType, ...]:
    return select(given).types


def _values(label: str) -> set[str]:
    return {t.labels[label] for t in data.types().values() if label in t.labels}


def _unknown(requirement: Requirement) -> list[str]:
    if requirement.key not in (_TYPES, *_WORDS) or requirement.operator not in ("In", "NotIn"):
        return []
    known = data.types() if requirement.key == _TYPES else _values(requirement.key)
    return [value for value in requirement.values if value not in known]


def _not_known(pool: Manifest, _: Context) -> Iterator[Fault]:
    for requirement in conditions(pool):
        known = list(data.types() if requirement.key == _TYPES else _values(requirement.key))
        for value in _unknown(requirement):
            like = nearest(value, known)
            yield Fault(
                (*requirement.path, "values"),
                f"has {value}, which is not known",
                f"what EC2 has; known here is what {data.source()} knew",
                f"did you mean {like}?" if like else "check the spelling",
                value,
            )


def _nothing(pool: Manifest, _: Context) -> Iterator[Fault]:
    given = conditions(pool)
    if not given or any(_unknown(r) for r in given) or _possible(pool):
        return
    if any(rule.impossible for rule in allowed(pool).values()):
        return  # One label by itself cannot be met, which another rule tells.
    parts = conflict(given)
    told = " and ".join(f"{r.key} {r.operator} {', '.join(r.values)}".strip() for r in parts)
    yield Fault(
        (*node(pool), "requirements"),
        f"no instance type meets: {told}",
        f"requirements that some type meets ({data.source()})",
        "loosen one of these; `pipenv run instances` shows what each of them leaves",
    )


def _limit(pool: Manifest) -> tuple[tuple[str | int, ...], int] | None:
    """Where the pool limits vCPUs, and to how many whole ones."""
    path, given = limits(pool)
    value = given.get("cpu")
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if text.endswith("m") and text[:-1].isdecimal():
        return (*path, "cpu"), int(text[:-1]) // 1000
    return ((*path, "cpu"), int(text)) if text.isdecimal() else None


def _too_low(pool: Manifest, _: Context) -> Iterator[Fault]:
    possible, limit = _possible(pool), _limit(pool)
    if limit is None or not possible or limit[1] == 0:
        return
    path, cpus = limit
    smallest = min(possible, key=lambda t: (t.cpus, t.memory))
    if cpus < smallest.cpus:
        yield Fault(
            path,
            f"allows {cpus} vCPUs, and the smallest type that fits, {smallest.name}, has "
            f"{smallest.cpus}",
            f"{smallest.cpus} or more",
            "raise the limit, or allow smaller types",
            cpus,
        )


def _never_reached(pool: Manifest, _: Context) -> Iterator[Fault]:
    possible, limit = _possible(pool), _limit(pool)
    sizes = {t.cpus for t in possible}
    if limit is None or len(sizes) != 1:
        return
    path, cpus = limit
    (size,) = sizes
    if cpus > size and cpus % size:
        yield Fault(
            path,
            f"cannot be reached: every type that fits has {size} vCPUs",
            f"a multiple of {size}",
            f"write {cpus - cpus % size}, which is what the pool can have at most",
            cpus,
        )


def _tiny(pool: Manifest, _: Context) -> Iterator[Fault]:
    label = f"{_GROUP}/instance-size"
    small = [t for t in _possible(pool) if t.labels[label] in _TINY]
    # A pool that says nothing of types is told of that by another rule.
    if small and any(r.key not in _OPEN for r in conditions(pool)):
        yield Fault(
            (*node(pool), "requirements"),
            f"let {small[0].name} be launched, which the pods of every node nearly fill",
            "types with 2 GiB of memory or more",
            f"add {label} NotIn {', '.join(_TINY)}",
        )


def _too_many_pods(pool: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.prefix_delegation or (context.facts.cni or "vpc-cni") != "vpc-cni":
        return
    path, given = kubelet(pool)
    wanted = look.number(given, "maxPods")
    node_class = class_of(pool, context)
    if wanted is None and node_class is not None:
        wanted = look.number(node_class.spec, "kubelet", "maxPods")
        path = (*node(pool), "requirements")
    possible = _possible(pool)
    if wanted is None or not possible:
        return
    fewest = min(possible, key=lambda t: t.most_pods)
    if wanted > fewest.most_pods:
        yield Fault(
            path,
            f"let {fewest.name} be launched, which has addresses for {fewest.most_pods} pods, "
            f"while maxPods is {wanted}",
            f"at most {fewest.most_pods} pods, larger types, or prefix delegation",
            "lower maxPods, require larger types, or say that the VPC CNI delegates prefixes",
            wanted,
        )


def _too_many_values(pool: Manifest, _: Context) -> Iterator[Fault]:
    possible = _possible(pool)
    for requirement in conditions(pool):
        if requirement.min_values is None or not possible:
            continue
        there = {t.labels[requirement.key] for t in possible if requirement.key in t.labels}
        if requirement.key in (_TYPES, *_WORDS) and len(there) < requirement.min_values:
            yield Fault(
                (*requirement.path, "minValues"),
                f"asks for {requirement.min_values} values, and the types that fit have "
                f"{len(there)}",
                f"{len(there)} or fewer",
                "lower minValues, or loosen the other requirements",
                requirement.min_values,
            )


def _spot(pool: Manifest) -> Requirement | None:
    return next(
        (
            r
            for r in conditions(pool)
            if r.key == names.CAPACITY_TYPE_LABEL and r.operator == "In" and names.SPOT in r.values
        ),
        None,
    )


def _few_for_spot(pool: Manifest, context: Context) -> Iterator[Fault]:
    spot, count = _spot(pool), len(_possible(pool))
    if spot is None or context.facts.feature_gates.get(_GATE) or not 0 < count < _ENOUGH_FOR_SPOT:
        return
    yield Fault(
        (*spot.path, "values"),
        f"allows spot, of which {count} type{'s' if count > 1 else ''} can be had",
        f"{_ENOUGH_FOR_SPOT} types or more for spot",
        "allow more families, sizes or generations: fewer types are interrupted more often",
        list(spot.values),
    )


def _few_for_consolidation(pool: Manifest, context: Context) -> Iterator[Fault]:
    spot, count = _spot(pool), len(_possible(pool))
    if spot is None or not context.facts.feature_gates.get(_GATE):
        return
    if 0 < count < _ENOUGH_FOR_SPOT:
        yield Fault(
            (*spot.path, "values"),
            f"allows {count} type{'s' if count > 1 else ''}: spot is never consolidated to spot",
            f"{_ENOUGH_FOR_SPOT} types or more, all of them cheaper than the one in use",
            "allow more families, sizes or generations",
            list(spot.values),
        )


def _metal(pool: Manifest, _: Context) -> Iterator[Fault]:
    possible = _possible(pool)
    if possible and all(t.bare_metal for t in possible):
        yield Fault(
            (*node(pool), "requirements"),
            "leave bare metal only, which takes ten minutes and more to start",
            "types with a hypervisor, where bare metal is not needed",
            "keep it if that is meant; else require another size",
        )


RULES = (
    LintRule(
        "KPT401",
        "an instance type, family or size that is not known",
        Severity.WARNING,
        "A misspelt name matches nothing, so that the pool launches fewer types than is meant.",
        "EC2's instance types",
        POOLS,
        _not_known,
    ),
    LintRule(
        "KPT402",
        "requirements that no instance type meets",
        Severity.ERROR,
        "The pool never launches a node, and its pods stay pending without an error on the pool.",
        "EC2's instance types",
        POOLS,
        _nothing,
    ),
    LintRule(
        "KPT403",
        "a limit below the smallest instance type",
        Severity.ERROR,
        "The first node would exceed the limit, so that none is launched.",
        "aws/karpenter-provider-aws#6328",
        POOLS,
        _too_low,
    ),
    LintRule(
        "KPT404",
        "a limit that the sizes of the instance types do not reach",
        Severity.INFO,
        "The pool stops short of the limit, by a part of one node.",
        "aws/karpenter-provider-aws#6328",
        POOLS,
        _never_reached,
    ),
    LintRule(
        "KPT405",
        "instance types of 1 GiB and less",
        Severity.WARNING,
        "The daemons of a node fill such a type, and its pods are evicted for lack of memory.",
        "aws/karpenter-provider-aws#5463",
        POOLS,
        _tiny,
    ),
    LintRule(
        "KPT406",
        "more pods than the network has addresses for",
        Severity.WARNING,
        "Pods beyond the addresses of a node stay in ContainerCreating.",
        "aws/karpenter-provider-aws#3903",
        POOLS,
        _too_many_pods,
    ),
    LintRule(
        "KPT407",
        "minValues above what the instance types that fit have",
        Severity.ERROR,
        "Karpenter launches nothing that leaves fewer values than minValues asks for.",
        "kubernetes-sigs/karpenter#2078",
        POOLS,
        _too_many_values,
    ),
    LintRule(
        "KPT408",
        "few instance types for spot",
        Severity.WARNING,
        "The fewer types, the likelier is it that none can be had, or that all go at once.",
        "EKS best practices: Karpenter",
        POOLS,
        _few_for_spot,
    ),
    LintRule(
        "KPT409",
        "too few instance types to consolidate spot to spot",
        Severity.WARNING,
        "With the gate on, Karpenter replaces spot by spot only among 15 cheaper types or more.",
        "kubernetes-sigs/karpenter#1653",
        POOLS,
        _few_for_consolidation,
        since="0.34.0",
    ),
    LintRule(
        "KPT410",
        "bare metal only",
        Severity.INFO,
        "Such nodes start slowly, so that pods wait and consolidation pays late.",
        "EC2's instance types",
        POOLS,
        _metal,
    ),
)
