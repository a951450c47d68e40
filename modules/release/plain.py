"""Whether data is what JSON can hold and YAML can read, and so what Helm can be given."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from modules.core.expressions import Expr
from modules.core.faults import Fault, Step

UNREADABLE: Final = r"[\x7f-\x9f\x{fffe}\x{ffff}]"
"""What JSON leaves as it is and YAML refuses or folds, as an RE2 expression."""

UNREADABLE_PROBLEM: Final = "holds a character that Helm cannot read"
UNREADABLE_ALLOWED: Final = "text without the control characters U+007F to U+009F"
UNREADABLE_FIX: Final = "remove them: Helm reads values as YAML, which does not have them"

# Python writes such characters in another way, and has halves of surrogate pairs as well.
_UNREADABLE = re.compile("[\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ALLOWED = "text, numbers, true, false, null, lists and mappings"


def unfit_parts(value: Any, path: tuple[Step, ...] = ()) -> Iterator[Fault]:
    """The faults of parts that cannot be handed on; YAML and Python have dates and more."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _key(key, path)
            yield from unfit_parts(below, (*path, str(key)))
    elif isinstance(value, str):
        yield from _text(value, path)
    elif isinstance(value, float):
        if not math.isfinite(value):
            fix = "write digits, or leave it out"
            yield Fault(path, "is not a number", "a finite number", fix, str(value))
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for index, below in enumerate(value):
            yield from unfit_parts(below, (*path, index))
    elif not (value is None or isinstance(value, bool | int | Expr)):
        problem = f"is a {type(value).__name__}, which values cannot hold"
        yield Fault(path, problem, _ALLOWED, "write it in quotes", str(value))


def _key(key: object, path: tuple[Step, ...]) -> Iterator[Fault]:
    if isinstance(key, str):
        yield from _text(key, (*path, key))
    else:
        fix = f'write it in quotes: "{str(key).lower()}"'
        yield Fault((*path, str(key)), "is a key that is not text", "text", fix, key)


def _text(text: str, path: tuple[Step, ...]) -> Iterator[Fault]:
    if _UNREADABLE.search(text):
        yield Fault(path, UNREADABLE_PROBLEM, UNREADABLE_ALLOWED, UNREADABLE_FIX, ascii(text))
