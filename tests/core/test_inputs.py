"""Settings: every fault of plain data at once, expressions left alone, variables derived."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from modules.core.expressions import Expr
from modules.core.faults import ABSENT
from modules.core.inputs import Settings, Variable, parse, variables
from modules.core.rules import NAMESPACE, ROLE_NAME, Rule, between

COUNT = between("count", 1, 9, unit="pieces", fix="count again")
UNTOLD = Rule("untold", "x", "y", check=bool)


class Part(Settings):
    """A nested model."""

    part_name: str
    """Its name."""


class Example(Settings):
    """One field of each kind."""

    plain_text: Annotated[str, NAMESPACE]
    """Text
    over two lines."""
    maybe_text: Annotated[str, ROLE_NAME] | None = None
    """Text that may be missing."""
    switch: bool = True
    """A switch."""
    count: Annotated[int, COUNT] = 3
    """A number."""
    words: list[Annotated[str, NAMESPACE]] = Field(default_factory=list)
    """A list."""
    table: dict[str, Annotated[str, NAMESPACE]] = Field(default_factory=dict)
    """A map."""
    anything: dict[str, Any] = Field(default_factory=dict)
    """Whatever."""
    choice: Literal["a", "b"] = "a"
    """A choice."""
    untold: Annotated[str, UNTOLD] = "x"
    """A rule that Terraform does not have."""
    parts: list[Part] = Field(default_factory=list)
    """Models in a list."""
    named_parts: dict[str, Part] = Field(default_factory=dict)
    """Models in a map."""


BASELINE: dict[str, Any] = {"plainText": "demo"}


def test_plain_data_becomes_settings() -> None:
    found, faults = parse(Example, {**BASELINE, "maybeText": "r", "parts": [{"partName": "p"}]})
    assert faults == []
    assert found == Example(plain_text="demo", maybe_text="r", parts=[Part(part_name="p")])


def test_fields_may_be_written_in_snake_case() -> None:
    found, faults = parse(Example, {"plain_text": "demo"})
    assert (found, faults) == (Example(plain_text="demo"), [])


def test_snake_case_can_be_refused() -> None:
    found, faults = parse(Example, {"plain_text": "demo"}, by_name=False)
    assert found is None
    assert {fault.path for fault in faults} == {("plainText",), ("plain_text",)}


# The baseline with one change, and the fault: path, problem, fix.
@pytest.mark.parametrize(
    ("changes", "path", "problem", "fix"),
    [
        ({"plainText": ABSENT}, ("plainText",), "is missing", "add it"),
        ({"plainTxt": 1}, ("plainTxt",), "is not a known key", "did you mean plainText?"),
        ({"zzz": 1}, ("zzz",), "is not a known key", "remove it"),
        ({"parts": [{"partNam": "p", "partName": "q"}]}, ("parts", 0, "partNam"),
         "is not a known key", "did you mean partName?"),
        ({"namedParts": {"x": {"partNam": "p", "partName": "q"}}}, ("namedParts", "x", "partNam"),
         "is not a known key", "did you mean partName?"),
        ({"parts": [{}]}, ("parts", 0, "partName"), "is missing", "add it"),
        ({"plainText": "Demo"}, ("plainText",), "is not allowed", NAMESPACE.fix),
        ({"maybeText": "a/b"}, ("maybeText",), "is not allowed", ROLE_NAME.fix),
        ({"count": 10}, ("count",), "is not allowed", "count again"),
        ({"words": ["a", "B"]}, ("words", 1), "is not allowed", NAMESPACE.fix),
        ({"table": {"k": "B"}}, ("table", "k"), "is not allowed", NAMESPACE.fix),
        ({"plainText": 1}, ("plainText",), "is not text", 'write it in quotes: "1"'),
        ({"plainText": False}, ("plainText",), "is not text", 'write it in quotes: "false"'),
        ({"plainText": 1.5}, ("plainText",), "is not text", 'write it in quotes: "1.5"'),
        ({"plainText": None}, ("plainText",), "has no value", "give it one, or remove it"),
        ({"parts": None}, ("parts",), "has no value", "give it one, or remove it"),
        ({"plainText": "a-${B}"}, ("plainText",), "is not allowed",
         "write the value itself: nothing fills in what stands in ${}"),
        ({"plainText": "a-$B"}, ("plainText",), "is not allowed", NAMESPACE.fix),
        ({"switch": "true"}, ("switch",), "is not true or false",
         "write true or false, without quotes"),
        ({"switch": 1}, ("switch",), "is not true or false", "write true or false, without quotes"),
        ({"count": "3"}, ("count",), "is not a whole number", "write digits, without quotes"),
        ({"words": "a"}, ("words",), "is not a list", "write one item a line, each after a dash"),
        ({"table": ["a"]}, ("table",), "is not a mapping", "write key: value lines"),
        ({"parts": ["a"]}, ("parts", 0), "is not a mapping", "write key: value lines"),
        ({"choice": "c"}, ("choice",), "is not allowed",
         "change it: input should be 'a' or 'b'"),
    ],
)  # fmt: skip
def test_one_change_is_one_fault(
    changes: dict[str, Any], path: tuple[str | int, ...], problem: str, fix: str
) -> None:
    data = {key: value for key, value in {**BASELINE, **changes}.items() if value is not ABSENT}
    found, faults = parse(Example, data, "clusters", 0)
    assert found is None
    [fault] = faults
    assert (fault.path, fault.problem, fault.fix) == (("clusters", 0, *path), problem, fix)


def test_all_faults_are_found_at_once() -> None:
    _, faults = parse(Example, {"plainText": 1, "switch": 2, "words": ["A", "B"], "zzz": 3})
    assert {fault.path for fault in faults} == {
        ("plainText",),
        ("switch",),
        ("words", 0),
        ("words", 1),
        ("zzz",),
    }


@pytest.mark.parametrize("data", [None, "text", [], 3])
def test_what_is_no_mapping_at_all_is_one_fault(data: object) -> None:
    _, faults = parse(Example, data, "clusters", 0)
    assert [(f.path, f.problem) for f in faults] == [(("clusters", 0), "is not a mapping")]


@pytest.mark.parametrize("field", Example.model_fields)
def test_an_expression_may_stand_in_any_field(field: str) -> None:
    chosen = Example(**{"plain_text": "demo", field: Expr("var.x")})
    assert getattr(chosen, field) == Expr("var.x")


def test_a_token_is_not_judged() -> None:
    token = "${TfToken[TOKEN.3]}"
    assert Example(plain_text=token).plain_text == token


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Example(plain_text="demo").switch = False  # type: ignore[misc]


def test_a_module_s_settings_are_its_variables() -> None:
    chosen = Example.expressions(count=5)
    assert chosen.plain_text == Expr("var.plain_text")
    assert chosen.named_parts == Expr("var.named_parts")
    assert chosen.count == 5


VARIABLES = {
    # name: (type, default, nullable, conditions)
    "plain_text": ("string", ABSENT, False, [NAMESPACE.terraform("var.plain_text")]),
    "maybe_text": (
        "string",
        None,
        True,
        ["var.maybe_text == null ? true : " + ROLE_NAME.terraform("var.maybe_text")],
    ),
    "switch": ("bool", True, False, []),
    "count": ("number", 3, False, [COUNT.terraform("var.count")]),
    "words": (
        "list(string)",
        [],
        False,
        [f"alltrue([for value in var.words : {NAMESPACE.terraform('value')}])"],
    ),
    "table": (
        "map(string)",
        {},
        False,
        [f"alltrue([for value in var.table : {NAMESPACE.terraform('value')}])"],
    ),
    "anything": ("any", {}, False, []),
    "choice": ("string", "a", False, []),
    "untold": ("string", "x", False, []),
    "parts": ("any", [], False, []),
    "named_parts": ("any", {}, False, []),
}


def derived() -> dict[str, Variable]:
    return {variable.name: variable for variable in variables(Example)}


@pytest.mark.parametrize("name", VARIABLES)
def test_a_field_becomes_a_variable(name: str) -> None:
    found = derived()[name]
    conditions = [block.condition for block in found.validations]
    assert (found.type, found.default, found.nullable, conditions) == VARIABLES[name]


def test_every_field_becomes_a_variable_unless_left_out() -> None:
    assert list(derived()) == list(VARIABLES)
    some = variables(Example, without=("plain_text", "parts"))
    assert [v.name for v in some] == [n for n in VARIABLES if n not in ("plain_text", "parts")]


def test_a_variable_has_the_field_s_description_and_the_rule_s_message() -> None:
    found = derived()["plain_text"]
    assert found.description == "Text over two lines."
    told = f"plain_text: is not allowed. {NAMESPACE.message}"
    assert [block.error_message for block in found.validations] == [told]


TOKEN = "${TfToken[TOKEN.1]}"


@pytest.mark.parametrize("linked", [Expr("local.x"), TOKEN, f"a {TOKEN}"])
def test_an_expression_inside_a_list_or_mapping_is_left_alone_too(linked: Any) -> None:
    data = {**BASELINE, "words": ["a", linked], "table": {"k": linked}, "parts": [linked]}
    if isinstance(linked, str):
        data["parts"] = [{"partName": linked}]
    found, faults = parse(Example, data)
    assert faults == []
    assert found is not None
    assert (found.words, found.table) == (["a", linked], {"k": linked})


def test_what_stands_beside_an_expression_is_judged() -> None:
    _, faults = parse(Example, {**BASELINE, "words": [Expr("local.x"), "B"]})
    assert [fault.path for fault in faults] == [("words", 1)]
