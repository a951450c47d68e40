"""Synthesized Terraform (the dict that CDKTF gives) as HCL, as `terraform fmt` leaves it.

Terraform's JSON syntax does not tell blocks from attributes; HCL must. What is a block is
looked up in the tables here. A nested structure that they do not name is refused: guessing
would give a module that Terraform rejects, or worse, one that it reads otherwise.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stacks.hcl_layout import INDENT, Lines, aligned, indented
from stacks.hcl_values import Literal, Verbatim, quoted, value
from stacks.template_text import Text

WIDTH = 100
"""Columns of a line that a reader takes in at once."""

Path = tuple[str, ...]
"""Kinds of blocks from the top: `("resource", "lifecycle", "precondition")`."""

_LABELS = {"resource": 2, "data": 2, "variable": 1, "output": 1, "module": 1, "check": 1}
"""Labels of the top-level blocks that have some."""

_BLOCKS = {
    ("terraform", "required_providers"),
    ("variable", "validation"),
    ("output", "precondition"),
    ("resource", "lifecycle"),
    ("resource", "lifecycle", "precondition"),
    ("resource", "lifecycle", "postcondition"),
    ("data", "lifecycle"),
    ("data", "lifecycle", "precondition"),
    ("data", "lifecycle", "postcondition"),
    ("check", "assert"),
}
"""Nested blocks."""

_TOP_LEVEL = {*_LABELS, "terraform", "locals", "moved"}

_STRUCTURES = {
    ("terraform", "required_providers", "*"),
    ("variable", "default"),
    ("output", "value"),
    ("locals", "*"),
    ("module", "*"),
    ("resource", "for_each"),
    ("resource", "tags"),
}
"""Attributes whose value may be a mapping or a list of mappings."""

_ATTRIBUTES_ONLY = {"helm_release"}
"""Resource types of providers on the plugin framework that have no nested blocks at all."""

_REFERENCES = {
    ("variable", "type"),
    ("output", "depends_on"),
    ("resource", "depends_on"),
    ("resource", "lifecycle", "ignore_changes"),
    ("resource", "lifecycle", "replace_triggered_by"),
    ("data", "depends_on"),
    ("module", "depends_on"),
    ("moved", "from"),
    ("moved", "to"),
}
"""Attributes that hold types or addresses, which JSON writes as plain strings."""

_LITERALS = {
    ("terraform", "required_version"),
    ("terraform", "required_providers", "*"),
    ("variable", "default"),
    ("variable", "description"),
    ("output", "description"),
    ("module", "source"),
    ("module", "version"),
}
"""Attributes that Terraform does not evaluate: no templates."""

_META = ("count", "for_each")
_APART = (*_META, "depends_on")
"""What stands by itself: whether and when, not what."""
_FIRST = (
    *(*_META, "source", "name", "path", "description", "type"),
    *("repository", "chart", "version", "namespace", "create_namespace"),
)
_LAST = (
    *("assume_role_policy", "policy", "values", "tags"),
    *("depends_on", "lifecycle"),
)


def render(tree: Mapping[str, Any], *, comments: Mapping[str, str] | None = None) -> str:
    """HCL text that Terraform reads as it reads the tree as JSON.

    Args:
        tree: Terraform's JSON syntax; blocks come out in its order.
        comments: by address (`aws_iam_role.controller`, or `locals`), what to say above a block.

    Raises:
        ValueError: a block, or a nested structure, that the tables do not know.
    """
    chunks = []
    for kind, content in tree.items():
        if kind not in _TOP_LEVEL:
            raise ValueError(f"no block is called {kind}")
        for labels, body in _labelled(content, _LABELS.get(kind, 0)):
            comment = (comments or {}).get(".".join(labels) or kind)
            lines = [f"# {line}" for line in textwrap.wrap(comment or "", WIDTH - len("# "))]
            chunks.append("\n".join([*lines, *_block(kind, labels, body)]))
    return "\n\n".join(chunks) + "\n"


def _labelled(content: Any, labels: int) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if labels:
        for label, inner in content.items():
            for others, body in _labelled(inner, labels - 1):
                yield (label, *others), body
    else:
        for body in content if isinstance(content, list) else [content]:
            yield (), body


def _block(kind: str, labels: Path, body: Mapping[str, Any]) -> Lines:
    header = " ".join([kind, *(quoted([Text(label)]) for label in labels)])
    free = kind == "resource" and labels[0] in _ATTRIBUTES_ONLY
    lines = _body((kind,), body, free=free)
    return [f"{header} {{", *indented(lines), "}"] if lines else [f"{header} {{}}"]


def _body(path: Path, body: Mapping[str, Any], *, free: bool) -> Lines:
    """Attributes in groups, then blocks, with an empty line between neighbours of unlike kind."""
    width = WIDTH - len(INDENT) * len(path)
    chunks: list[Lines] = []
    attributes: list[tuple[str, Lines]] = []
    for key in _ordered(path, body):
        item, inner = body[key], (*path, key)
        if inner in _BLOCKS:
            blocks = item if isinstance(item, list) else [item]
            chunks += [[f"{key} {{", *indented(_body(inner, b, free=False)), "}"] for b in blocks]
            continue
        lines = value(_marked(inner, item, free=free), width, len(key) + len(" = "))
        if key in _APART or inner == ("module", "source"):
            chunks.append(aligned([(key, lines)]))
        else:
            attributes.append((key, lines))
    first = any(key in _META for key in body) or path == ("module",)
    chunks.insert(first, aligned(attributes))
    return _spaced(chunks)


def _spaced(chunks: Iterable[Lines]) -> Lines:
    out: Lines = []
    for chunk in chunks:
        if out and chunk:
            out.append("")
        out += chunk
    return out


def _ordered(path: Path, body: Mapping[str, Any]) -> list[str]:
    """Keys in reading order; those that no rule names keep their own."""
    if path[-1] in ("locals", "required_providers", "variable", "output"):
        return list(body)
    if path == ("module",):
        return sorted(body, key=lambda key: (key == "depends_on") - (key == "source"))

    def place(key: str) -> int:
        if key in _FIRST:
            return _FIRST.index(key) - len(_FIRST)
        return _LAST.index(key) + 1 if key in _LAST else 0

    return sorted(body, key=place)


def _marked(path: Path, item: Any, *, free: bool) -> Any:
    """The value with its references and literals marked as such."""
    names = {path, (*path[:-1], "*")}
    if names & _REFERENCES:
        return _each_string(item, Verbatim)
    if _is_structure(item) and not (free or names & _STRUCTURES):
        raise ValueError(f"{'.'.join(path)} may be a block or an attribute: add it to a table")
    return _each_string(item, Literal) if names & _LITERALS else item


def _each_string(item: Any, make: type[str]) -> Any:
    if isinstance(item, str):
        return make(item)
    if isinstance(item, Mapping):
        # The keys of what Terraform does not evaluate are no templates either.
        return {make(key): _each_string(inner, make) for key, inner in item.items()}
    if isinstance(item, Sequence):
        return [_each_string(inner, make) for inner in item]
    return item


def _is_structure(item: Any) -> bool:
    if isinstance(item, list):
        return any(_is_structure(inner) for inner in item)
    return isinstance(item, Mapping)
