"""Laying a Terraform expression out over lines, as `terraform fmt` leaves it.

An expression that fits stays on its line. A longer one is broken inside brackets only:
Terraform ends an expression at a line's end anywhere else, and `terraform fmt` indents by
brackets alone. A conditional and a row of `&&` or `||` get parentheses to be broken in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from stacks.hcl_syntax import (
    CLOSERS,
    Group,
    Node,
    blank,
    flat,
    is_for,
    items_of,
    parsed,
    split,
    trimmed,
)

INDENT = "  "
Lines = list[str]
"""An expression's lines; the first one follows whatever opens it."""

_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
_ROW_WIDTH = 160
"""Columns of a row of a table: broken up, a table cannot be looked through."""
_HUGGED = 0.6
"""How much of a line may stand before a bracket that is broken open at its end."""


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


def expression(text: str, width: int, lead: int = 0) -> Lines:
    """The expression in lines of at most `width` columns, where it can be broken.

    Args:
        text: spaced as `terraform fmt` spaces it; line breaks in it are not kept.
        lead: columns of the first line that are taken already.

    Raises:
        ValueError: brackets or quotes do not match, or it holds a heredoc or a comment.
    """
    return _layout(parsed(text), width, lead, bracketed=False)


def _layout(nodes: tuple[Node, ...], width: int, lead: int, *, bracketed: bool) -> Lines:
    line = flat(nodes)
    if lead + len(line) <= width:
        return [line]
    rows = _rows(nodes)
    if len(rows) > 1:
        if not bracketed:
            return ["(", *indented(_stack(rows, width - len(INDENT))), ")"]
        return _stack(rows, width)
    lines = _broken(nodes, line, width, lead)
    compared = [] if len(lines[-1]) <= width else _compared(nodes)
    return ["(", *indented(_stack(compared, width - len(INDENT))), ")"] if compared else lines


def _rows(nodes: tuple[Node, ...]) -> list[tuple[str, tuple[Node, ...]]]:
    """The operands of the loosest operator, each with the operator that leads it."""
    if "?" in nodes:
        question = nodes.index("?")
        colon = _colon_of(nodes, question)
        return [
            ("", trimmed(nodes[:question])),
            ("? ", trimmed(nodes[question + 1 : colon])),
            (": ", trimmed(nodes[colon + 1 :])),
        ]
    for operator in ("||", "&&"):
        if operator in nodes:
            return _operands(nodes, operator)
    # One plus is left on its line: it is short, and something beside it is long.
    return _operands(nodes, "+") if nodes.count("+") > 1 else [("", nodes)]


def _operands(nodes: tuple[Node, ...], operator: str) -> list[tuple[str, tuple[Node, ...]]]:
    first, *others = split(nodes, lambda node: node == operator)
    return [("", first), *((f"{operator} ", other) for other in others)]


def _compared(nodes: tuple[Node, ...]) -> list[tuple[str, tuple[Node, ...]]]:
    """The two sides of a comparison; empty where it is none."""
    operator = next((node for node in nodes if node in _COMPARISONS), None)
    return _operands(nodes, str(operator)) if operator else []


def _colon_of(nodes: tuple[Node, ...], question: int) -> int:
    depth = 0
    for position in range(question + 1, len(nodes)):
        if nodes[position] == "?":
            depth += 1
        elif nodes[position] == ":":
            if depth == 0:
                return position
            depth -= 1
    raise ValueError(f"a conditional lacks its colon: {flat(nodes)}")


def _stack(rows: list[tuple[str, tuple[Node, ...]]], width: int) -> Lines:
    out: Lines = []
    for operator, row in rows:
        # What follows a colon may go on in the same column: another conditional, read as else-if.
        bracketed = operator in ("", ": ")
        first, *others = _layout(row, width, len(operator), bracketed=bracketed)
        out += [operator + first, *others]
    return out


def _broken(nodes: tuple[Node, ...], line: str, width: int, lead: int) -> Lines:
    """Broken inside the longest of its brackets; the rest stays on the lines around it."""
    groups = [i for i, node in enumerate(nodes) if isinstance(node, Group) and node.content]
    if not groups:
        return [line]
    longest = max(groups, key=lambda i: len(flat(nodes[i : i + 1])))
    group = nodes[longest]
    assert isinstance(group, Group)
    space = " " if longest and blank(nodes[longest - 1]) else ""
    before, after = flat(nodes[:longest]) + space, flat(nodes[longest + 1 :])
    opener, *middle, closer = _group(group, width, lead + len(before))
    return [before + opener, *middle, closer + after]


