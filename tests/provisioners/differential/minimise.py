"""The smallest manifest on which two judges still disagree."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Place = tuple[Any, ...]


def minimised(value: Any, still: Callable[[Any], bool]) -> Any:
    """Takes away one key or item after the other as long as `still` holds of what is left."""
    changed = True
    while changed:
        changed = False
        for place in list(_places(value)):
            smaller = _without(value, place)
            if still(smaller):
                value, changed = smaller, True
                break
    return value


def _places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Every key and index, outermost first."""
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        yield from ((*path, key) for key in keys)
        for key in keys:
            yield from _places(value[key], (*path, key))


def _without(value: Any, place: Place) -> Any:
    smaller = copy.deepcopy(value)
    at = smaller
    for step in place[:-1]:
        at = at[step]
    del at[place[-1]]
    return smaller
