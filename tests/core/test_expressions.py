"""Literals and expressions as Terraform text. That Terraform reads them so is tested elsewhere."""

from __future__ import annotations

import pytest

from modules.core.expressions import (
    Expr,
    escape,
    is_known,
    is_reference,
    joined,
    json_document,
    quoted,
    template,
)

TOKEN = "${TfToken[TOKEN.12]}"
NAME = Expr("var.name")


@pytest.mark.parametrize(
    ("value", "known"),
    [
        ("text", True),
        ("${var.x}", True),
        (None, True),
        ({}, True),
        (NAME, False),
        (TOKEN, False),
        (f"a-{TOKEN}", False),
    ],
)
def test_only_expressions_and_tokens_are_unknown(value: object, known: bool) -> None:
    assert is_known(value) is known


def test_an_expression_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"Expr\('var.name'\) has no truth value"):
        bool(NAME)


def test_expressions_are_equal_by_their_text() -> None:
    assert Expr("var.name") == NAME
    assert Expr("var.other") != NAME
    assert NAME != "var.name"
    assert len({Expr("var.name"), NAME}) == 1


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("var.name", True),
        ("aws_iam_role.node[0].arn", True),
        ("one(aws_iam_role.node[*].arn)", False),
        ("var.a ? 1 : 0", False),
        ('"x"', False),
    ],
)
def test_a_reference_is_no_more_than_a_name(text: str, reference: bool) -> None:
    assert is_reference(Expr(text)) is reference
    assert not is_reference(text)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("plain", "plain"),
        ("${x}", "$${x}"),
        ("%{if}", "%%{if}"),
        ("$${x}", "$$${x}"),
        ("$x %d {y}", "$x %d {y}"),
    ],
)
def test_a_literal_is_escaped(literal: str, text: str) -> None:
    assert escape(literal) == text
    assert template(literal) == text


def test_expressions_and_tokens_are_interpolated() -> None:
    assert template(NAME) == "${var.name}"
    assert template(TOKEN) == TOKEN
    assert template("${a}" + TOKEN + "%{b}") == "$${a}" + TOKEN + "%%{b}"
    assert template(3) == "3"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", '"x"'),
        ('a"b\\c\n', '"a\\"b\\\\c\\n"'),
        ("${x}", '"$${x}"'),
        ("\b\f", '"\\u0008\\u000c"'),
        (NAME, "var.name"),
    ],
)
def test_an_operand_is_quoted_unless_it_is_an_expression(value: object, text: str) -> None:
    assert quoted(value) == text


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (("a", "-", "b"), "a-b"),
        ((), ""),
        (("a-", NAME), Expr('"a-${var.name}"')),
        (("${a}", NAME, '"'), Expr('"$${a}${var.name}\\""')),
        (("a", TOKEN), Expr(f'"a{TOKEN}"')),
    ],
)
def test_parts_are_joined_to_a_literal_or_an_expression(
    parts: tuple[object, ...], whole: object
) -> None:
    assert joined(*parts) == whole


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"b": 1, "a": [True, None, 1.5]}, '{"a":[true,null,1.5],"b":1}'),
        ({}, "{}"),
        ([], "[]"),
        ({"a": "${x} %{y}"}, '{"a":"$${x} %%{y}"}'),
        ({"${k}": 1}, '{"$${k}":1}'),
        ("<&>\u2028", '"\\u003c\\u0026\\u003e\\u2028"'),
        ("é", '"é"'),
        (NAME, "${jsonencode(var.name)}"),
        ([NAME], "[${jsonencode(var.name)}]"),
        ({"a": f"x-{TOKEN}"}, '{"a":${jsonencode("x-' + TOKEN + '")}}'),
        ({NAME: 1}, "{${jsonencode(var.name)}:1}"),
    ],
)
def test_data_becomes_a_document_with_splices(data: object, text: str) -> None:
    assert json_document(data) == text


def test_an_expression_as_a_key_stands_where_its_value_will() -> None:
    middle = joined("b/", NAME)
    assert json_document({"c": 3, middle: 2, "a": 1}) == (
        '{"a":1,${jsonencode("b/${var.name}")}:2,"c":3}'
    )


@pytest.mark.parametrize("leaf", [object(), {1, 2}, b"x"])
def test_what_json_does_not_have_is_refused(leaf: object) -> None:
    with pytest.raises(TypeError):
        json_document({"a": leaf})


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_document(number)
