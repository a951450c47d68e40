"""Reading YAML: the text of a file, and the documents in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import yaml

from modules.core.faults import Fault, InvalidInput
from modules.core.yaml_document import Document
from modules.core.yaml_nodes import MOST_LEVELS, Builder, Loader

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PREFACE = re.compile(r"(?:\s*(?:[#%].*)?\n)*")
_BEGINNING = re.compile(r"^---(?=\s|$)", re.MULTILINE)


class NotYaml(InvalidInput):
    """A text that is not YAML; `column` is where that shows, from 1, in the line of the fault."""

    column: int = 1


def text_of(content: bytes, source: Path) -> str:
    """The text of a file.

    Raises:
        InvalidInput: it is not UTF-8, or holds what YAML does not allow.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = Fault((), "is not UTF-8", "text in UTF-8", "save the file as UTF-8", line=line)
        raise InvalidInput([fault], source) from None
    if found := _UNPRINTABLE.search(text):
        fault = Fault(
            (),
            f"holds the character U+{ord(found[0]):04X}",
            "characters that can be printed",
            'remove it, or write it as an escape in double quotes, such as "\\u0007"',
            line=text.count("\n", 0, found.start()) + 1,
        )
        raise InvalidInput([fault], source)
    return text


def documents(text: str, source: Path, *, above: int = 0, merge: bool = False) -> list[Document]:
    """The documents of a text.

    Args:
        text: YAML.
        source: the file that it is from.
        above: how many lines of the file stand above the text.
        merge: whether merge keys are followed, as YAML 1.1 and Kubernetes' tools do.

    Raises:
        InvalidInput: it is not YAML, or nested too deeply to be read.
    """
    try:
        nodes = list(yaml.compose_all(text, Loader=Loader))
    except yaml.MarkedYAMLError as error:
        refused = NotYaml([_syntax(error, text, above)], source)
        mark = error.problem_mark or error.context_mark
        refused.column = mark.column + 1 if mark else 1
        raise refused from None
    except RecursionError:
        fault = Fault((), "is nested too deeply", f"{MOST_LEVELS} levels", "flatten it")
        raise InvalidInput([replace(fault, line=above or None)], source) from None
    return [_built(node, Document(source, data=None), above, merge) for node in nodes]


def separated(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text that `---` divides, each with the number of lines above it.

    A part that is not YAML does not keep the others from being read.
    """
    starts = [0]
    for found in _BEGINNING.finditer(text):
        # Comments and directives belong to the document below them.
        if not _PREFACE.fullmatch(text, starts[-1], found.start()):
            starts.append(found.start())
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text.count("\n", 0, start), text[start:end]


def _built(node: yaml.Node, document: Document, above: int, merge: bool) -> Document:
    return replace(document, data=Builder(document, above, merge).build(node, ()))


def _syntax(error: yaml.MarkedYAMLError, text: str, above: int) -> Fault:
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
        number + above + 1,
    )
