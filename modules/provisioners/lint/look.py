"""Reading specs whose values may have any type: what has another one than expected is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modules.core.expressions import is_known
from modules.core.faults import Step

Path = tuple[Step, ...]


def at(value: Any, *steps: str) -> Any:
    """What stands under keys in one another, or None."""
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def mapping(value: Any, *steps: str) -> Mapping[str, Any]:
    """The mapping there; an empty one where there is none."""
    found = at(value, *steps)
    return found if isinstance(found, Mapping) else {}


def text(value: Any, *steps: str) -> str | None:
    """The text there, or None where there is none or only Terraform knows it."""
    found = at(value, *steps)
    return found if isinstance(found, str) and is_known(found) else None


def number(value: Any, *steps: str) -> int | None:
    """The whole number there, or None."""
    found = at(value, *steps)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def items(value: Any, *steps: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The mappings in the list there, with their paths."""
    found = at(value, *steps)
    for index, item in enumerate(found if isinstance(found, list) else ()):
        if isinstance(item, Mapping):
            yield (*steps, index), item


def texts(value: Any, *steps: str) -> list[str]:
    """The texts in the list there."""
    found = at(value, *steps)
    listed = found if isinstance(found, list) else ()
    return [item for item in listed if isinstance(item, str) and is_known(item)]


def certain(value: Any, path: Path) -> bool:
    """Whether all is known that stands on the way down a path, and where it ends."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
    return _all_known(value)


def _all_known(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_all_known, value.values()))
    if isinstance(value, list):
        return all(map(_all_known, value))
    return is_known(value)
