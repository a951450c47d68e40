"""Terraform template text, taken apart.

A string of Terraform's JSON syntax is a template: literal text, `${…}` interpolations and
`%{…}` directives, where `$${` and `%%{` stand for a literal `${` and `%{`. Backslashes mean
nothing in its literal text, but they do inside the quoted strings of an interpolation.
Source: Terraform's language documentation ("JSON Configuration Syntax", "Strings and
Templates").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_OPENERS = ("${", "%{")


@dataclass(frozen=True)
class Text:
    """Literal text, unescaped."""

    text: str


@dataclass(frozen=True)
class Splice:
    """An interpolation; `expression` is what stands between its braces."""

    expression: str


@dataclass(frozen=True)
class Directive:
    """A directive or an interpolation that strips white space, without blanks at its ends."""

    raw: str


Part = Text | Splice | Directive


def parts(template: str) -> list[Part]:
    """The template taken apart; neighbouring literal text is one part.

    Raises:
        ValueError: a sequence or a string in it is not closed.
    """
    found: list[Part] = []
    for part in _scan(template):
        if isinstance(part, Text) and found and isinstance(found[-1], Text):
            found[-1] = Text(found[-1].text + part.text)
        else:
            found.append(part)
    match found:
        case [Directive(raw)] if raw.startswith("$"):
            # There is nothing around it to strip.
            return [Splice(raw[2:-1].strip("~"))]
    return found


def _scan(template: str) -> Iterator[Part]:
    position = start = 0
    while position < len(template):
        if template.startswith(("$${", "%%{"), position):
            yield Text(template[start:position] + template[position + 1 : position + 3])
            position = start = position + 3
        elif template.startswith(_OPENERS, position):
            if start < position:
                yield Text(template[start:position])
            end = end_of_sequence(template, position)
            yield _sequence(template[position:end])
            position = start = end
        else:
            position += 1
    if start < position:
        yield Text(template[start:position])


def _sequence(raw: str) -> Part:
    inner = raw[2:-1]
    before, after = ("~" if inner.startswith("~") else ""), ("~" if inner.endswith("~") else "")
    inner = inner.strip("~").strip()
    if raw.startswith("$") and not before and not after:
        return Splice(inner)
    return Directive(f"{raw[:2]}{before}{inner}{after}}}")


def end_of_sequence(text: str, start: int) -> int:
    """The index after the brace that closes the `${` or `%{` at `start`.

    Raises:
        ValueError: nothing closes it.
    """
    depth, position = 1, start + 2
    while position < len(text):
        character = text[position]
        if character == '"':
            position = end_of_string(text, position)
            continue
        depth += {"{": 1, "}": -1}.get(character, 0)
        position += 1
        if depth == 0:
            return position
    raise ValueError(f"nothing closes the sequence that begins with {text[start : start + 40]!r}")


def end_of_string(text: str, start: int) -> int:
    """The index after the quote that closes the quoted string at `start`.

    Raises:
        ValueError: nothing closes it.
    """
    position = start + 1
    while position < len(text):
        if text[position] == "\\":
            position += 2
        elif text.startswith(("$${", "%%{"), position):
            position += 3
        elif text.startswith(_OPENERS, position):
            position = end_of_sequence(text, position)
        elif text[position] == '"':
            return position + 1
        else:
            position += 1
    raise ValueError(f"nothing closes the string that begins with {text[start : start + 40]!r}")
