"""What the validations of the published modules say of calls.

A root calls each module once for each case, and one plan judges all calls. The modules are there
with their variables alone: nothing is planned for a call that is allowed.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stacks.publish import GENERATED
from tests.evaluation import run
from tests.terraform.published.cases import MODULES, Case
from tests.terraform.published.roots import literal


@dataclass(frozen=True)
class Refusal:
    """A validation that refused a call: its variable, the line it stands at, and its message."""

    variable: str
    line: int
    message: str


Judged = dict[Case, list[Refusal]]

_PLACE = re.compile(r"\n\nThis was checked by the validation rule at \S+variables\.tf:(\d+),")
_VALIDATION = re.compile(r"^  validation \{\n(.*?)^  \}", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(r'^variable "(\w+)"', re.MULTILINE)


def judge(module: str, cases: Iterable[Case], folder: Path) -> Judged:
    """By case of a module, the validations that refuse it."""
    (folder / "modules").mkdir()
    shutil.copy(GENERATED / module / "variables.tf", folder / "modules")
    calls = {f"call_{n}": case for n, case in enumerate(cases)}
    found: Judged = {case: [] for case in calls.values()}
    for name, case in calls.items():
        call = {"source": "./modules", **literal({**MODULES[module].facts, **case.given})}
        text = json.dumps({"module": {name: call}}, ensure_ascii=False)
        (folder / f"{name}.tf.json").write_text(text, encoding="utf-8")
    # Rules on several variables are judged only once no rule on one of them is broken.
    for _ in range(2):
        for name, line, message in _refusals(folder):
            found[calls[name]].append(Refusal(_variable_at(module, line), line, message))
            (folder / f"{name}.tf.json").unlink(missing_ok=True)
    return found


def source(module: str) -> str:
    """The variables of a module, as they are published."""
    return (GENERATED / module / "variables.tf").read_text(encoding="utf-8")


def blocks(module: str) -> set[int]:
    """The lines at which its validations stand."""
    lines = source(module).splitlines()
    return {n for n, line in enumerate(lines, start=1) if line == "  validation {"}


def rules(module: str) -> dict[str, set[str]]:
    """By variable, its validations as they are written."""
    return {
        block.partition('"')[0]: set(_VALIDATION.findall(block))
        for block in re.split(r'^variable "', source(module), flags=re.MULTILINE)[1:]
    }


def judging_variables(module: str) -> set[str]:
    """The variables that have validations."""
    return {name for name, validations in rules(module).items() if validations}


def _refusals(folder: Path) -> list[tuple[str, int, str]]:
    """What a plan says, by the name of the call: each has a file of its own."""
    run(folder, "init")
    found = []
    for line in run(folder, "plan", "-json", codes=(0, 1)).splitlines():
        told = json.loads(line).get("diagnostic")
        if told is not None:
            message, number, _ = _PLACE.split(told["detail"])
            name = told["range"]["filename"].removesuffix(".tf.json")
            found.append((name, int(number), message))
    return found


def _variable_at(module: str, line: int) -> str:
    above = "\n".join(source(module).splitlines()[:line])
    return _VARIABLE.findall(above)[-1]
