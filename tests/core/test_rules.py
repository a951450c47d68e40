"""Each rule on single values judges alike in Python, Terraform and JSON Schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import jsonschema
import pytest
import yaml
from pydantic import TypeAdapter, ValidationError

from modules.core import rules
from modules.core.rules import Rule, between, one_of, pattern
from tests.evaluation import evaluate

TABLE = yaml.safe_load(Path(__file__).with_name("rules.yaml").read_text(encoding="utf-8"))
SHARED = {name: rule for name, rule in vars(rules).items() if isinstance(rule, Rule)}
MADE = {
    "between": (between("x", 2, 5, unit="apples", fix="count"), [2, 3, 5], [1, 6, -3]),
    "one_of": (one_of("x", ("a", "b"), fix="choose"), ["a", "b"], ["", "A", "ab"]),
    "pattern": (pattern("x", r"a|b\d+", allowed="x", fix="y"), ["a", "b1"], ["ab1", "b", "a\n"]),
}


def text(value: Any) -> Any:
    """`x*3` as `xxx`."""
    times = re.fullmatch(r"x\*(\d+)", value) if isinstance(value, str) else None
    return "x" * int(times[1]) if times else value


CASES = [
    *(
        (name, SHARED[name], text(value), verdict == "allowed")
        for name, verdicts in TABLE.items()
        for verdict, values in verdicts.items()
        for value in values
    ),
    *((name, rule, value, True) for name, (rule, good, _) in MADE.items() for value in good),
    *((name, rule, value, False) for name, (rule, _, bad) in MADE.items() for value in bad),
]
IDS = [f"{name}-{str(value)[:40]!r}-{'yes' if right else 'no'}" for name, _, value, right in CASES]


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> list[bool]:
    conditions = [rule.terraform(f"var.values[{n}]") for n, (_, rule, _, _) in enumerate(CASES)]
    outputs = {"answers": "${[" + ", ".join(conditions) + "]}"}
    values = [value for _, _, value, _ in CASES]
    folder = tmp_path_factory.mktemp("rules")
    answers: list[bool] = evaluate(folder, outputs, variables={"values": values})["answers"]
    return answers


def test_every_rule_is_in_the_table() -> None:
    assert set(TABLE) == set(SHARED)
    assert all(verdicts["allowed"] and verdicts["refused"] for verdicts in TABLE.values())


@pytest.mark.parametrize(("name", "rule", "value", "right"), CASES, ids=IDS)
def test_python_judges_right(name: str, rule: Rule, value: object, right: bool) -> None:
    assert rule.check(value) is right, name


@pytest.mark.parametrize("number", range(len(CASES)), ids=IDS)
def test_terraform_judges_right(evaluated: list[bool], number: int) -> None:
    assert evaluated[number] is CASES[number][3]


@pytest.mark.parametrize(
    ("name", "rule", "value", "right"),
    # Python's regular expressions, which judge here, take `$` before a final line break; those
    # of JSON Schema do not.
    [case for case in CASES if not str(case[2]).endswith("\n")],
)
def test_json_schema_judges_right(name: str, rule: Rule, value: object, right: bool) -> None:
    schema = TypeAdapter(Annotated[type(value), rule]).json_schema()
    assert jsonschema.Draft202012Validator(schema).is_valid(value) is right, name


@pytest.mark.parametrize("rule", SHARED.values(), ids=SHARED)
def test_the_message_is_one_sentence_each(rule: Rule) -> None:
    assert re.fullmatch(r"Allowed: [^\n]+[^.]\. Fix: [^\n]+[^.]\.", rule.message)


def test_rules_have_different_ids() -> None:
    assert len({rule.id for rule in SHARED.values()}) == len(SHARED)


def test_pydantic_tells_what_is_allowed() -> None:
    kind = TypeAdapter(Annotated[str, rules.NAMESPACE])
    assert kind.validate_python("kube-system") == "kube-system"
    with pytest.raises(ValidationError) as refusal:
        kind.validate_python("Kube")
    [error] = refusal.value.errors()
    assert (error["type"], error["ctx"]) == (
        "rule",
        {"allowed": rules.NAMESPACE.allowed, "fix": rules.NAMESPACE.fix},
    )


def test_a_rule_that_terraform_cannot_express_says_so() -> None:
    rule = Rule("odd", "x", "y", check=bool)
    with pytest.raises(ValueError, match="rule odd has no Terraform condition"):
        rule.terraform("var.x")


def test_a_condition_is_on_what_is_named() -> None:
    assert (
        MADE["between"][0].terraform("var.n") == "var.n >= 2 && var.n <= 5 && floor(var.n) == var.n"
    )
