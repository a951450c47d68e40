"""Rules on single requirements: keys and values that are not what they seem."""

from __future__ import annotations

import re
from collections.abc import Iterator

from modules.core import names
from modules.core.faults import Fault, nearest
from modules.core.rules import REGION
from modules.provisioners.api.label_rules import AWS_LABELS
from modules.provisioners.lint.allowed import allowed
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import POOLS, requirements

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


RULES = (
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
)
