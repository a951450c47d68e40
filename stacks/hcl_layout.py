"""Laying a Terraform expression out over lines, as `terraform fmt` leaves it.

An expression that fits stays on its line. A longer one is broken inside brackets only:
Terraform ends an expression at a line's end anywhere else, and `terraform fmt` indents by
brackets alone. A conditional and a row of `&&` or `||` get parentheses to be broken in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from stacks.template_text import end_of_string

INDENT = "  "
Lines = list[str]
"""An expression's lines; the first one follows whatever opens it."""

_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(
    r'"|[()\[\]{}]|\?|:|,|&&|\|\||=>|==|!=|<=|>=|=|\n|[ \t\r]+|[^\s"()\[\]{}?:,&|=!<>]+|.'
)
_FOR = re.compile(r"for\s")


@dataclass(frozen=True)
class Group:
    """Brackets and what is in them."""

    opener: str
    content: tuple[Node, ...]


Node = str | Group


def indented(lines: Iterable[str]) -> Lines:
    """The lines, one step further in."""
    return [INDENT + line if line else line for line in lines]


def aligned(entries: Sequence[tuple[str, Lines]]) -> Lines:
    """`key = value` lines; the equals signs of neighbours that have one line each are aligned."""
    out: Lines = []
    for position, (key, value) in enumerate(entries):
        width = len(key) if len(value) > 1 else _run_width(entries, position)
        out += [f"{key.ljust(width)} = {value[0]}", *value[1:]]
    return out


def _run_width(entries: Sequence[tuple[str, Lines]], position: int) -> int:
    first = last = position
    while first > 0 and len(entries[first - 1][1]) == 1:
        first -= 1
    while last + 1 < len(entries) and len(entries[last + 1][1]) == 1:
        last += 1
    return max(len(key) for key, _ in entries[first : last + 1])


def expression(text: str, width: int) -> Lines:
    """The expression in lines of at most `width` columns, where it can be broken.

    Args:
        text: spaced as `terraform fmt` spaces it; line breaks in it are not kept.

    Raises:
        ValueError: brackets or quotes do not match, or it holds a heredoc or a comment.
    """
    nodes = _trimmed(tuple(_parse(_tokens(text), None)))
    return _layout(nodes, width, bracketed=False)


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
        if token in _CLOSERS:
            yield Group(token, _trimmed(tuple(_parse(tokens, _CLOSERS[token]))))
        elif token in _CLOSERS.values():
            if token != closer:
                raise ValueError(f"brackets do not match: {token!r} where {closer!r} is due")
            return
        elif token == "\n" or not token.isspace():
            yield token
        else:
            yield " "
    if closer is not None:
        raise ValueError(f"brackets do not match: {closer!r} is missing")


def _blank(node: Node) -> bool:
    return isinstance(node, str) and node.isspace()


