"""Rules on the requirements of a pool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from modules.core import names
from modules.core.faults import Fault, nearest
from modules.core.rules import REGION
from modules.provisioners.api.label_rules import AWS_LABELS
from modules.provisioners.lint.allowed import allowed
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import (
    POOLS,
    Requirement,
    node,
    requirements,
)

_INSTANCE = f"{names.NODE_CLASS_GROUP}/instance-"
_MEMORY = f"{_INSTANCE}memory"
_LEAST_MEMORY = 512
"""MiB of the smallest instance type, the nano."""

_NUMERIC = frozenset(
    f"{names.NODE_CLASS_GROUP}/{label}"
    for label in (
        *("instance-accelerator-count", "instance-cpu", "instance-ebs-bandwidth"),
        *("instance-cpu-sustained-clock-speed-mhz", "instance-generation", "instance-gpu-count"),
        *("instance-gpu-memory", "instance-local-nvme", "instance-memory"),
        *("instance-network-bandwidth", "instance-pods", "placement-group-partition"),
    )
)
"""Labels whose values are numbers."""

_WORDS = {
    *(label for label in AWS_LABELS if label not in _NUMERIC),
    *(names.CAPACITY_TYPE_LABEL, names.ARCH_LABEL, names.OS_LABEL),
    *(names.INSTANCE_TYPE_LABEL, names.ZONE_LABEL, names.REGION_LABEL),
}
"""Labels whose values are words."""

_WELL_KNOWN = (
    *(names.ARCH_LABEL, names.OS_LABEL, names.INSTANCE_TYPE_LABEL),
    *(names.ZONE_LABEL, names.REGION_LABEL, "node.kubernetes.io/windows-build"),
)
_KUBERNETES = ("kubernetes.io", "node.kubernetes.io", "topology.kubernetes.io")
_ZONE_ID = re.compile(r"[a-z]{3,4}[0-9]+-(az[0-9]+|[a-z]+[0-9]+-az[0-9]+)")
_NUMBERS = ("Gt", "Gte", "Lt", "Lte")


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


def _no_number(pool: Manifest, _: Context) -> Iterator[Fault]:
    for requirement in requirements(pool):
        if requirement.operator in _NUMBERS and requirement.key in _WORDS:
            yield Fault(
                (*requirement.path, "operator"),
                f"compares numbers, while {requirement.key} is a word",
                "In, NotIn, Exists or DoesNotExist with this key",
                "list the values with In or NotIn",
                requirement.operator,
            )


def _memory_unit(pool: Manifest, _: Context) -> Iterator[Fault]:
    for requirement in requirements(pool):
        numbers = [int(v) for v in requirement.values if v.isdecimal()]
        if requirement.key == _MEMORY and any(n < _LEAST_MEMORY for n in numbers):
            small = next(n for n in numbers if n < _LEAST_MEMORY)
            yield Fault(
                (*requirement.path, "values"),
                "is less memory than any instance type has: the label counts MiB",
                f"MiB, {_LEAST_MEMORY} or more",
                f'write "{small * 1024}" if {small} GiB are meant',
                list(requirement.values),
            )


def _mistyped(pool: Manifest, _context: Context) -> Iterator[Fault]:
    for requirement in requirements(pool):
        domain, _, label = requirement.key.partition("/")
        if domain not in _KUBERNETES or requirement.key in _WELL_KNOWN:
            continue
        like = nearest(label, (known.partition("/")[2] for known in _WELL_KNOWN))
        if like is not None:
            meant = next(known for known in _WELL_KNOWN if known.endswith(f"/{like}"))
            yield Fault(
                (*requirement.path, "key"),
                "is no label that Kubernetes gives to nodes",
                ", ".join(_WELL_KNOWN),
                f"did you mean {meant}?",
                requirement.key,
            )


def _zone_form(pool: Manifest, _: Context) -> Iterator[Fault]:
    for requirement in requirements(pool):
        if requirement.key != names.ZONE_LABEL:
            continue
        for index, value in enumerate(requirement.values):
            is_region = REGION.check(value)
            if is_region or _ZONE_ID.fullmatch(value):
                sort = "a region" if is_region else "the id of a zone"
                key = names.REGION_LABEL if is_region else "topology.k8s.aws/zone-id"
                yield Fault(
                    (*requirement.path, "values", index),
                    f"is {sort}, and no node has it as the name of its zone",
                    "names of zones, such as us-west-2a",
                    f"write the zone's name, or use the key {key}",
                    value,
                )


def _zone_known(pool: Manifest, context: Context) -> Iterator[Fault]:
    zones = context.facts.zones
    found = allowed(pool).get(names.ZONE_LABEL)
    if not zones or found is None or found.values is None:
        return
    for requirement in found.by:
        absent = [v for v in requirement.values if v not in zones]
        if requirement.operator == "In" and absent:
            yield Fault(
                (*requirement.path, "values"),
                f"names {', '.join(absent)}, where the cluster has no subnets",
                f"the cluster's zones: {', '.join(sorted(zones))}",
                "remove the zone, or add subnets there",
                list(requirement.values),
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
        "KPT112",
        "a key that looks like a label of Kubernetes",
        Severity.WARNING,
        "No node has such a label by itself: Karpenter gives the nodes one with whatever value.",
        "aws/karpenter-provider-aws#5521",
        POOLS,
        _mistyped,
    ),
    LintRule(
        "KPT113",
        "a comparison of numbers with a label that is a word",
        Severity.ERROR,
        "No value of the label is a number, so that the pool never launches a node.",
        "Karpenter's well-known labels",
        POOLS,
        _no_number,
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
        "KPT115",
        "a zone in which the cluster has no subnets",
        Severity.WARNING,
        "Nothing is ever launched there.",
        "aws/karpenter-provider-aws#3341",
        POOLS,
        _zone_known,
    ),
    LintRule(
        "KPT116",
        "a region or a zone's id in place of the zone's name",
        Severity.ERROR,
        "No node has such a zone, so that the pool never launches one there.",
        "Kubernetes' well-known labels; names of zones differ by account, ids do not",
        POOLS,
        _zone_form,
    ),
    LintRule(
        "KPT117",
        "memory in GiB, where the label counts MiB",
        Severity.WARNING,
        "The condition is met by every instance type, or by none.",
        "Karpenter's instance types: instance-memory is in MiB",
        POOLS,
        _memory_unit,
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