def _group(group: Group, width: int, lead: int) -> Lines:
    closer, inner = CLOSERS[group.opener], width - len(INDENT)
    if is_for(group):
        return [group.opener, *indented(_for(group, inner)), closer]
    items = items_of(group)
    if group.opener == "{":
        return ["{", *indented(_entries(items, inner)), "}"]
    if len(items) == 1:
        if _hugs(items[0]):
            first, *middle, last = _broken(items[0], flat(items[0]), width, lead + 1)
            return [group.opener + first, *middle, last + closer]
        return [group.opener, *indented(_layout(items[0], inner, 0, bracketed=True)), closer]
    start = group.opener + "".join(f"{flat(item)}, " for item in items[:-1])
    if group.opener == "(" and _ends_open(items) and lead + len(start) < width:
        first, *middle, last = _broken(items[-1], "", width, 0)
        return [start + first, *middle, last + closer]
    laid = [
        _layout(item, max(inner, _ROW_WIDTH) if _is_row(item, group) else inner, 1, bracketed=False)
        for item in items
    ]
    comma = "," if group.opener == "[" else ""
    for position, item in enumerate(laid):
        item[-1] += "," if position + 1 < len(laid) else comma
    return [group.opener, *indented(line for item in laid for line in item), closer]


def _is_row(item: tuple[Node, ...], group: Group) -> bool:
    """Whether an item of a list is an object that is written out, with simple values only."""
    (first, *others) = item
    return (
        group.opener == "["
        and not others
        and isinstance(first, Group)
        and first.opener == "{"
        and not is_for(first)
        and not any(isinstance(n, Group) and n.opener in "[{" for n in first.content)
    )


def _hugs(item: tuple[Node, ...]) -> bool:
    """Whether the only item is itself a pair of brackets or a call."""
    return (
        isinstance(item[-1], Group)
        and bool(item[-1].content)
        and all(isinstance(node, str) and re.fullmatch(r"[\w.-]+", node) for node in item[:-1])
    )


def _ends_open(items: list[tuple[Node, ...]]) -> bool:
    """Whether the last argument, and none before it, is a list or object with something in it."""
    *others, last = [
        [n for n in item if isinstance(n, Group) and n.opener in "[{"] for item in items
    ]
    return (len(items[-1]) == 1 and bool(last) and bool(last[0].content)) and not any(
        group.content for groups in others for group in groups
    )


def _entries(items: list[tuple[Node, ...]], width: int) -> Lines:
    entries = []
    for item in items:
        equals = item.index("=")
        key = flat(item[:equals])
        value = trimmed(item[equals + 1 :])
        entries.append((key, _layout(value, width, len(key) + len(" = "), bracketed=False)))
    return aligned(entries)


def _for(group: Group, width: int) -> Lines:
    """`for … in … :`, then the result, on the same line or the next; then the condition."""
    colon = group.content.index(":")
    lines = _layout(trimmed(group.content[:colon]), width, len(" :"), bracketed=False)
    lines[-1] += " :"
    body: tuple[Node, ...] = trimmed(group.content[colon + 1 :])
    condition: Lines = []
    if "if" in body:
        at = body.index("if")
        condition = _layout(trimmed(body[at + 1 :]), width, len("if "), bracketed=True)
        condition[0] = f"if {condition[0]}"
        body = trimmed(body[:at])
    key = ""
    if "=>" in body:
        arrow = body.index("=>")
        key, body = f"{flat(body[:arrow])} => ", trimmed(body[arrow + 1 :])
    lead = len(lines[-1]) + 1 + len(key)
    # Not after a closing bracket: terraform fmt would indent what follows by one step more.
    hugged = len(lines) == 1 and _hugs(body) and lead <= _HUGGED * width
    if hugged or lead + len(flat(body)) <= width:
        first, *others = _layout(body, width, lead, bracketed=False)
        lines[-1] += f" {key}{first}"
    else:
        first, *others = _layout(body, width, len(key), bracketed=not key)
        lines.append(key + first)
    return [*lines, *others, *condition]
