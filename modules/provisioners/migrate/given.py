"""What is wrong with old objects themselves, before anything is converted.

A conversion reads fields by name: what its own generation would refuse could crash it, or be lost
without a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from modules.core import names
from modules.core.catalogue import RELEASES, Api
from modules.core.faults import Fault, Step
from modules.provisioners.api.judge import refusals
from modules.provisioners.api.kind import Sort
from modules.provisioners.migrate.made import Object

KEPT_METADATA: Final = ("name", "labels", "annotations")
"""What users write; the API server writes the rest."""
_NEWEST: Final = {Api.V1ALPHA5: RELEASES["0.31.5"], Api.V1BETA1: RELEASES["0.37.8"]}
"""The newest release that writes each generation, which knows all of its fields."""
_TEMPLATE: Final = {
    "apiVersion": f"{names.NODE_CLASS_GROUP}/v1alpha1",
    "kind": names.NODE_TEMPLATE,
    "metadata": {"name": "inline"},
}
_UNREAD: Final = ("apiVersion", "kind")
"""What Provisioners with a provider say beside its fields."""
_SHAPE: Final = (Sort.TYPE, Sort.UNKNOWN)
_EXCLUSIVE: Final = (
    ("spec", "ttlSecondsAfterEmpty"),
    ("spec", "provider"),
)
"""Where one of two settings that exclude each other would be lost."""


def faults(manifest: Object, api: Api) -> list[Fault]:
    """Fields of the wrong type, unknown ones, and those of which one would be lost."""
    found = [
        judged.fault
        for judged in refusals(manifest, _NEWEST[api])
        if _is_read(judged.fault.path)
        and (judged.sort in _SHAPE or judged.fault.path in _EXCLUSIVE)
    ]
    spec = manifest.get("spec")
    inline = spec.get("provider") if isinstance(spec, Mapping) else None
    if manifest["kind"] == names.PROVISIONER and isinstance(inline, Mapping):
        template = {key: value for key, value in inline.items() if key not in _UNREAD}
        found += [
            replace(fault, path=_inline(fault.path))
            for fault in faults({**_TEMPLATE, "spec": template}, Api.V1ALPHA5)
        ]
    return found


def _is_read(path: tuple[Step, ...]) -> bool:
    """Whether a conversion reads this; the rest of the metadata is the API server's own."""
    return path[:1] == ("spec",) or (path[:1] == ("metadata",) and path[1:2] in _KEPT)


_KEPT: Final = tuple((field,) for field in KEPT_METADATA)


def _inline(path: tuple[Step, ...]) -> tuple[Step, ...]:
    return ("spec", "provider", *path[1:])
