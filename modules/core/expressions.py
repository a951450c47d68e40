"""Terraform text out of Python values.

A setting is either a literal or a Terraform expression. A literal must reach Terraform
as it is, whatever characters it holds; an expression must reach it as an expression.
This file holds the one kind of expression the project writes itself (`Expr`), recognises
the ones that CDKTF makes (tokens), and turns both into template text and JSON documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

TOKEN = re.compile(r"\$\{TfToken\[[^\]]+\]\}")
"""How CDKTF marks, inside a Python string, a value known only to Terraform."""

_REFERENCE = re.compile(r"[\w.\[\]-]+")

_HTML = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What Terraform's jsonencode escapes although JSON does not ask for it."""


class Expr:
    """A Terraform expression that stands where a literal could.

    Args:
        text: the bare expression, such as `var.cluster_name`.

    Inside an f-string it becomes an interpolation. It has no truth value: whoever
    branches on a setting must decide what an expression means there.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return "${" + self.text + "}"

    def __repr__(self) -> str:
        return f"Expr({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and other.text == self.text

    def __hash__(self) -> int:
        return hash((Expr, self.text))

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} has no truth value in Python: Terraform decides it")


def is_known(value: object) -> bool:
    """Whether Python can look at the value: it is no expression and holds no token."""
    if isinstance(value, Expr):
        return False
    return not (isinstance(value, str) and TOKEN.search(value))


def is_reference(value: object) -> bool:
    """Whether it is an expression that only refers to something, as short as a name for it."""
    return isinstance(value, Expr) and _REFERENCE.fullmatch(value.text) is not None


def escape(literal: str) -> str:
    """The template text that Terraform evaluates to exactly this literal."""
    return literal.replace("${", "$${").replace("%{", "%%{")


def template(value: object) -> str:
    """A literal, token-holding string or expression as Terraform template text."""
    if isinstance(value, Expr):
        return str(value)
    text = str(value)
    out, end = [], 0
    for token in TOKEN.finditer(text):
        out += [escape(text[end : token.start()]), token.group()]
        end = token.end()
    return "".join([*out, escape(text[end:])])


def quoted(value: object) -> str:
    """A value as a string operand inside an expression."""
    if isinstance(value, Expr):
        return value.text
    body = json.dumps(str(value), ensure_ascii=False)[1:-1]
    # JSON's escapes are a subset of HCL's but for \b and \f, which HCL writes as \u....
    body = body.replace("\\b", "\\u0008") if "\b" in str(value) else body
    body = body.replace("\\f", "\\u000c") if "\f" in str(value) else body
    return f'"{template(body)}"'


def joined(*parts: object) -> str | Expr:
    """The parts as one text: a literal, or an expression where one of them is not known."""
    if all(is_known(part) for part in parts):
        return "".join(str(part) for part in parts)
    inside = (str(part) if isinstance(part, Expr) else quoted(part)[1:-1] for part in parts)
    return Expr(f'"{"".join(inside)}"')


def json_document(value: object) -> str:
    """Template text that Terraform evaluates to this value as JSON.

    The text is what Terraform's own `jsonencode` gives: sorted keys, no white space.
    Strings are literal; `Expr` and strings that hold tokens are spliced in by `jsonencode`, so
    that no character of theirs can break the document. A key may be an `Expr` too; it is sorted
    by its text, so it should be one that begins with enough literal text (see `joined`).

    Raises:
        TypeError: a leaf that JSON does not have.
    """
    if isinstance(value, Expr):
        return f"${{jsonencode({value.text})}}"
    if isinstance(value, str) and TOKEN.search(value):
        return f"${{jsonencode({quoted(value)})}}"
    if isinstance(value, Mapping):
        members = (f"{_key(k)}:{json_document(value[k])}" for k in sorted(value, key=_order))
        return "{" + ",".join(members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return "[" + ",".join(json_document(item) for item in value) + "]"
    return _literal(value)


def _key(key: object) -> str:
    return json_document(key) if isinstance(key, Expr) else _literal(str(key))


def _order(key: object) -> str:
    return key.text.removeprefix('"') if isinstance(key, Expr) else str(key)


def _literal(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return escape("".join(_HTML.get(c, c) for c in text))
