"""Files of manifests: which of their documents are converted, and how the result is written.

What is not converted is copied as it stands, comments included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from modules.core.catalogue import Api
from modules.core.faults import Step
from modules.provisioners.migrate.convert import is_old
from modules.provisioners.migrate.made import Made, Object

_SEPARATOR: Final = re.compile(r"^(?:%[^\n]*\n)*---(?=[ \t\r\n]|\Z)[^\n]*\n?", re.MULTILINE)
"""A line between documents, with the directives that belong to the document after it."""
_HEAD: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*")
"""Empty lines and comments."""
_NUMBER: Final = re.compile(
    r"[-+]?(?:0[xob][0-9a-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?)"
)
_SWITCHES: Final = ("y", "Y", "n", "N")
"""Text that other readers of YAML, kubectl among them, take for true and false."""
_LIST: Final = "List"
_WIDTH: Final = 100


@dataclass(frozen=True)
class Document:
    """One document of a file.

    Args:
        separator: the line over it, as it stands; empty where a file begins without one.
        text: as it stands, without that line.
        data: what it says; None for an empty one.
    """

    separator: str
    text: str
    data: Any

    @property
    def head(self) -> str:
        """The comments over the object."""
        found = _HEAD.match(self.text)
        return found.group().replace("\r\n", "\n") if found else ""

    def old(self, target: Api) -> list[Object]:
        """The objects in it that are to be converted."""
        if isinstance(self.data, Mapping) and self.data.get("kind") == _LIST:
            items = self.data.get("items")
            return [i for i in (items if isinstance(items, list) else ()) if is_old(i, target)]
        return [dict(self.data)] if is_old(self.data, target) else []


def split(text: str) -> list[Document]:
    """The documents of a file.

    Raises:
        yaml.YAMLError: one of them is not YAML.
    """
    pieces, separator, at = [], "", 0
    for found in _SEPARATOR.finditer(text):
        pieces.append((separator, text[at : found.start()]))
        separator, at = found.group(), found.end()
    pieces.append((separator, text[at:]))
    return [Document(line, piece, _load(piece)) for line, piece in pieces]


def joined(texts: Iterable[str]) -> str:
    """Files as one; each keeps its own first separator."""
    whole = ""
    for text in texts:
        if whole and not whole.endswith("\n"):
            whole += "\n"
        whole += text if not whole or text.startswith("---") else f"---\n{text}"
    return whole


def others(document: Document, target: Api) -> list[Any]:
    """The items of a List that stay as they are."""
    items = document.data.get("items") if isinstance(document.data, Mapping) else None
    return [i for i in (items if isinstance(items, list) else ()) if not is_old(i, target)]


def is_list(document: Document) -> bool:
    """Whether a document is a list of objects."""
    return isinstance(document.data, Mapping) and document.data.get("kind") == _LIST


def written(made: Made) -> str:
    """An object as YAML, with its notes as comments over the fields that they are about."""
    return with_comments(dumped(made.manifest), made)


def dumped(data: Any) -> str:
    """Data as YAML, in the order in which it stands."""
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text


def with_comments(text: str, made: Made) -> str:
    """The text of an object with a comment line over each field that there is a note on."""
    lines = text.splitlines()
    root = yaml.compose(text)
    comments: dict[int, list[str]] = {}
    for note in made.notes:
        line, column = _place(root, note.path)
        lossy = "lost: " if note.lossy else ""
        comment = f"{' ' * column}# {lossy}{note.text}"
        if comment not in comments.setdefault(line, []):
            comments[line].append(comment)
    rows = [row for at, line in enumerate(lines) for row in (*comments.get(at, ()), line)]
    return "".join(f"{row}\n" for row in rows)


def _place(node: Any, path: tuple[Step, ...]) -> tuple[int, int]:
    """Line and column of a field, or of the nearest one around it."""
    line, column = 0, 0
    for step in path:
        if isinstance(node, yaml.MappingNode):
            pair = next(((k, v) for k, v in node.value if k.value == step), None)
            if pair is None:
                break
            key, node = pair
            line, column = key.start_mark.line, key.start_mark.column
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            if step >= len(node.value):
                break
            node = node.value[step]
            # The dash stands two columns before the item.
            line, column = node.start_mark.line, max(node.start_mark.column - 2, 0)
        else:
            break
    return line, column


def _load(text: str) -> Any:
    return yaml.load(text, Loader=_Loader)


class _Loader(yaml.SafeLoader):
    """Leaves timestamps and a lone = as text, as Kubernetes does."""


_TEXT: Final = ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value")


_Loader.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in found if tag not in _TEXT]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class _Dumper(yaml.SafeDumper):
    """Indents lists, and writes text of several lines as a block."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    if text in _SWITCHES or _NUMBER.fullmatch(text):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
