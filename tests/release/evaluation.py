"""Lets real Terraform evaluate expressions: no provider, no resource, outputs only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest


def evaluate(
    folder: Path,
    outputs: Mapping[str, str],
    *,
    variables: Mapping[str, Any] | None = None,
    validations: Mapping[str, list[dict[str, str]]] | None = None,
) -> dict[str, Any]:
    """What Terraform makes of these template texts.

    Args:
        outputs: template text by output name.
        variables: values of variables of any type; they reach Terraform as data.
        validations: validation blocks by variable.

    Raises:
        ValueError: Terraform refused; its own words.
    """
    variables = variables or {}
    configuration = {
        "variable": {
            name: {"type": "any", "validation": (validations or {}).get(name, [])}
            for name in variables
        },
        "output": {name: {"value": text} for name, text in outputs.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "main.tf.json", {key: part for key, part in configuration.items() if part})
    _write(folder / "terraform.tfvars.json", variables)
    _terraform(folder, "apply", "-auto-approve", "-input=false")
    found = json.loads(_terraform(folder, "output", "-json"))
    return {name: output["value"] for name, output in found.items()}


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def _terraform(folder: Path, *arguments: str) -> str:
    program = shutil.which("terraform")
    if program is None:
        pytest.skip("no terraform on PATH")
    cli_configuration = folder / "terraformrc"
    cli_configuration.touch()
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("TF_")},
        "TF_CLI_CONFIG_FILE": str(cli_configuration),
        "CHECKPOINT_DISABLE": "1",
    }
    result = subprocess.run(
        [program, arguments[0], "-no-color", *arguments[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if result.returncode:
        raise ValueError(result.stderr)
    return result.stdout
