"""How layers of Helm values become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merged(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """The layers as one, a later one winning over those before it; none is changed.

    This is the merge that Helm makes of several values documents: where both sides are
    maps they are merged key by key, anything else replaces what was there. A null stays in
    the result, so that Helm takes the chart's own default away. The layers are taken from
    the left; the grouping matters only where one layer has a map and another has not.
    """
    result: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            below = result.get(key)
            if isinstance(value, Mapping):
                result[key] = merged(below if isinstance(below, Mapping) else {}, value)
            else:
                result[key] = value
    return result
