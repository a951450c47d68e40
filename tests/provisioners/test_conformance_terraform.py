"""The published module's conditions give the verdicts that Python gives, in Terraform itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import DEFAULT_VERSION, RELEASES, Release
from modules.provisioners.spec_validations import validations
from tests.evaluation import applied
from tests.provisioners import cases

pytestmark = pytest.mark.slow

VARIABLES = {"NodePool": "node_pools", "EC2NodeClass": "node_classes"}
FILLED = (
    "no class",
    "no group",
    "no kind",
    "no name of the class",
    "no subnets",
    "no security groups",
    "neither role nor profile",
)
"""Cases about what the module fills in where it is not given."""


def judged_by_terraform(
    folder: Path, release: Release, specs: dict[str, tuple[str, Any]]
) -> dict[str, list[str]]:
    """The places that the published module would name, by the name of the spec.

    One plan judges all of them: each condition and message is evaluated for each spec, which
    stands for the variable as `{ demo = spec }`. A module call for each would take minutes.

    Args:
        specs: name -> kind and spec.
    """
    (folder / "specs.json").write_text(
        json.dumps(
            {
                kind: {name: {"demo": spec} for name, (k, spec) in specs.items() if k == kind}
                for kind in VARIABLES
            }
        )
    )
    outputs = {}
    for kind, variable in VARIABLES.items():
        for number, block in enumerate(validations(release)[variable]):
            condition, message = (
                text.replace(f"var.{variable}", "given_specs")
                for text in (block.condition, block.error_message)
            )
            each = f"for name, given_specs in local.specs.{kind} : name"
            # The places that the message begins with; the rest of it is plain text.
            places = message[2 : message.rindex(")}: ") + 1]
            value = f"${{{{ {each} => {places} if !({condition}) }}}}"
            outputs[f"{variable}_{number}"] = {"value": value}
    document = {
        "locals": {"specs": '${jsondecode(file("${path.module}/specs.json"))}'},
        "output": outputs,
    }
    (folder / "main.tf.json").write_text(json.dumps(document))
    said: dict[str, list[str]] = {}
    for messages in applied(folder).values():
        for name, message in messages.items():
            said.setdefault(name, []).append(message)
    return said


@pytest.mark.parametrize("version", ["1.0.0", "1.8.8", "1.9.0", "1.14.2", "1.15.1"])
def test_terraform_gives_the_verdict_of_every_case(version: str, tmp_path: Path) -> None:
    release = RELEASES[version]
    every = version == DEFAULT_VERSION
    judged = {f"case_{n}": c for n, c in enumerate(cases.load()) if every or c.boundary is not None}
    specs = {name: (case.kind, case.spec) for name, case in judged.items()}
    said = judged_by_terraform(tmp_path, release, specs)
    wrong = {}
    for name, case in judged.items():
        taken = case.taken_by(release) or case.name in FILLED
        places = [place for message in said.get(name, []) for place in message.split(", ")]
        if taken == bool(places):
            wrong[str(case)] = places
        at = case.at if case.at is not None and '"' not in case.at else None
        if places and at is not None and f"demo: {at}" not in places:
            wrong[str(case)] = places
    assert not wrong
