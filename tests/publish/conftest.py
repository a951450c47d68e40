"""Real Terraform for the tests of the publisher; no provider, no network."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Terraform = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def terraform(tmp_path_factory: pytest.TempPathFactory) -> Terraform:
    """Runs Terraform in a folder, alone with its built-in provider."""
    binary = shutil.which("terraform")
    if binary is None:
        pytest.skip("Terraform is not on PATH")
    settings = tmp_path_factory.mktemp("terraform") / "terraform.rc"
    settings.touch()
    environment = {
        **os.environ,
        "CHECKPOINT_DISABLE": "1",
        "TF_CLI_CONFIG_FILE": str(settings),
        "TF_IN_AUTOMATION": "1",
    }

    def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [binary, *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run
