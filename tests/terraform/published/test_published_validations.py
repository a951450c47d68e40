"""Every validation of every published module: what it refuses, what it lets pass, what it says.

A root calls each module once for each case, and one plan judges all calls. The modules are there
with their variables alone: nothing is planned for a call that is allowed.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from modules.core.faults import Fault
from modules.iam import extra_statements
from stacks.publish import GENERATED
from tests.evaluation import run
from tests.terraform.published.cases import MISSPELT, MODULES, Case, load
from tests.terraform.published.roots import literal

WHOLE = "karpenter"

WIRED: dict[str, set[str]] = {
    "karpenter-iam": set(),
    "karpenter-release": {"controller_role_arn", "queue_name"},
    "karpenter-provisioners": {"node_role_name"},
}
"""Variables of parts that the whole gives them itself."""

SAID_TWICE = {"a manifest without a spec", "a class's manifest without a spec"}
"""Terraform looks for the fields of the spec as well, in what is there instead of it."""

BLOCKS = re.MULTILINE | re.DOTALL
CASES = load()


@dataclass(frozen=True)
class Refusal:
    """A validation that refused a call: the line it stands at, and its message."""

    line: int
    message: str


Judged = dict[Case, list[Refusal]]
PLACE = re.compile(r"\n\nThis was checked by the validation rule at \S+variables\.tf:(\d+),")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """By case, the validations that refuse it."""
    found: Judged = {case: [] for case in CASES}
    for module, part in MODULES.items():
        folder = tmp_path_factory.mktemp(module)
        (folder / "modules").mkdir()
        shutil.copy(GENERATED / module / "variables.tf", folder / "modules")
        calls = {f"call_{n}": case for n, case in enumerate(CASES) if case.module == module}
        for name, case in calls.items():
            call = {"source": "./modules", **literal({**part.facts, **case.given})}
            text = json.dumps({"module": {name: call}}, ensure_ascii=False)
            (folder / f"{name}.tf.json").write_text(text, encoding="utf-8")
        # Rules on several variables are judged only once no rule on one of them is broken.
        for _ in range(2):
            for name, refusal in refusals(folder):
                found[calls[name]].append(refusal)
                (folder / f"{name}.tf.json").unlink(missing_ok=True)
    return found


def refusals(folder: Path) -> list[tuple[str, Refusal]]:
    """What a plan says, by the name of the call: each has a file of its own."""
    run(folder, "init")
    found = []
    for line in run(folder, "plan", "-json", codes=(0, 1)).splitlines():
        told = json.loads(line).get("diagnostic")
        if told is not None:
            message, number, _ = PLACE.split(told["detail"])
            name = told["range"]["filename"].removesuffix(".tf.json")
            found.append((name, Refusal(int(number), message)))
    return found


def source(module: str) -> str:
    return (GENERATED / module / "variables.tf").read_text(encoding="utf-8")


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
        if case.name not in SAID_TWICE
        if not any(says(refusal.message, fault) for fault in case.faults)
    ]
    assert not unlike, "\n".join(unlike)


def says(message: str, fault: Fault) -> bool:
    """Whether a message tells this fault."""
    if fault.path[:1] == ("controllerPolicyStatements",) and fault.path[1:]:
        # Terraform tells the whole form of a statement.
        return message == f"Allowed: {extra_statements.ALLOWED}. Fix: {extra_statements.FIX}."
    if fault.problem.startswith(("is not a key", "is not a known key")):
        # What lies nearest is for Python to find.
        return "Allowed: one of " in message
    return f"Allowed: {fault.allowed}. Fix: {fault.fix}." in message


@pytest.mark.parametrize("case", MISSPELT, ids=lambda case: case.name)
def test_a_misspelt_key_is_told(case: Case, judged: Judged) -> None:
    assert any(MISSPELT[case] in refusal.message for refusal in judged[case])


@pytest.mark.parametrize("module", MODULES)
def test_every_validation_has_a_case_that_it_refuses(module: str, judged: Judged) -> None:
    lines = source(module).splitlines()
    blocks = {n for n, line in enumerate(lines, start=1) if line == "  validation {"}
    hit = {refusal.line for case in judged if case.module == module for refusal in judged[case]}
    assert blocks
    assert hit <= blocks
    never = [f"variables.tf:{n}: {lines[n]}" for n in sorted(blocks - hit)]
    assert not never, "\n".join(never)


@pytest.mark.parametrize("module", MODULES)
def test_every_variable_with_validations_is_set_in_a_case_that_passes(
    module: str, judged: Judged
) -> None:
    judging = {name for name, validations in rules(module).items() if validations}
    passing = {
        name
        for case, found in judged.items()
        if case.module == module and not found
        for name, value in case.given.items()
        if value not in (None, {}, [])
    }
    assert judging <= passing


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


def rules(module: str) -> dict[str, set[str]]:
    """By variable, its validations as they are written."""
    return {
        block.partition('"')[0]: set(re.findall(r"^  validation \{\n(.*?)^  \}", block, BLOCKS))
        for block in re.split(r'^variable "', source(module), flags=re.MULTILINE)[1:]
    }
