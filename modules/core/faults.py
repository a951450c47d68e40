"""Faults in a user's input, and the one way in which they are told.

Every check of the project reports `Fault`s; whoever drives the checks raises one
`InvalidInput` with all of them, so that a user mends a file in one go.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

INTERRUPTED = 130
"""Exit code of a program that an interrupt ended, as shells have it."""

_VALUE_LENGTH = 120
"""Longest value shown; a user recognises a value by its beginning."""


class Absent(Enum):
    """Stands for the value of a fault about something that is not there."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT

Step = str | int
"""One step into the input: a key or an index."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in the input.

    Args:
        path: where it is: keys and indexes from the top of the input.
        problem: what is wrong, one phrase without the value.
        allowed: what would be right.
        fix: what to do about it.
        value: what was received; `ABSENT` where nothing was.
        line: its line in the file, from 1, when it came from one.
    """

    path: tuple[Step, ...]
    problem: str
    allowed: str
    fix: str
    value: object = ABSENT
    line: int | None = None

    def under(self, *steps: Step) -> Fault:
        """The same fault seen from further up."""
        return replace(self, path=(*steps, *self.path))

    def __str__(self) -> str:
        where = dotted(self.path) or "(top level)"
        if self.line is not None:
            where += f" (line {self.line})"
        lines = [f"{where}: {self.problem}"]
        if self.value is not ABSENT:
            lines.append(f"got:     {shown(self.value)}")
        lines += [f"allowed: {self.allowed}", f"fix:     {self.fix}"]
        return "\n    ".join(lines)


class InvalidInput(Exception):
    """The input cannot be used; `str()` is the whole message for the user.

    Args:
        faults: all of them, at least one.
        source: the file they are in, when there is one.
    """

    def __init__(self, faults: Iterable[Fault], source: Path | str | None = None) -> None:
        self.faults = tuple(faults)
        self.source = None if source is None else str(source)
        super().__init__(self.faults, self.source)

    def __str__(self) -> str:
        count = f"{len(self.faults)} fault{'s' if len(self.faults) != 1 else ''}"
        head = f"{self.source or 'input'}: {count}, nothing was written"
        return "\n\n".join([head, *(f"{n}. {fault}" for n, fault in enumerate(self.faults, 1))])


def unwritable(folder: Path, error: OSError, fix: str) -> InvalidInput:
    """What to tell of a folder that the system does not let us write into."""
    problem = f"cannot be written: {error.strerror or error}"
    at = folder if error.filename is None else error.filename
    fault = Fault((), problem, "a folder in which files may be made", fix, str(at))
    return InvalidInput([fault], folder)


def dotted(path: Sequence[Step]) -> str:
    """`('clusters', 0, 'name')` as `clusters[0].name`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("_", "").replace("-", "").isalnum():
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step)}]"
    return text


def shown(value: object) -> str:
    """A value as the user wrote it, cut to a readable length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    return text if len(text) <= _VALUE_LENGTH else text[: _VALUE_LENGTH - 1] + "…"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, or None when none is much like it."""
    by_folded = {candidate.replace("_", "").casefold(): candidate for candidate in known}
    found = difflib.get_close_matches(word.replace("_", "").casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else None


def unknown_key(key: str, known: Iterable[str], value: object = ABSENT) -> Fault:
    """The fault of a key that nothing reads, with the nearest key that something does."""
    names = sorted(known)
    like = nearest(key, names)
    return Fault(
        path=(key,),
        problem="is not a known key",
        value=value,
        allowed=f"one of {', '.join(names)}" if names else "no keys here",
        fix=f"did you mean {like}?" if like else "remove it",
    )
