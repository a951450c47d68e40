"""The requirements that the admission webhook added to every Provisioner that said nothing of them.

Source: the webhook of Karpenter 0.32, the last release that serves Provisioners.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from modules.core import names

_CATEGORY: Final = f"{names.NODE_CLASS_GROUP}/instance-category"
_GENERATION: Final = f"{names.NODE_CLASS_GROUP}/instance-generation"
_FAMILY: Final = f"{names.NODE_CLASS_GROUP}/instance-family"


class Added(NamedTuple):
    """A requirement that the webhook added."""

    key: str
    operator: str
    values: tuple[str, ...]


_ALWAYS: Final = (
    Added(names.OS_LABEL, "In", ("linux",)),
    Added(names.ARCH_LABEL, "In", ("amd64",)),
    Added(names.CAPACITY_TYPE_LABEL, "In", ("on-demand",)),
)
_TYPES: Final = (Added(_CATEGORY, "In", ("c", "m", "r")), Added(_GENERATION, "Gt", ("2",)))
_OF_TYPES: Final = (names.INSTANCE_TYPE_LABEL, _FAMILY, _CATEGORY, _GENERATION)


def added_beside(said: Collection[str]) -> list[Added]:
    """What the webhook adds to a Provisioner.

    Args:
        said: the keys of its requirements and labels.
    """
    added = [row for row in _ALWAYS if row.key not in said]
    return added if any(key in said for key in _OF_TYPES) else [*added, *_TYPES]