def _trimmed(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    start, end = 0, len(nodes)
    while start < end and _blank(nodes[start]):
        start += 1
    while end > start and _blank(nodes[end - 1]):
        end -= 1
    return nodes[start:end]


def _flat(nodes: Iterable[Node]) -> str:
    return re.sub(r"[ \n]+(?=,)", "", "".join(_flat_pieces(nodes)))


def _flat_pieces(nodes: Iterable[Node]) -> Iterator[str]:
    space = False
    for node in nodes:
        if _blank(node):
            space = True
            continue
        if space:
            yield " "
        space = False
        if isinstance(node, Group):
            items = [_flat(item) for item in _items(node)]
            inner = ", ".join(items)
            if node.opener == "{" and inner:
                inner = f" {inner} "
            yield f"{node.opener}{inner}{_CLOSERS[node.opener]}"
        else:
            yield str(node)


def _split(nodes: tuple[Node, ...], at: Callable[[Node], bool]) -> list[tuple[Node, ...]]:
    rows: list[list[Node]] = [[]]
    for node in nodes:
        if at(node):
            rows.append([])
        else:
            rows[-1].append(node)
    return [_trimmed(tuple(row)) for row in rows]


def _items(group: Group) -> list[tuple[Node, ...]]:
    """What commas (and, between braces, line ends) separate."""
    if _is_for(group):
        return [group.content]
    separators = (",", "\n") if group.opener == "{" else (",",)
    return [row for row in _split(group.content, lambda n: n in separators) if row]


def _is_for(group: Group) -> bool:
    return group.opener in "[{" and bool(_FOR.match(_head(group.content)))


def _head(nodes: tuple[Node, ...]) -> str:
    return "".join(node if isinstance(node, str) else "()" for node in nodes[:2])


def _layout(nodes: tuple[Node, ...], width: int, *, bracketed: bool) -> Lines:
    flat = _flat(nodes)
    if len(flat) <= width:
        return [flat]
    rows = _rows(nodes)
    if len(rows) > 1:
        if not bracketed:
            return ["(", *indented(_stack(rows, width - len(INDENT))), ")"]
        return _stack(rows, width)
    return _broken(nodes, flat, width)


def _rows(nodes: tuple[Node, ...]) -> list[tuple[str, tuple[Node, ...]]]:
    """The operands of the loosest operator, each with the operator that leads it."""
    if "?" in nodes:
        question = nodes.index("?")
        colon = _colon_of(nodes, question)
        return [
            ("", _trimmed(nodes[:question])),
            ("? ", _trimmed(nodes[question + 1 : colon])),
            (": ", _trimmed(nodes[colon + 1 :])),
        ]
    for operator in ("||", "&&"):
        if operator in nodes:
            first, *others = _split(nodes, lambda n, o=operator: n == o)  # type: ignore[misc]
            return [("", first), *((f"{operator} ", other) for other in others)]
    return [("", nodes)]


def _colon_of(nodes: tuple[Node, ...], question: int) -> int:
    depth = 0
    for position in range(question + 1, len(nodes)):
        if nodes[position] == "?":
            depth += 1
        elif nodes[position] == ":":
            if depth == 0:
                return position
            depth -= 1
    raise ValueError(f"a conditional lacks its colon: {_flat(nodes)}")


def _stack(rows: list[tuple[str, tuple[Node, ...]]], width: int) -> Lines:
    out: Lines = []
    for lead, row in rows:
        # A conditional after a colon goes on in the same column; anything else stands by itself.
        first, *others = _layout(row, width - len(lead), bracketed=lead in ("", ": "))
        out += [lead + first, *others]
    return out


def _broken(nodes: tuple[Node, ...], flat: str, width: int) -> Lines:
    """Broken inside the longest of its brackets; the rest stays on the lines around it."""
    groups = [i for i, node in enumerate(nodes) if isinstance(node, Group) and node.content]
    if not groups:
        return [flat]
    longest = max(groups, key=lambda i: len(_flat((nodes[i],))))
    group = nodes[longest]
    assert isinstance(group, Group)
    before, after = _flat(nodes[:longest]), _flat(nodes[longest + 1 :])
    # _flat drops the blanks at the ends, which matter beside an operator.
    before += " " if longest and _blank(nodes[longest - 1]) else ""
    after = (" " if after and _blank(nodes[longest + 1]) else "") + after
    opener, *middle, closer = _group(group, width)
    return [before + opener, *middle, closer + after]


def _group(group: Group, width: int) -> Lines:
    closer, inner = _CLOSERS[group.opener], width - len(INDENT)
    if _is_for(group):
        return [group.opener, *indented(_for(group, inner)), closer]
    items = _items(group)
    if group.opener == "{":
        return ["{", *indented(_entries(items, inner)), "}"]
    if len(items) == 1:
        if _hugs(items[0]):
            first, *middle, last = _broken(items[0], _flat(items[0]), width - 1)
            return [group.opener + first, *middle, last + closer]
        return [group.opener, *indented(_layout(items[0], inner, bracketed=True)), closer]
    laid = [_layout(item, inner - 1, bracketed=False) for item in items]
    comma = "," if group.opener == "[" else ""
    for position, item in enumerate(laid):
        item[-1] += "," if position + 1 < len(laid) else comma
    return [group.opener, *indented(line for item in laid for line in item), closer]


def _hugs(item: tuple[Node, ...]) -> bool:
    """Whether the only item is itself a pair of brackets or a call."""
    return (
        isinstance(item[-1], Group)
        and bool(item[-1].content)
        and all(isinstance(node, str) and re.fullmatch(r"[\w.-]+", node) for node in item[:-1])
    )


def _entries(items: list[tuple[Node, ...]], width: int) -> Lines:
    entries = []
    for item in items:
        equals = item.index("=")
        key = _flat(item[:equals])
        value = _layout(_trimmed(item[equals + 1 :]), width - len(key) - 3, bracketed=False)
        entries.append((key, value))
    return aligned(entries)


def _for(group: Group, width: int) -> Lines:
    """`for … in … :`, then the result, then the condition."""
    colon = group.content.index(":")
    head = _flat(group.content[:colon]) + " :"
    body = _trimmed(group.content[colon + 1 :])
    condition: tuple[Node, ...] = ()
    if "if" in body:
        at = body.index("if")
        body, condition = _trimmed(body[:at]), body[at:]
    if "=>" in body:
        arrow = body.index("=>")
        lead = f"{head} {_flat(body[:arrow])} => "
        body = _trimmed(body[arrow + 1 :])
    else:
        lead = f"{head} "
    first, *others = _layout(body, width - len(lead), bracketed=False)
    lines = [lead + first, *others]
    return [*lines, _flat(condition)] if condition else lines
