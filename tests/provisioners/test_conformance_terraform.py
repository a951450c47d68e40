"""The published module's conditions give the verdicts that Python gives, in Terraform itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import DEFAULT_VERSION, NEWEST_VERSION, RELEASES, Release
from modules.core.expressions import Expr
from modules.provisioners import spec_faults
from modules.provisioners.spec_validations import validations
from tests.evaluation import evaluate
from tests.provisioners import cases

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
    """What the published module would say, without the name in front, by the name of the spec.

    One run judges all of them, each as a pool or class of its own.

    Args:
        specs: name -> kind and spec.
    """
    named: dict[str, str] = {}

    def local(name: str, value: Expr) -> Expr:
        named[name] = str(value)
        return Expr(f"local.{name}")

    types = spec_faults.types(local)
    pools, classes = (Expr(f"var.{variable}") for variable in VARIABLES.values())
    lists = [
        *spec_faults.node_pool_faults(pools, types, release, local),
        *spec_faults.node_class_faults(classes, types, release, local),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "checks.tf.json").write_text(json.dumps({"locals": named}))
    blocks = [block for found in validations(release).values() for block in found]
    found = evaluate(
        folder,
        {
            **{f"list_{n}": f'${{join("\\n", {faults.text})}}' for n, faults in enumerate(lists)},
            **{f"block_{n}": block.error_message for n, block in enumerate(blocks)},
            **{f"met_{n}": f"${{{block.condition}}}" for n, block in enumerate(blocks)},
        },
        variables={
            variable: {name: spec for name, (kind, spec) in specs.items() if kind == of}
            for of, variable in VARIABLES.items()
        },
    )
    for n in range(len(blocks)):
        assert found.pop(f"met_{n}") == (found[f"block_{n}"] == "")
    said: dict[str, list[str]] = {}
    for line in "\n".join(found.values()).splitlines():
        if line:
            name, _, fault = line.partition(": ")
            said.setdefault(name, []).append(fault)
    return said


@pytest.mark.parametrize(
    "version",
    [
        pytest.param(v, marks=() if v == DEFAULT_VERSION else pytest.mark.slow)
        for v in ("1.0.0", "1.8.8", "1.9.0", DEFAULT_VERSION, NEWEST_VERSION)
    ],
)
def test_terraform_gives_the_verdict_of_every_case(version: str, tmp_path: Path) -> None:
    release = RELEASES[version]
    every = version in (DEFAULT_VERSION, NEWEST_VERSION)
    judged = {f"case_{n}": c for n, c in enumerate(cases.load()) if every or c.boundary is not None}
    specs = {name: (case.kind, case.spec) for name, case in judged.items()}
    said = judged_by_terraform(tmp_path, release, specs)
    wrong = {}
    for name, case in judged.items():
        taken = case.taken_by(release) or case.name in FILLED
        faults = said.get(name, [])
        if taken == bool(faults):
            wrong[str(case)] = faults
        at = case.at if case.at is not None and '"' not in case.at else None
        if faults and at is not None and not any(fault.startswith(f"{at}: ") for fault in faults):
            wrong[str(case)] = faults
    assert not wrong
