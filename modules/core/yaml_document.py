"""A YAML document as plain data that knows the place of each of its keys and values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from modules.core.faults import ABSENT, Fault, Step


@dataclass(frozen=True)
class Place:
    """Where something stands in a file: line and column from 1, and how wide it is there."""

    line: int
    column: int
    width: int = 1


@dataclass(frozen=True)
class Written:
    """A number as it stands in the file: 1.10 is not 1.1 there."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Document:
    """What a file holds.

    Args:
        data: mappings, lists and scalars.
        faults: what is wrong with it as YAML; values at fault are in `data` as text.
        keys: where the key of each path stands that ends in one.
        values: where the value of each path begins.
        numbers: each number as it is written.
    """

    source: Path
    data: Any
    faults: list[Fault] = field(default_factory=list)
    keys: dict[tuple[Step, ...], Place] = field(default_factory=dict)
    values: dict[tuple[Step, ...], Place] = field(default_factory=dict)
    numbers: dict[tuple[Step, ...], str] = field(default_factory=dict)

    def place(self, path: tuple[Step, ...], *, value: bool = False) -> Place | None:
        """Where a path leads, or what is nearest around it that there is.

        Args:
            value: whether the value is meant; else the key, or the item of a list.
        """
        first, second = (self.values, self.keys) if value else (self.keys, self.values)
        if path in first:
            return first[path]
        while path and path not in self.keys and path not in self.values:
            path = path[:-1]
        return self.keys.get(path) or second.get(path) or self.values.get(path)

    @property
    def lines(self) -> dict[tuple[Step, ...], int]:
        """The line of each key, and of each item of a list."""
        return {path: place.line for path, place in (self.values | self.keys).items()}

    def locate(self, fault: Fault) -> Fault:
        """The fault with its line, and with its number as it is written.

        A fault about something that is missing gets the line of what it is missing from.
        """
        place = self.place(fault.path)
        located = replace(fault, line=place.line if place else None)
        text = self.numbers.get(fault.path)
        if text is None or fault.value is ABSENT or isinstance(fault.value, str):
            return located
        fix = fault.fix.replace(f'"{fault.value}"', f'"{text}"')
        return replace(located, value=Written(text), fix=fix)
