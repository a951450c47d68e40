"""A YAML file as plain data that knows the line of each of its values.

PyYAML parses; its node graph carries the marks. What a reader may misunderstand is a fault
instead of a guess: keys written twice, several documents, merge keys, tags, and scalars whose
meaning depends on the version of YAML (see `stacks/scalars.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from modules.core.faults import ABSENT, Fault, InvalidInput, Step
from stacks.scalars import Unclear, read

_PARSER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml where the wheel has it: a file of a thousand clusters takes it a second."""

_CDKTF_TOKEN = re.compile(r"[$#]\{TfToken\[")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_VALUES = 500_000
"""More than any real file holds; a few nested aliases can stand for billions."""

_MOST_LEVELS = 100


@dataclass(frozen=True)
class Written:
    """A number as it stands in the file: 1.10 is not 1.1 there."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Document:
    """What a file holds.

    Args:
        data: mappings, lists and scalars.
        faults: what is wrong with it as YAML; values at fault are in `data` as text.
    """

    source: Path
    data: Any
    faults: list[Fault] = field(default_factory=list)
    lines: dict[tuple[Step, ...], int] = field(default_factory=dict)
    numbers: dict[tuple[Step, ...], str] = field(default_factory=dict)

    def locate(self, fault: Fault) -> Fault:
        """The fault with its line, and with its number as it is written.

        A fault about something that is missing gets the line of what it is missing from.
        """
        path = fault.path
        while path not in self.lines and path:
            path = path[:-1]
        located = replace(fault, line=self.lines.get(path))
        text = self.numbers.get(fault.path)
        if text is None or fault.value is ABSENT or isinstance(fault.value, str):
            return located
        fix = fault.fix.replace(f'"{fault.value}"', f'"{text}"')
        return replace(located, value=Written(text), fix=fix)


def read_yaml(path: Path) -> Document:
    """Reads a file of one YAML document.

    Raises:
        InvalidInput: there is no such file, it is not text in UTF-8, or it is not YAML.
    """
    text = _text(path)
    try:
        nodes = list(yaml.compose_all(text, Loader=_Loader))
    except yaml.MarkedYAMLError as error:
        raise InvalidInput([_syntax(error, text)], path) from None
    except RecursionError:
        fault = Fault((), "is nested too deeply", f"{_MOST_LEVELS} levels", "flatten it")
        raise InvalidInput([fault], path) from None
    if len(nodes) > 1:
        fault = Fault(
            (),
            "a second YAML document begins here",
            "one document in a file",
            "remove the line --- and list all clusters under one clusters key",
            line=nodes[1].start_mark.line + 1,
        )
        raise InvalidInput([fault], path)
    document = Document(path, data=None)
    if not nodes:
        return document
    return replace(document, data=_Builder(document).build(nodes[0], ()))


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        problem = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read"
        fault = Fault(
            (),
            problem if isinstance(error, FileNotFoundError) else f"{problem}: {error.strerror}",
            "a YAML file that lists clusters",
            "write it, or name another file in the environment variable KARPENTER_CLUSTERS",
            str(path),
        )
        raise InvalidInput([fault], path) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = Fault((), "is not UTF-8", "text in UTF-8", "save the file as UTF-8", line=line)
        raise InvalidInput([fault], path) from None
    if found := _UNPRINTABLE.search(text):
        fault = Fault(
            (),
            f"holds the character U+{ord(found[0]):04X}",
            "characters that can be printed",
            'remove it, or write it as an escape in double quotes, such as "\\u0007"',
            line=text.count("\n", 0, found.start()) + 1,
        )
        raise InvalidInput([fault], path)
    return text


def _syntax(error: yaml.MarkedYAMLError, text: str) -> Fault:
    mark = error.problem_mark or error.context_mark
    lines = text.splitlines()
    # An error at the end of the file is about its last line.
    number = min(mark.line, len(lines) - 1) if mark else 0
    line = lines[number] if lines else ""
    column = f", column {mark.column + 1}" if mark else ""
    context = f"{error.context}: " if error.context else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        fix = "indent with spaces: YAML does not allow tabs there"
    elif "anchor" in str(error.problem) or "alias" in str(error.problem):
        fix = "name an anchor once, above the aliases that use it"
    else:
        fix = "look at the indentation, the quotes and the colons of this line and the one above"
    return Fault(
        (),
        f"is not YAML{column}: {context}{error.problem}",
        "well-formed YAML",
        fix,
        line.strip(),
        number + 1,
    )


class _Loader(_PARSER):  # type: ignore[misc]
    """Tells plain scalars from quoted ones, and explicit tags from none; resolves nothing."""

    def resolve(self, kind: type, _value: Any, implicit: Any) -> str:
        return "plain" if kind is yaml.ScalarNode and implicit[0] else ""


class _Builder:
    """Turns nodes into data; lines, numbers and faults go into the document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._count = 0
        self._told: set[tuple[yaml.Node, str]] = set()

    def build(self, node: yaml.Node, path: tuple[Step, ...]) -> Any:
        """The data of a node, and of all that is in it."""
        self._document.lines.setdefault(path, node.start_mark.line + 1)
        self._count += 1
        if self._count > _MOST_VALUES or len(path) > _MOST_LEVELS:
            self._fault(
                node,
                path[:3],
                "is nested too deeply, or stands for too much",
                f"{_MOST_LEVELS} levels and {_MOST_VALUES:,} values",
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
            line = key_node.start_mark.line + 1
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
            first[key] = line
            self._document.lines[*path, key] = line
            yield key, self.build(value_node, (*path, key))

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
        if node.tag == "plain" and node.value == "<<":
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
            line = node.start_mark.line + 1
            self._document.faults.append(Fault(path, problem, allowed, fix, value, line))
