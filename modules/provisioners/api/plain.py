"""Specs that are written as Python objects, as the plain data that YAML would give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.core.inputs import Settings


def plain(value: Any) -> Any:
    """The value with Karpenter's own key for each field of an object in it, at any depth.

    Fields that are None are left out. Expressions and all other values stay as they are.
    """
    if isinstance(value, Settings):
        fields = type(value).model_fields
        given = {info.alias or name: getattr(value, name) for name, info in fields.items()}
        return {key: plain(inner) for key, inner in given.items() if inner is not None}
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value
