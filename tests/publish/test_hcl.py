"""How HCL is written: what becomes a block, what is refused, where lines break."""

from __future__ import annotations

from typing import Any

import pytest

from stacks.hcl import render
from stacks.hcl_layout import expression
from stacks.hcl_values import value
from stacks.template_text import Directive, Splice, Text, parts

BODY = {
    "count": "${var.wanted ? 1 : 0}",
    "tags": "${var.tags}",
    "name": "${var.name}",
    "policy": '{"Statement":[{"Action":["a:B"],"Sid":"One"}],"Version":"2012-10-17"}',
    "depends_on": ["aws_iam_role.controller"],
    "lifecycle": {
        "precondition": [{"condition": "${var.a != null}", "error_message": "No $${a}."}]
    },
}

BLOCK = """\
# Why it is here.
resource "aws_iam_policy" "additional" {
  count = var.wanted ? 1 : 0

  name = var.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid    = "One"
      Action = ["a:B"]
    }]
  })
  tags = var.tags

  depends_on = [aws_iam_role.controller]

  lifecycle {
    precondition {
      condition     = var.a != null
      error_message = "No $${a}."
    }
  }
}
"""


def test_a_resource_reads_as_if_written_by_hand() -> None:
    tree = {"resource": {"aws_iam_policy": {"additional": BODY}}}
    assert render(tree, comments={"aws_iam_policy.additional": "Why it is here."}) == BLOCK


def test_nested_values_of_a_helm_release_are_attributes() -> None:
    tree = {"resource": {"helm_release": {"pools": {"set": [{"name": "a", "value": "b"}]}}}}
    assert "  set = [{\n    name  = " in render(tree)


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        (
            {"resource": {"aws_iam_role": {"a": {"inline_policy": [{"name": "x"}]}}}},
            "inline_policy",
        ),
        ({"data": {"aws_subnets": {"a": {"filter": {"name": "x"}}}}}, "filter"),
        ({"terraform": {"backend": {"local": {"path": "x"}}}}, "terraform.backend"),
        ({"provider": {"aws": {}}}, "provider"),
    ],
)
def test_a_structure_that_no_table_names_is_refused(tree: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        render(tree)


@pytest.mark.parametrize(
    ("template", "taken_apart"),
    [
        ("plain", [Text("plain")]),
        ("a$${b}%%{c", [Text("a${b}%{c")]),
        ("a-${ var.x }", [Text("a-"), Splice("var.x")]),
        ('${f({ a = "}" })}', [Splice('f({ a = "}" })')]),
        ('${"a ${"b ${c}"}"}!', [Splice('"a ${"b ${c}"}"'), Text("!")]),
        ("%{ if x }y%{ endif }", [Directive("%{if x}"), Text("y"), Directive("%{endif}")]),
        ("a ${~ x }", [Text("a "), Directive("${~x}")]),
    ],
)
def test_a_template_is_taken_apart(template: str, taken_apart: list[object]) -> None:
    assert parts(template) == taken_apart


@pytest.mark.parametrize("template", ["${a", "%{ if", '${"a}', '${f("${b"}'])
def test_a_template_that_is_not_closed_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="nothing closes"):
        parts(template)


@pytest.mark.parametrize("text", ["f(a", "f(a]", "a)", "<<EOF", "a # b", "a /* b */", "a ? b"])
def test_an_expression_that_cannot_be_laid_out_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"brackets|no place|colon"):
        expression(text, 3)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("f(aaaa, bbbb)", ["f(aaaa, bbbb)"]),
        ("f(aaaa, bbbb, cccc, d)", ["f(", "  aaaa,", "  bbbb,", "  cccc,", "  d", ")"]),
        ("[aaaa, bbbb, cccc, dd]", ["[", "  aaaa,", "  bbbb,", "  cccc,", "  dd,", "]"]),
        ("aaaaa && bbbbb && ccccc", ["(", "  aaaaa", "  && bbbbb", "  && ccccc", ")"]),
        ("aaaaa ? bbbbbb : ccccc", ["(", "  aaaaa", "  ? bbbbbb", "  : ccccc", ")"]),
        (
            "1 + 2 + aaaa + bbbb + ccc",
            ["(", "  1", "  + 2", "  + aaaa", "  + bbbb", "  + ccc", ")"],
        ),
        (
            "f([aaaaaaaaaaaa, bb]) == gggg(cccccc, d)",
            ["(", "  f([", "    aaaaaaaaaaaa,", "    bb,", "  ])", "  == gggg(cccccc, d)", ")"],
        ),
        ("alltrue([for v in x : f(v)])", ["alltrue([", "  for v in x : f(v)", "])"]),
        ("{ a = 1, bbb = 2, cc = 34 }", ["{", "  a   = 1", "  bbb = 2", "  cc  = 34", "}"]),
        ("{\n  a = 1\n  bbb = 2\n}", ["{ a = 1, bbb = 2 }"]),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    ],
)
def test_an_expression_is_broken_inside_brackets_only(text: str, lines: list[str]) -> None:
    assert expression(text, 20) == lines


@pytest.mark.parametrize(
    ("document", "encoded"),
    [
        ('{"a":1}', True),
        ('{"a":${jsonencode(var.x)}}', True),
        ("[]", True),
        ('{"a":"${var.x}"}', False),
        ('{"a":${var.x}}', False),
        ('{"a": 1}', False),
        ('{"b":1,"a":1}', False),
        ('{"a":1e+20}', False),
        ("{x}", False),
    ],
)
def test_only_a_document_that_jsonencode_gives_to_the_byte_becomes_one(
    document: str, encoded: bool
) -> None:
    assert value(document, 80)[0].startswith("jsonencode(") is encoded
