"""What a conversion gives: objects, what to know about them, and what stops it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from modules.core.faults import Fault, Step

Object = dict[str, Any]
Path = tuple[Step, ...]


@dataclass(frozen=True)
class Note:
    """Something to know about a field of the result.

    Args:
        path: where it is in the new manifest; the nearest place where it is gone.
        text: one sentence without a final stop.
        lossy: whether the old manifest said something that the new one cannot.
    """

    path: Path
    text: str
    lossy: bool = False


@dataclass
class Made:
    """One object of the result.

    Args:
        manifest: whole, in the order in which it is written.
        notes: what to know, beside the fields.
    """

    manifest: Object
    notes: list[Note] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the object."""
        return str(self.manifest["metadata"].get("name", ""))

    @property
    def key(self) -> str:
        """Kind and name, as messages have it."""
        return f"{self.manifest['kind']} {self.name}"

    def note(self, text: str, *path: Step, lossy: bool = False) -> None:
        """Adds a note."""
        self.notes.append(Note(path, text, lossy))


@dataclass
class Result:
    """All that a conversion of some objects gives.

    Args:
        faults: what stops it, with paths from the old object down, under its kind and name.
    """

    objects: list[Made] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def refuse(self, key: str, path: Path, problem: str, allowed: str, fix: str) -> None:
        """Adds a fault."""
        self.faults.append(Fault((key, *path), problem, allowed, fix))


def present(**fields: Any) -> Object:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value not in (None, [], {})}
