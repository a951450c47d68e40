"""The keys of specs as `validation` blocks of the published module's variables.

One block says which keys are not known, one which are missing, at every level. What the
values must be is said by the locals of `spec_faults.py`. A block cannot refer to a local that
refers to its variable, so that its table stands in the condition and again in the message.
"""

from __future__ import annotations

from collections.abc import Callable

from modules.core.catalogue import Release
from modules.core.expressions import quoted
from modules.core.inputs import Validation
from modules.provisioners.api.shape import Node
from modules.provisioners.expressions import GIVEN_SPEC, HAS_SPEC
from modules.provisioners.kinds import node_class_kind, node_pool_kind
from modules.provisioners.places import VARIABLES, rows, table

_REFERENCES = ("template.spec.nodeClassRef", "providerRef")
_FILLED = {
    *_REFERENCES,
    *(f"{place}.{key}" for place in _REFERENCES for key in ("group", "kind", "name")),
    *("subnetSelectorTerms", "securityGroupSelectorTerms", "role"),
}
"""Required keys that the module fills in where they are not given."""

_UNKNOWN = (
    "for key in try(keys(row.of), []) : "
    '"${name}: ${row.at}${key}: is not a known key. '
    'Allowed: one of ${row.keys}. Fix: correct the key or remove it."'
    ' if !contains(split(", ", row.keys), key)'
)
_MISSING = (
    'for key in split(", ", row.keys) : '
    '"${name}: ${row.at}${key}: is missing. Allowed: a value for ${key}. Fix: add it."'
    " if can(keys(row.of)) && try(row.of[key], null) == null"
)


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by variable.

    Args:
        release: the Karpenter release that is to read the specs.
    """
    return {
        VARIABLES[kind]: [
            _block(VARIABLES[kind], rows(kind, release, _row(_known)), _UNKNOWN),
            _block(VARIABLES[kind], rows(kind, release, _row(_required)), _MISSING),
        ]
        for kind in (node_class_kind(release).kind, node_pool_kind(release).kind)
    }


def _row(keys: Callable[[str, Node], list[str]]) -> Callable[[str, str, Node], list[str]]:
    def row(at: str, value: str, node: Node) -> list[str]:
        found = keys(at, node) if node.kind == "object" else []
        # What begins with a dot may be missing on the way.
        of = f"try({value}, null)" if "." in value else value
        steps = f"{at}." if at else ""
        told = f"keys = {quoted(', '.join(found))}"
        return [f'{{ at = "{steps}", of = {of}, {told} }}'] if found else []

    return row


def _known(_: str, node: Node) -> list[str]:
    return sorted(node.fields)


def _required(at: str, node: Node) -> list[str]:
    return [key for key in node.required if (f"{at}.{key}" if at else key) not in _FILLED]


def _block(variable: str, found: list[str], each: str) -> Validation:
    # Other blocks say that the variable is no map, an object no mapping, or a spec not there.
    objects = f"for name, given in try(merge(var.{variable}), {{}})"
    faults = (
        f"flatten([{objects} : [for spec in [{GIVEN_SPEC}] : "
        f"[for row in {table(found)} : [{each}]]] if try({HAS_SPEC}, false)])"
    )
    return Validation(f"length({faults}) == 0", f'${{join("\\n", {faults})}}')
