"""Which instance types a pool can launch, and what each of its requirements takes away.

Labels that instance types do not have are a pool's own, or the node's place: they take nothing
away here. Zones are known by their ids only, since their names differ between accounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from modules.core import names
from modules.provisioners.api.alpha_defaults import added_beside
from modules.provisioners.instances.data import InstanceType, offered, types, zones
from modules.provisioners.instances.distil import LABELS
from modules.provisioners.lint.allowed import Allowed, allowed_by
from modules.provisioners.lint.finding import Manifest
from modules.provisioners.lint.pool_view import (
    Requirement,
    is_provisioner,
    labels_as_requirements,
    node,
    requirements,
)

ZONE_ID_LABEL: Final = "topology.k8s.aws/zone-id"
_ON_DEMAND: Final = "on-demand"
_RESERVED: Final = "reserved"
_OLD_NAMES: Final = {
    "beta.kubernetes.io/arch": names.ARCH_LABEL,
    "beta.kubernetes.io/instance-type": names.INSTANCE_TYPE_LABEL,
}
"""Labels that Kubernetes renamed, which Karpenter reads as the new ones."""

TELLING: Final = frozenset({*LABELS, names.CAPACITY_TYPE_LABEL, ZONE_ID_LABEL})
"""The labels that tell instance types apart."""


@dataclass(frozen=True)
class Step:
    """What one requirement leaves of the types that those before it left."""

    requirement: Requirement
    removed: int
    left: int


@dataclass(frozen=True)
class Selection:
    """The types that a pool can launch.

    Args:
        types: those that are left, by name.
        known: how many there were to choose from.
        steps: what each requirement left.
    """

    types: tuple[InstanceType, ...]
    known: int
    steps: tuple[Step, ...]


def selection(pool: Manifest, region: str | None = None) -> Selection:
    """What a pool can launch.

    Args:
        region: where; None for anywhere.
    """
    return select(conditions(pool), region)


def conditions(pool: Manifest) -> list[Requirement]:
    """The requirements and labels of a pool that tell instance types apart.

    Those that a Provisioner is given by default stand where its requirements do.
    """
    given = [_renamed(r) for r in (*requirements(pool), *labels_as_requirements(pool))]
    if is_provisioner(pool):
        said = {r.key for r in given}
        given += [Requirement((*node(pool), "requirements"), *row) for row in added_beside(said)]
    return [r for r in given if r.key in TELLING]


def select(given: Sequence[Requirement], region: str | None = None) -> Selection:
    """The types that meet all requirements."""
    places = None if region is None else offered(region)
    left = [t for t in types().values() if places is None or t.name in places]
    known, steps = len(left), []
    for requirement in given:
        rule = Allowed().and_also(requirement)
        kept = [t for t in left if meets(t, requirement.key, rule)]
        steps.append(Step(requirement, len(left) - len(kept), len(kept)))
        left = kept
    return Selection(tuple(left), known, tuple(steps))


def conflict(given: Sequence[Requirement], region: str | None = None) -> list[Requirement]:
    """The fewest of the requirements that together leave nothing; empty where something is left."""
    kept = list(given)
    if select(kept, region).types:
        return []
    for requirement in given:
        fewer = [r for r in kept if r is not requirement]
        if not select(fewer, region).types:
            kept = fewer
    return kept


def zones_of(found: InstanceType, given: Iterable[Requirement], region: str) -> list[str]:
    """The ids of a region's zones that have a type and that the requirements allow."""
    rule = Allowed()
    for requirement in given:
        if requirement.key == ZONE_ID_LABEL:
            rule = rule.and_also(requirement)
    return [
        zone for zone in zones(region) if rule.admits(zone) and found.name in (offered(zone) or ())
    ]


def meets(found: InstanceType, key: str, rule: Allowed) -> bool:
    """Whether a type has a value of a label that is allowed."""
    if key == names.CAPACITY_TYPE_LABEL:
        ways = {*found.usage, *([_RESERVED] if _ON_DEMAND in found.usage else [])}
        return any(rule.admits(way) for way in ways)
    if key == ZONE_ID_LABEL:
        return any(found.name in (offered(zone) or ()) for zone in rule.values or ())
    value = found.labels.get(key)
    return rule.admits(value) if value is not None else not rule.required


def selected(rules: Mapping[str, Allowed]) -> list[InstanceType]:
    """The types that meet rules on labels."""
    telling = {key: rule for key, rule in rules.items() if key in TELLING}
    return [
        t for t in types().values() if all(meets(t, key, rule) for key, rule in telling.items())
    ]


def merged(given: Iterable[Requirement]) -> dict[str, Allowed]:
    """What requirements leave of each label that tells types apart."""
    return allowed_by(r for r in map(_renamed, given) if r.key in TELLING)


def _renamed(requirement: Requirement) -> Requirement:
    key = _OLD_NAMES.get(requirement.key)
    if key is None:
        return requirement
    return Requirement(
        requirement.path, key, requirement.operator, requirement.values, requirement.min_values
    )
