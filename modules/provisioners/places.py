"""The places of a spec as rows of a Terraform table, with what stands there.

A row is an object with `at`, the path that is told, and `of`, the value; null where there is
none. The rows of a list's items, or of a map's values, come from a for-expression around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from modules.core import names
from modules.core.catalogue import Release
from modules.provisioners.api.kubelet import Kubelet
from modules.provisioners.api.node_class import EC2NodeClassSpec
from modules.provisioners.api.shape import Node, at_release, shape
from modules.provisioners.api.spec_checks import OPEN_KUBELET, kind_named
from modules.provisioners.expressions import words

Row = Callable[[str, str, Node], list[str]]
"""The rows of one place: of its path, the expression of its value, and its node."""

VARIABLES = {
    names.NODE_POOL: "node_pools",
    names.PROVISIONER: "node_pools",
    names.NODE_CLASS: "node_classes",
    names.NODE_TEMPLATE: "node_classes",
}


def rows(kind: str, release: Release, row: Row, keys: Iterable[str] | None = None) -> list[str]:
    """Expressions, each of one row or of nested lists of rows; `spec` is the spec.

    Args:
        kind: `NodePool` or `EC2NodeClass`.
        row: what to say of a place.
        keys: the fields of the spec to look at; None for all of it, itself included.
    """
    root = shape(at_release(kind_named(kind, release).model, release))
    closed = _closed_kubelet(release) if kind == names.NODE_CLASS else None
    if keys is None:
        found = _walk(root, "spec", "", row)
    else:
        kept = {key: node for key, node in root.fields.items() if key in keys}
        found = _below(replace(root, fields=kept), "spec", "", row)
        closed = closed if "kubelet" in kept else None
    return [*found, *([_looped(closed, row)] if closed else [])]


def table(rows: Iterable[str]) -> str:
    """The rows as one flat list."""
    return f"flatten([{', '.join(rows)}])"


def items_of(kind: str, value: str) -> str:
    """What to go through where a list or map should be; nothing where it is none."""
    return f"try(concat({value}, []), [])" if kind == "list" else f"try(merge({value}), {{}})"


def _walk(node: Node, value: str, at: str, row: Row) -> list[str]:
    return [*row(at, value, node), *_below(node, value, at, row)]


def _below(node: Node, value: str, at: str, row: Row) -> list[str]:
    found = []
    for key, child in node.fields.items():
        found += _walk(child, f"{value}.{key}", f"{at}.{key}" if at else key, row)
    if node.item is not None:
        # A name for each depth, since the path of an inner item holds the outer index.
        depth = at.count("${") or ""
        index, item = f"i{depth}", f"v{depth}"
        place = f"{at}[${{{index}}}]" if node.kind == "list" else f"{at}.${{{index}}}"
        inner = _walk(node.item, item, place, row)
        if node.kind == "map":
            named = Node("text", node.key_rules)
            inner += row(place, index, named) if node.key_rules else []
        if inner:
            listed = inner[0] if len(inner) == 1 else f"[{', '.join(inner)}]"
            found.append(f"[for {index}, {item} in {items_of(node.kind, value)} : {listed}]")
    return found


def _closed_kubelet(release: Release) -> Node | None:
    """The kubelet's fields where the CRD takes any, though most families do not."""
    opened = shape(EC2NodeClassSpec).fields["kubelet"].open_from
    closed = opened is not None and release.at_least(opened)
    return shape(Kubelet) if closed else None


def _looped(node: Node, row: Row) -> str:
    """The rows of the kubelet of a class whose family takes no other settings."""
    family = (
        'try(coalesce(spec.amiFamily), split("@", [for term in spec.amiSelectorTerms : '
        'term.alias if try(term.alias, null) != null][0])[0], "")'
    )
    given = f"contains({words(OPEN_KUBELET)}, {family}) ? null : try(merge(spec.kubelet), null)"
    # What is no mapping is told by the row that every kubelet has.
    inner = ", ".join(_walk(node, "kubelet", "kubelet", row))
    return f"[for kubelet in [{given}] : [{inner}]]"
