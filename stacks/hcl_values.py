"""Values of Terraform's JSON syntax as HCL expressions.

A string is a template: one that is a single interpolation becomes the bare expression, one
that is a JSON document becomes `jsonencode(…)`, any other a quoted string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from modules.core.expressions import Expr, escape, json_document
from stacks.hcl_layout import INDENT, Lines, aligned, expression, indented
from stacks.template_text import Directive, Part, Splice, Text, parts

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_KEYWORDS = frozenset({"for", "if", "in", "null", "true", "false"})
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_JSONENCODE = re.compile(r"jsonencode\((.*)\)", re.DOTALL)
_LONG_SPLICE = 0.6
"""How much of a line an interpolation takes that is worth lines of its own."""
_MARK = "\ue000"
"""Stands before a splice's number while a document is read; a private character of Unicode."""

_READING_ORDER = {
    key: place
    for place, key in enumerate(
        ("Version", "Statement", "Sid", "Effect", "Principal", "Action", "Resource", "Condition")
    )
}
"""Keys of IAM documents in the order that people read them; Terraform's jsonencode sorts anyway."""


class Verbatim(str):
    """An expression as it stands: a reference or a type, not a template."""


class Literal(str):
    """Text that Terraform does not evaluate in JSON, such as a description."""


def value(node: Any, width: int, lead: int = 0) -> Lines:
    """The value as an expression, in lines of at most `width` columns where it can be broken.

    Args:
        lead: columns of the first line that are taken already.

    Raises:
        TypeError: a value that JSON does not have.
        ValueError: a template that is not well formed.
    """
    if isinstance(node, Verbatim):
        return [str(node)]
    if isinstance(node, Literal):
        return [quoted([Text(str(node))])]
    if isinstance(node, Expr):
        return expression(node.text, width, lead)
    if isinstance(node, str):
        return _template(node, width, lead)
    if isinstance(node, Mapping):
        return _object(node, width)
    if isinstance(node, Sequence):
        return _list(node, width, lead)
    if node is None or isinstance(node, bool | int | float):
        return [json.dumps(node, allow_nan=False)]
    raise TypeError(f"{type(node).__name__} has no form in Terraform")


def quoted(template: Sequence[Part]) -> str:
    """A quoted string that Terraform evaluates as the template."""
    body = ""
    for part in template:
        if isinstance(part, Text):
            body += "".join(_escaped(character) for character in escape(part.text))
        else:
            body += part.raw if isinstance(part, Directive) else _splice(part.expression)
    return f'"{body}"'


def _splice(expression: str) -> str:
    # terraform fmt sets two opening braces apart.
    return f"${{{' ' if expression.startswith('{') else ''}{expression}}}"


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else _by_number(ord(character))


def _by_number(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _template(text: str, width: int, lead: int) -> Lines:
    pieces = parts(text)
    if len(pieces) == 1 and isinstance(pieces[0], Splice):
        return expression(pieces[0].expression, width, lead)
    if text.startswith(("{", "[")) and (document := _document(text, pieces)) is not None:
        return _around("jsonencode(", value(document, width, lead + len("jsonencode(")), ")")
    return _long(pieces, width, lead) or [quoted(pieces)]


def _long(pieces: Sequence[Part], width: int, lead: int) -> Lines:
    """A string whose long interpolations are laid out, or nothing where it has none."""
    lines, found = ['"'], False
    for piece in pieces:
        inside = quoted([piece])[1:-1]
        if isinstance(piece, Splice) and len(piece.expression) > _LONG_SPLICE * width:
            taken = lead + len(lines[-1]) + len("${")
            first, *others = expression(piece.expression, width, taken)
            found = found or bool(others)
            if others:
                space = " " if first.startswith("{") else ""
                inside, *others = _around(f"${{{space}", [first, *others], "}")
        else:
            others = []
        lines[-1] += inside
        lines += others
    return _around("", lines, '"') if found else []


def _around(before: str, lines: Lines, after: str) -> Lines:
    lines = [before + lines[0], *lines[1:]]
    return [*lines[:-1], lines[-1] + after]


def _document(text: str, pieces: Sequence[Part]) -> Any:
    """The data whose `jsonencode` is this template's result to the byte, or None.

    Only what `json_document` writes is such a template: anything else, such as a splice that
    is not itself encoded, could differ from it and stays a string.
    """
    spliced, numbers, plain = {}, count(), ""
    for piece in pieces:
        if isinstance(piece, Text):
            if _MARK in piece.text:
                return None
            plain += piece.text
        else:
            encoded = isinstance(piece, Splice) and _JSONENCODE.fullmatch(piece.expression)
            if not encoded:
                return None
            mark = f"{_MARK}{next(numbers)}"
            spliced[mark] = Expr(encoded.group(1))
            plain += json.dumps(mark, ensure_ascii=False)
    try:
        data = _filled(json.loads(plain, parse_float=_plain_decimal), spliced)
    except ValueError:
        return None
    return _for_reading(data) if json_document(data) == text else None


def _plain_decimal(text: str) -> float:
    if "e" in text.lower():
        raise ValueError("Terraform writes no exponents")
    return float(text)


def _filled(node: Any, spliced: Mapping[str, Expr]) -> Any:
    if isinstance(node, dict):
        return {spliced.get(key, key): _filled(item, spliced) for key, item in node.items()}
    if isinstance(node, list):
        return [_filled(item, spliced) for item in node]
    return spliced.get(node, node) if isinstance(node, str) else node


def _for_reading(node: Any) -> Any:
    """The data with IAM's keys in reading order, and its strings as templates."""
    if isinstance(node, dict):
        last = len(_READING_ORDER)
        # A stable sort: the others keep the order of the document.
        keys = sorted(node, key=lambda key: _READING_ORDER.get(key, last))
        return {
            key if isinstance(key, Expr) else Literal(key): _for_reading(node[key]) for key in keys
        }
    if isinstance(node, list):
        return [_for_reading(item) for item in node]
    return Literal(node) if isinstance(node, str) else node


def _object(node: Mapping[Any, Any], width: int) -> Lines:
    if not node:
        return ["{}"]
    entries = []
    for key, item in node.items():
        name = _key(key)
        entries.append((name, value(item, width - len(INDENT), len(name) + len(" = "))))
    return ["{", *indented(aligned(entries)), "}"]


def _key(key: str | Expr) -> str:
    if isinstance(key, Expr):
        return key.text if key.text.startswith('"') else f"({key.text})"
    if _IDENTIFIER.fullmatch(key) and key not in _KEYWORDS:
        return key
    return quoted([Text(key)] if isinstance(key, Literal) else parts(key))


def _list(node: Sequence[Any], width: int, lead: int) -> Lines:
    if len(node) == 1:
        return _around("[", value(node[0], width, lead + len("[]")), "]")
    items = [value(item, width - len(INDENT), len(",")) for item in node]
    flat = f"[{', '.join(item[0] for item in items)}]"
    if all(len(item) == 1 for item in items) and lead + len(flat) <= width:
        return [flat]
    lines = [line for item in items for line in _around("", item, ",")]
    return ["[", *indented(lines), "]"]
