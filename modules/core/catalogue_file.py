"""The file that holds what is known of Karpenter's releases, and how it is written.

Code reads it through `catalogue` and the modules that own a section: one row a line, so that a
release added shows as a few lines of difference.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("catalogue.json")

_WIDTH = 100
"""A row longer than this is broken up."""


@cache
def section(name: str) -> Any:
    """One section of the file, as JSON gives it; not to be changed.

    Raises:
        KeyError: there is no such section.
    """
    return _whole()[name]


@cache
def _whole() -> dict[str, Any]:
    return read(PATH)


def read(path: Path) -> dict[str, Any]:
    """All of the file."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def dumped(data: Any) -> str:
    """The text of the file: what fits a line stands on one."""
    return _text(data, 0) + "\n"


def _text(value: Any, depth: int) -> str:
    plain = json.dumps(value, ensure_ascii=False)
    inner = "  " * (depth + 1)
    # Sections and their rows are broken up whatever their length.
    if (depth > 1 and len(inner) + len(plain) <= _WIDTH) or not isinstance(value, dict | list):
        return plain
    if not value:
        return plain
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: {_text(item, depth + 1)}" for key, item in value.items()]
        opened, closed = "{", "}"
    else:
        rows = [_text(item, depth + 1) for item in value]
        opened, closed = "[", "]"
    separator = f",\n{inner}"
    return f"{opened}\n{inner}{separator.join(rows)}\n{'  ' * depth}{closed}"
