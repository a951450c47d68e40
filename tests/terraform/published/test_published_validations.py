"""Every validation of every published module: what it refuses, what it lets pass, what it says."""

from __future__ import annotations

import re

import pytest

from modules.core.faults import Fault
from modules.iam import extra_statements
from stacks.publish import GENERATED
from tests.terraform.published.cases import MISSPELT, MODULES, NO_SPEC, OBJECT_VARIABLES, Case
from tests.terraform.published.judging import (
    Judged,
    Refusal,
    blocks,
    judging_variables,
    rules,
    source,
)

WHOLE = "karpenter"

WIRED: dict[str, set[str]] = {
    "karpenter-iam": set(),
    "karpenter-release": {"controller_role_arn", "queue_name"},
    "karpenter-provisioners": {"node_role_name"},
}
"""Variables of parts that the whole gives them itself."""


def test_terraform_refuses_what_python_refuses_and_nothing_else(judged: Judged) -> None:
    unlike = [
        f"{case.module}: {case.name}: Python {case.faults}, Terraform {found}"
        for case, found in judged.items()
        if bool(case.faults) is not bool(found)
    ]
    assert not unlike, "\n".join(unlike)


def test_terraform_says_what_python_says(judged: Judged) -> None:
    unlike = [
        f"{case.module}: {case.name}: {refusal.message}"
        for case, found in judged.items()
        for refusal in found
        if not any(says(refusal.message, fault) for fault in case.faults)
    ]
    assert not unlike, "\n".join(unlike)


def says(message: str, fault: Fault) -> bool:
    """Whether a message tells this fault."""
    if fault.path[:1] == ("controllerPolicyStatements",) and fault.path[1:]:
        # Terraform tells the whole form of a statement.
        told = f"{extra_statements.PROBLEM}. Allowed: {extra_statements.ALLOWED}"
        return message == f"controller_policy_statements: {told}. Fix: {extra_statements.FIX}."
    problem, _, _ = fault.problem.partition("; the nearest")
    if problem.startswith(("is not a key", "is not a known key")):
        # What lies nearest is for Python to find.
        return f"{problem}. Allowed: one of " in message
    return f": {problem}. Allowed: {fault.allowed}. Fix: {fault.fix}." in message


def test_every_message_begins_with_the_variable_or_an_object_in_it(judged: Judged) -> None:
    nameless = [
        f"{case.module}: {case.name}: {refusal.message}"
        for case, found in judged.items()
        for refusal in found
        if not is_placed(case, refusal)
    ]
    assert not nameless, "\n".join(nameless)


def is_placed(case: Case, refusal: Refusal) -> bool:
    # A message about many keys lists their paths.
    if re.match(rf"{refusal.variable}[:.,]", refusal.message):
        return True
    names = refusal.message.partition(": ")[0].split(", ")
    given = case.given[refusal.variable]
    return refusal.variable in OBJECT_VARIABLES and set(names) <= set(given)


@pytest.mark.parametrize("name", NO_SPEC)
def test_of_a_manifest_without_a_spec_that_alone_is_told(name: str, judged: Judged) -> None:
    [found] = [found for case, found in judged.items() if case.name == name]
    assert [refusal.message.partition(". ")[0] for refusal in found] == [NO_SPEC[name]]
    assert "\n" not in found[0].message


@pytest.mark.parametrize("case", MISSPELT, ids=lambda case: case.name)
def test_a_misspelt_key_is_told(case: Case, judged: Judged) -> None:
    assert any(MISSPELT[case] in refusal.message for refusal in judged[case])


@pytest.mark.parametrize("module", MODULES)
def test_every_validation_has_a_case_that_it_refuses(module: str, judged: Judged) -> None:
    lines = source(module).splitlines()
    hit = {refusal.line for case in judged if case.module == module for refusal in judged[case]}
    assert blocks(module)
    assert hit <= blocks(module)
    never = [f"variables.tf:{n}: {lines[n]}" for n in sorted(blocks(module) - hit)]
    assert not never, "\n".join(never)


@pytest.mark.parametrize("module", MODULES)
def test_every_variable_with_validations_is_set_in_a_case_that_passes(
    module: str, judged: Judged
) -> None:
    passing = {
        name
        for case, found in judged.items()
        if case.module == module and not found
        for name, value in case.given.items()
        if value not in (None, {}, [])
    }
    assert judging_variables(module) <= passing


def test_the_whole_gives_its_parts_what_it_is_given_for_them_to_judge() -> None:
    body = (GENERATED / WHOLE / "main.tf").read_text(encoding="utf-8")
    known: dict[str, set[str]] = {}
    for module, wired in WIRED.items():
        call = body.split(f'source = "../{module}"')[1].partition("\n}\n")[0]
        given = set(re.findall(r"^  (\w+) += var\.\1$", call, re.MULTILINE))
        assert given == rules(module).keys() - wired
        for name, validations in rules(module).items():
            known[name] = known.get(name, set()) | validations
    own = {name for name, validations in rules(WHOLE).items() if validations - known[name]}
    assert own == {"interruption_handling"}  # test_published_refused.py
