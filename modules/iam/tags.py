"""Tags, set by override: CDKTF's own argument takes no expression for the whole map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from modules.core.expressions import Expr, template
from modules.core.placing import Element

E = TypeVar("E", bound=Element)


def tag(element: E, tags: Mapping[str, str] | Expr) -> E:
    """The resource with the tags; its attribute is left out where there literally are none."""
    if isinstance(tags, Expr):
        element.add_override("tags", str(tags))
    elif tags:
        element.add_override("tags", {template(key): template(tags[key]) for key in tags})
    return element
