"""HCL says what the JSON it was rendered from says: Terraform itself evaluates both.

One apply for each form, with outputs only, holds all cases at once.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modules.core.expressions import Expr, escape, json_document
from stacks.hcl import render
from tests.evaluation import applied, unformatted

FRAGMENTS = (
    *("a", "Z", "9", " ", "é", "ß", "日", "😀", "\u00a0", "\u2028", "\u007f", "\ue000"),
    *('"', '\\"', "\\", "\\\\", "\\n", "\n", "\r\n", "\t", "\x01", "\x1b", "\b", "\f"),
    *("$", "%", "{", "}", "${", "%{", "$${", "%%{", "$$", "${x}", "%{ if true }", "~}", "{{ }}"),
    *("<", ">", "&", "'", "`", "#", "//", "<<EOF", "=", "1e3", "0123", "null", "jsonencode("),
)
"""What strings are made of: characters that either syntax treats as its own, and some others."""

LOST_IN_JSON = ("\ufeff", "\ufeffa", "\r$${", "a\r%%{b", "\r")
"""Terraform 1.11 drops a byte order mark at the beginning of a JSON string, and after a lone
carriage return it does not see that `$${` is escaped. HCL keeps them."""

SPLICES = (
    *("${local.word}", "${ local.word }", '${"a"}', '${"}"}', '${"\\"}"}', '${"$${x}"}'),
    *('${"${local.word}-x"}', "${length(local.list)}", '${local.map["a b"]}', "${{ a = 1 }.a}"),
    *("%{ if local.yes }yes%{ else }no%{ endif }", "${~ local.word ~}", '${join(",", ["a", "b"])}'),
    *("%{ for w in local.list ~} ${w} %{ endfor ~}", "${local.yes ? 1 : 0}"),
)

WHOLE = {
    "a boolean": "${local.yes}",
    "a list": "${local.list}",
    "a number in text": "${1}0",
    "an empty string": "",
    "a long conditional": "${length(local.list) > 100 && local.yes ? join(local.word, "
    'concat(local.list, ["aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"])) : local.yes || '
    "!local.yes ? upper(local.word) : lower(local.word)}",
    "a long for expression": "${{ for name, item in { first = local.word, second = local.word } : "
    'name => merge({ name = name, item = item, aaaaaaaaaaaa = "bbbbbbbbbbbbbb" }, '
    '{ other = item }) if item != "nothing at all" && name != "third" }}',
    "a long interpolation": '"a"-\\n-${join(", ", [for word in concat(local.list, ["aaaaaaaaaaa", '
    '"bbbbbbbbbbbbbbbbbbbbbbb"]) : upper(word) if word != "cccccccccccccc"])}: ${local.word}',
    "a long conditional in a string": "a ${length(local.list) > 100 ? join(local.word, local.list)"
    ' : "${upper(local.word)}-${local.word}-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"} z',
    "an expression with line ends": "${merge(\n  {\n    a = 1\n    bcd = local.list\n  },\n"
    "  local.map,\n)}",
    "a splat": "${[for item in [{ a = 1 }, { a = 2 }] : item][*].a}",
    "an index": "${local.list[0]}",
    "an expansion": "${merge([local.map, { c = 3 }]...)}",
    "arithmetic": "${-1 + 2 * (3 - 4) % 5}",
}


def _strings() -> Iterator[str]:
    yield from FRAGMENTS
    chance = random.Random(20)
    for _ in range(600):
        yield "".join(chance.choices(FRAGMENTS, k=chance.randint(2, 7)))


def _templates() -> Iterator[str]:
    yield from SPLICES
    chance = random.Random(11)
    for _ in range(400):
        pieces = [chance.choice(SPLICES), *map(escape, chance.choices(FRAGMENTS, k=3))]
        chance.shuffle(pieces)
        # A dollar before an opening brace would make an escape of it.
        pieces = [p + "-" if p.endswith(("$", "%")) else p for p in pieces]
        yield "".join(pieces)


def _documents() -> Iterator[str]:
    chance = random.Random(5)
    leaves = (True, False, None, 0, -7, 1.5, 12345678901234567, "", [], {})
    splices = (Expr("local.word"), Expr('"${local.word}/x"'), Expr("local.map"), Expr("local.yes"))

    def data(depth: int) -> Any:
        kind = chance.random()
        if depth and kind < 0.35:
            return {_text(): data(depth - 1) for _ in range(chance.randint(0, 4))}
        if depth and kind < 0.6:
            return [data(depth - 1) for _ in range(chance.randint(0, 3))]
        return chance.choice((*leaves, *splices, _text(), _text(), _text()))

    def _text() -> str:
        return "".join(chance.choices(FRAGMENTS, k=chance.randint(1, 4)))

    yield from ("{}", "[]", '{"a":1e+20}', '{"a": 1}', '{"a":"x${local.word}"}', '{"a":1,"a":2}')
    yield from ('{"b":1,"a":2}', "[1.50]", "[-0]", "[", "{x}", '{"a":${local.list[0]}}')
    for _ in range(150):
        yield json_document({"top": data(3), "list": [data(2), data(1)]})


CASES: dict[str, str] = {
    **{f"string_{n}": escape(text) for n, text in enumerate(_strings())},
    **{f"template_{n}": text for n, text in enumerate(_templates())},
    **{f"document_{n}": text for n, text in enumerate(_documents())},
    **{f"lost_{n}": escape(text) for n, text in enumerate(LOST_IN_JSON)},
    **{f"whole_{n}": text for n, text in enumerate(WHOLE.values())},
}

TREE = {
    "locals": {
        "word": 'w"\\${ö',
        "list": ["x", "<y>", 'z"'],
        "map": {"a b": "1", "$${k}": "2"},
        "yes": True,
    },
    "output": {name: {"value": text} for name, text in CASES.items()},
}
TREE["locals"]["word"] = escape(str(TREE["locals"]["word"]))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    texts = {"main.tf.json": json.dumps(TREE), "main.tf": render(TREE)}
    found = {}
    for name, text in texts.items():
        folder: Path = tmp_path_factory.mktemp("evaluated")
        (folder / name).write_text(text, encoding="utf-8", newline="")
        found[name] = applied(folder)
    return found


def test_every_text_evaluates_alike_in_both_forms(results: dict[str, dict[str, Any]]) -> None:
    in_json, in_hcl = results["main.tf.json"], results["main.tf"]
    assert in_json.keys() == CASES.keys()
    unlike = {n: (CASES[n], in_json[n], in_hcl[n]) for n in CASES if in_json[n] != in_hcl[n]}
    unlike = {n: found for n, found in unlike.items() if not n.startswith("lost_")}
    assert not unlike


def test_an_escaped_string_evaluates_to_itself(results: dict[str, dict[str, Any]]) -> None:
    for kind, texts in (("string", _strings()), ("lost", iter(LOST_IN_JSON))):
        for number, text in enumerate(texts):
            assert results["main.tf"][f"{kind}_{number}"] == text


def test_the_rendered_text_is_what_terraform_fmt_leaves(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(render(TREE), encoding="utf-8", newline="")
    assert unformatted(tmp_path) == ""
