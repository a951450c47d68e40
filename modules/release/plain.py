"""Whether data is what JSON can hold, and so what Helm can be given."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modules.core.expressions import Expr
from modules.core.faults import Fault, Step

_ALLOWED = "text, numbers, true, false, null, lists and mappings"


def unfit_parts(value: Any, path: tuple[Step, ...] = ()) -> Iterator[Fault]:
    """The faults of parts that JSON does not have; YAML and Python have dates and more."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            if isinstance(key, str):
                yield from unfit_parts(below, (*path, key))
            else:
                fix = f'write it in quotes: "{str(key).lower()}"'
                yield Fault((*path, str(key)), "is a key that is not text", "text", fix, key)
    elif isinstance(value, str):
        if not value.isascii() and _holds_half_a_character(value):
            yield Fault(path, "holds half a character", "whole characters", "mend it", repr(value))
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield Fault(path, "is not a number", "a finite number", "write digits", str(value))
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for index, below in enumerate(value):
            yield from unfit_parts(below, (*path, index))
    elif not (value is None or isinstance(value, bool | int | Expr)):
        yield Fault(path, "is neither", _ALLOWED, "write it in quotes", str(value))


def _holds_half_a_character(text: str) -> bool:
    """Whether it has one half of a surrogate pair without the other."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
