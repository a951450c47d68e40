"""Values that are right one by one and wrong together.

Each rule is a row of atoms over keys, so that Python and Terraform read the same rule: the
values are refused where all of its atoms hold. Sources: the chart's own documentation of
its values and the checks that the controller makes when it starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.release.keys import Path


class State(Enum):
    """What an atom says of its key's value; the text is its Terraform."""

    ON = "== true"
    NOT_ON = "!= true"
    SET = "!= null"


@dataclass(frozen=True)
class Atom:
    """One statement about one key."""

    name: str
    state: State

    @property
    def path(self) -> Path:
        """The steps to the key."""
        return tuple(self.name.split("."))

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether it is so; a value that only Terraform knows counts as not so."""
        value: Any = values
        for step in self.path:
            if not is_known(value):
                return False
            value = value.get(step) if isinstance(value, Mapping) else None
        if not is_known(value):
            return False
        return {
            State.ON: value is True,
            State.NOT_ON: value is not True,
            State.SET: value is not None,
        }[self.state]

    @property
    def condition(self) -> str:
        """The same in Terraform, for the variable `values`."""
        return f"try(var.values.{self.name}, null) {self.state.value}"


@dataclass(frozen=True)
class Combination:
    """Values that must not come together.

    Args:
        atoms: what must not hold at once; the first names the key that the fault is at.
        since: the first release that the rule is about.
    """

    atoms: tuple[Atom, ...]
    allowed: str
    fix: str
    since: str = ""

    def is_broken_by(self, values: Mapping[str, Any]) -> bool:
        """Whether these values are such a combination."""
        return all(atom.holds(values) for atom in self.atoms)

    @property
    def condition(self) -> str:
        """That the variable `values` is no such combination, in Terraform."""
        return f"!({' && '.join(atom.condition for atom in self.atoms)})"


def _with_enable_dra(other: str) -> Combination:
    return Combination(
        (Atom("settings.enableDRA", State.ON), Atom(other, State.SET)),
        f"settings.enableDRA without {other}: it stands for that key, and the chart does not "
        "render with both",
        f"remove {other}, or remove settings.enableDRA",
        since="1.15.0",
    )


_NODE_REPAIR = Atom("settings.featureGates.nodeRepair", State.NOT_ON)

_COMBINATIONS: Final = (
    _with_enable_dra("settings.ignoreDRARequests"),
    _with_enable_dra("settings.awsFeatureGates.draNVIDIAGPU"),
    _with_enable_dra("settings.awsFeatureGates.draEFA"),
    Combination(
        (
            Atom("settings.legacyNodeRepair", State.ON),
            Atom("settings.featureGates.terminateFirstRepair", State.ON),
        ),
        "either settings.legacyNodeRepair or settings.featureGates.terminateFirstRepair",
        "set one of the two to false",
        since="1.15.0",
    ),
    Combination(
        (Atom("settings.legacyNodeRepair", State.ON), _NODE_REPAIR),
        "settings.legacyNodeRepair only with settings.featureGates.nodeRepair: true",
        "set settings.featureGates.nodeRepair to true, or remove settings.legacyNodeRepair",
        since="1.15.0",
    ),
    Combination(
        (Atom("settings.awsFeatureGates.rebootForRepair", State.ON), _NODE_REPAIR),
        "settings.awsFeatureGates.rebootForRepair only with "
        "settings.featureGates.nodeRepair: true, without which it does nothing",
        "set settings.featureGates.nodeRepair to true, or remove rebootForRepair",
        since="1.15.0",
    ),
)


def combinations_of(release: Release) -> Iterator[Combination]:
    """The rules about this release's values."""
    return (rule for rule in _COMBINATIONS if not rule.since or release.at_least(rule.since))
