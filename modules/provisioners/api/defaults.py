"""What the API server fills in where an object leaves it out."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from modules.core.catalogue import Release
from modules.provisioners.api.shape import Node


def filled(node: Node, value: Any, release: Release) -> Any:
    """The value with the defaults of one release; what is of the wrong type stays as it is.

    Args:
        node: the shape of the value, as that release knows it.
        value: plain data; a null counts as absent.
    """
    if isinstance(value, Mapping) and node.kind == "object":
        full = {key: inner for key, inner in value.items() if inner is not None}
        for key, child in node.fields.items():
            default = next((d for d in reversed(child.defaults) if d.holds_for(release)), None)
            if key not in full and default is not None:
                full[key] = copy.deepcopy(default.value)
            if key in full:
                full[key] = filled(child, full[key], release)
        return full
    if node.item is None:
        return value
    if isinstance(value, Mapping) and node.kind == "map":
        return {key: filled(node.item, inner, release) for key, inner in value.items()}
    if isinstance(value, list) and node.kind == "list":
        return [filled(node.item, inner, release) for inner in value]
    return value
