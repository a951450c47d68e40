"""Which values of a label a set of requirements leaves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from modules.core import names
from modules.provisioners.lint.finding import Manifest
from modules.provisioners.lint.pool_view import (
    Requirement,
    is_provisioner,
    labels_as_requirements,
    requirements,
)

_PROVISIONER_DEFAULTS = {
    names.CAPACITY_TYPE_LABEL: ("on-demand",),
    names.ARCH_LABEL: ("amd64",),
    names.OS_LABEL: ("linux",),
}
"""What the webhook of v1alpha5 filled in where a Provisioner said nothing."""


@dataclass(frozen=True)
class Allowed:
    """The values that a label may have.

    Args:
        listed: the only ones, or None for any.
        excluded: those that it may not have.
        low: the least number, or None.
        high: the greatest number, or None.
        required: whether the label must be there.
        forbidden: whether the label must not be there.
        by: the requirements that say so.
    """

    listed: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    low: int | None = None
    high: int | None = None
    required: bool = False
    forbidden: bool = False
    by: tuple[Requirement, ...] = field(default=(), compare=False)

    def and_also(self, requirement: Requirement) -> Allowed:
        """What one more requirement leaves of it."""
        listed, excluded, low, high = self.listed, self.excluded, self.low, self.high
        values = frozenset(requirement.values)
        match requirement.operator:
            case "In":
                listed = values if listed is None else listed & values
            case "NotIn":
                excluded |= values
            case "Gt" | "Gte" if (bound := _number(requirement.values)) is not None:
                least = bound + (requirement.operator == "Gt")
                low = least if low is None else max(low, least)
            case "Lt" | "Lte" if (bound := _number(requirement.values)) is not None:
                most = bound - (requirement.operator == "Lt")
                high = most if high is None else min(high, most)
        return Allowed(
            listed,
            excluded,
            low,
            high,
            self.required or requirement.operator in ("In", "Exists", "Gt", "Gte", "Lt", "Lte"),
            self.forbidden or requirement.operator == "DoesNotExist",
            (*self.by, requirement),
        )

    def admits(self, value: str) -> bool:
        """Whether the label may have this value."""
        if self.forbidden or value in self.excluded:
            return False
        if self.listed is not None and value not in self.listed:
            return False
        if self.low is None and self.high is None:
            return True
        number = int(value) if value.isdecimal() else None
        return (
            number is not None
            and (self.low is None or number >= self.low)
            and (self.high is None or number <= self.high)
        )

    @property
    def values(self) -> frozenset[str] | None:
        """The values that are left, or None where there is no end of them."""
        if self.listed is None:
            return frozenset() if self.forbidden else None
        return frozenset(value for value in self.listed if self.admits(value))

    @property
    def impossible(self) -> bool:
        """Whether nothing meets all the requirements."""
        if self.required and self.forbidden:
            return True
        if self.high is not None and self.high < (self.low or 0):
            return True
        return self.required and self.listed is not None and not self.values


def allowed_by(requirements_: Iterable[Requirement]) -> dict[str, Allowed]:
    """What requirements leave of each label that they speak of."""
    found: dict[str, Allowed] = {}
    for requirement in requirements_:
        found[requirement.key] = found.get(requirement.key, Allowed()).and_also(requirement)
    return found


def allowed(pool: Manifest) -> dict[str, Allowed]:
    """What a pool's requirements and labels leave of each label that it speaks of.

    What the webhook of v1alpha5 filled into Provisioners is among it.
    """
    found = allowed_by([*requirements(pool), *labels_as_requirements(pool)])
    if is_provisioner(pool):
        for key, values in _PROVISIONER_DEFAULTS.items():
            found.setdefault(key, Allowed(frozenset(values), required=True))
    return found


def admits(pool: Manifest, key: str, value: str) -> bool:
    """Whether the pool's nodes may have this value of a label."""
    return allowed(pool).get(key, Allowed()).admits(value)


def _number(values: tuple[str, ...]) -> int | None:
    return int(values[0]) if len(values) == 1 and values[0].isdecimal() else None
