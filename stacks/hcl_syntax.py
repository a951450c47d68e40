"""Terraform expressions taken apart as far as laying them out needs: words and brackets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from stacks.template_text import end_of_string

CLOSERS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(
    r'"|[()\[\]{}]|\?|:|,|&&|\|\||=>|==|!=|<=|>=|=|\n|[ \t\r]+|[^\s"()\[\]{}?:,&|=!<>]+|.'
)
_FOR = re.compile(r"for\s")


@dataclass(frozen=True)
class Group:
    """Brackets and what is in them."""

    opener: str
    content: tuple[Node, ...]

    @cached_property
    def line(self) -> str:
        """The brackets and what is in them, on one line."""
        inner = ", ".join(flat(item) for item in items_of(self))
        if self.opener == "{" and inner:
            inner = f" {inner} "
        return f"{self.opener}{inner}{CLOSERS[self.opener]}"


Node = str | Group


def parsed(text: str) -> tuple[Node, ...]:
    """The expression in words and brackets.

    Raises:
        ValueError: brackets or quotes do not match, or it holds a heredoc or a comment.
    """
    return trimmed(tuple(_parse(_tokens(text), None)))


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        if text.startswith(("<<", "#", "//", "/*"), position):
            raise ValueError(f"heredocs and comments have no place in an expression: {text!r}")
        match = _TOKEN.match(text, position)
        assert match  # The last alternative takes any character.
        end = end_of_string(text, position) if match.group() == '"' else match.end()
        yield text[position:end]
        position = end


def _parse(tokens: Iterator[str], closer: str | None) -> Iterator[Node]:
    for token in tokens:
        if token in CLOSERS:
            yield Group(token, trimmed(tuple(_parse(tokens, CLOSERS[token]))))
        elif token in CLOSERS.values():
            if token != closer:
                raise ValueError(f"brackets do not match: {token!r} where {closer!r} is due")
            return
        elif token == "\n" or not token.isspace():
            yield token
        else:
            yield " "
    if closer is not None:
        raise ValueError(f"brackets do not match: {closer!r} is missing")


def blank(node: Node) -> bool:
    """Whether this is white space."""
    return isinstance(node, str) and node.isspace()


def trimmed(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Without white space at the ends."""
    start, end = 0, len(nodes)
    while start < end and blank(nodes[start]):
        start += 1
    while end > start and blank(nodes[end - 1]):
        end -= 1
    return nodes[start:end]


def flat(nodes: Iterable[Node]) -> str:
    """The nodes on one line."""
    return re.sub(r"[ \n]+(?=,)", "", "".join(_pieces(nodes)))


def _pieces(nodes: Iterable[Node]) -> Iterator[str]:
    space = False
    for node in nodes:
        if blank(node):
            space = True
            continue
        if space:
            yield " "
        space = False
        yield node.line if isinstance(node, Group) else node


def split(nodes: tuple[Node, ...], at: Callable[[Node], bool]) -> list[tuple[Node, ...]]:
    """What stands between the nodes that separate."""
    rows: list[list[Node]] = [[]]
    for node in nodes:
        if at(node):
            rows.append([])
        else:
            rows[-1].append(node)
    return [trimmed(tuple(row)) for row in rows]


def items_of(group: Group) -> list[tuple[Node, ...]]:
    """What commas (and, between braces, line ends) separate."""
    if is_for(group):
        return [group.content]
    separators = (",", "\n") if group.opener == "{" else (",",)
    return [row for row in split(group.content, lambda n: n in separators) if row]


def is_for(group: Group) -> bool:
    """Whether a `for` expression is in the brackets."""
    return group.opener in "[{" and bool(_FOR.match(_head(group.content)))


def _head(nodes: tuple[Node, ...]) -> str:
    return "".join(node if isinstance(node, str) else "()" for node in nodes[:2])
