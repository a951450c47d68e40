"""PyYAML's nodes as plain data.

What a reader may misunderstand is a fault instead of a guess: keys written twice, merge keys,
tags, and scalars whose meaning depends on the version of YAML (see `scalars.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from modules.core.faults import ABSENT, Fault, InvalidInput, Step
from modules.core.scalars import Unclear, read
from modules.core.yaml_document import Document, Place, Written

_PARSER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml where the wheel has it: a file of a thousand clusters takes it a second."""

_CDKTF_TOKEN = re.compile(r"[$#]\{TfToken\[")
_MOST_VALUES = 500_000
"""More than any real file holds; a few nested aliases can stand for billions."""

MOST_LEVELS = 100


class Loader(_PARSER):  # type: ignore[misc]
    """Tells plain scalars from quoted ones, and explicit tags from none; resolves nothing."""

    def resolve(self, kind: type, _value: Any, implicit: Any) -> str:
        return "plain" if kind is yaml.ScalarNode and implicit[0] else ""


class Builder:
    """Turns nodes into data; places, numbers and faults go into the document."""

    def __init__(self, document: Document, above: int, merge: bool) -> None:
        self._document = document
        self._above = above
        self._merge = merge
        self._count = 0
        self._told: set[tuple[yaml.Node, str]] = set()

    def build(self, node: yaml.Node, path: tuple[Step, ...]) -> Any:
        """The data of a node, and of all that is in it."""
        self._document.values.setdefault(path, self._place(node))
        self._count += 1
        if self._count > _MOST_VALUES or len(path) > MOST_LEVELS:
            self._fault(
                node,
                path[:3],
                "is nested too deeply, or stands for too much",
                f"{MOST_LEVELS} levels and {_MOST_VALUES:,} values",
                "look for an alias inside the value that it names",
            )
            raise InvalidInput(self._document.faults, self._document.source)
        if node.tag not in ("", "plain"):
            self._fault(node, path, f"has the tag {node.tag}", "no tags", "remove the tag")
        if isinstance(node, yaml.MappingNode):
            return dict(self._items(node, path))
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*path, index)) for index, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        return self._scalar(node, path)

    def _items(self, node: yaml.MappingNode, path: tuple[Step, ...]) -> Iterator[tuple[str, Any]]:
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            if self._merge and _is_merge(key_node):
                continue
            place = self._place(key_node)
            key = self._key(key_node, path)
            if key is None:
                continue
            if key in first:
                self._fault(
                    key_node,
                    (*path, key),
                    f"is written twice, first in line {first[key]}",
                    "each key once",
                    "remove one of the two",
                )
                continue
            first[key] = place.line
            self._document.keys[*path, key] = place
            yield key, self.build(value_node, (*path, key))
        for key_node, value_node in node.value:
            if self._merge and _is_merge(key_node):
                yield from self._merged(value_node, path, first)

    def _merged(
        self, node: yaml.Node, path: tuple[Step, ...], first: dict[str, int]
    ) -> Iterator[tuple[str, Any]]:
        """What a merge key adds: the keys of one mapping, or of several, that are not there yet."""
        given = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for mapping in given:
            if not isinstance(mapping, yaml.MappingNode):
                self._fault(
                    mapping,
                    (*path, "<<"),
                    "merges what is no mapping",
                    "a mapping, or a list of them",
                    "name the anchor of a mapping",
                )
                continue
            fresh = [(k, v) for k, v in mapping.value if getattr(k, "value", None) not in first]
            yield from self._items(yaml.MappingNode(mapping.tag, fresh), path)
            first |= {str(k.value): k.start_mark.line + 1 for k, _ in fresh}

    def _key(self, node: yaml.Node, path: tuple[Step, ...]) -> str | None:
        if not isinstance(node, yaml.ScalarNode):
            self._fault(
                node,
                (*path, "?"),
                "has a list or a mapping as a key",
                "text as a key",
                "write a plain word before the colon",
            )
            return None
        if _is_merge(node):
            self._fault(
                node,
                (*path, "<<"),
                "is a merge key, which YAML 1.2 no longer has",
                "keys that are written out",
                "write them out, or use an alias for a whole value",
            )
            return None
        value = read(node.value) if node.tag == "plain" else node.value
        if not isinstance(value, str):
            problem = value.problem if isinstance(value, Unclear) else "is a key that is not text"
            self._fault(
                node,
                (*path, node.value),
                problem,
                "text as a key",
                f'write the key in quotes: "{node.value}"',
            )
        self._refuse_tokens(node, (*path, node.value))
        return str(node.value)

    def _scalar(self, node: yaml.ScalarNode, path: tuple[Step, ...]) -> Any:
        text: str = node.value
        self._refuse_tokens(node, path)
        if node.tag != "plain":
            return text
        value = read(text)
        if isinstance(value, Unclear):
            self._fault(
                node,
                path,
                value.problem,
                "values that mean the same in every version of YAML",
                value.fix,
                Written(text),
            )
            return text
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._document.numbers[path] = text
        return value

    def _refuse_tokens(self, node: yaml.ScalarNode, path: tuple[Step, ...]) -> None:
        if _CDKTF_TOKEN.search(node.value):
            self._fault(
                node,
                path,
                "holds a mark that CDKTF uses inside a running program",
                "literal text: nothing in this file is a Terraform expression",
                "write the value itself, or describe the cluster in Python",
                node.value,
            )

    def _fault(
        self,
        node: yaml.Node,
        path: tuple[Step, ...],
        problem: str,
        allowed: str,
        fix: str,
        value: object = ABSENT,
    ) -> None:
        # An alias leads to the same node once more: one fault is enough.
        if (node, problem) not in self._told:
            self._told.add((node, problem))
            line = self._place(node).line
            self._document.faults.append(Fault(path, problem, allowed, fix, value, line))

    def _place(self, node: yaml.Node) -> Place:
        start, end = node.start_mark, node.end_mark
        width = end.column - start.column if end.line == start.line else 1
        return Place(start.line + self._above + 1, start.column + 1, max(width, 1))


def _is_merge(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "plain" and node.value == "<<"
