"""Terraform on the language alone: no provider, no state worth keeping."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Terraform:
    """A folder to run Terraform in."""

    folder: Path

    def attempt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        settings = self.folder / "none.tfrc"
        settings.touch()
        environ = {"TF_CLI_CONFIG_FILE": str(settings), "CHECKPOINT_DISABLE": "1"}
        return subprocess.run(
            ["terraform", *arguments],
            cwd=self.folder,
            env={**os.environ, **environ},
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *arguments: str) -> str:
        done = self.attempt(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def terraform(tmp_path: Path) -> Terraform:
    if shutil.which("terraform") is None:
        pytest.skip("needs terraform on PATH")
    return Terraform(tmp_path)
