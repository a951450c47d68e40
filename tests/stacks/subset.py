"""Compares the part of a synthesized stack that a test is about, and says where it differs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SPLICE = re.compile(r'\$\{jsonencode\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)\}')


def document(text: str) -> Any:
    """A JSON document with `${jsonencode(…)}` in it; each of these becomes the text `<…>`."""
    return json.loads(_SPLICE.sub(lambda found: json.dumps(f"<{found[1]}>"), text))


def differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Every place where `found` lacks what is expected; what it has besides is ignored.

    Where a mapping is expected and text is found, the text is read as a JSON document.
    """
    if isinstance(expected, dict):
        if isinstance(found, str):
            found = document(found)
        if not isinstance(found, dict):
            yield f"{path}: found {found!r}, expected a mapping"
            return
        for key, value in expected.items():
            if key in found:
                yield from differences(value, found[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: not found among {sorted(found)}"
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            yield f"{path}: found {found!r}, expected {len(expected)} items"
            return
        for index, (value, item) in enumerate(zip(expected, found, strict=True)):
            yield from differences(value, item, f"{path}[{index}]")
    elif expected != found or type(expected) is not type(found):
        yield f"{path}: found {found!r}, expected {expected!r}"
