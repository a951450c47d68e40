"""The swap under the real CDKTF CLI, which deletes the folders of undeclared stacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands.environment import ROOT, cdktf, quiet

# Writes a stack for each argument as CDKTF would, without starting Node.
PROGRAM = """
import json, os, sys
from stacks.output import output_folder, synthesized

name = "cdk.tf" if os.environ["SYNTH_HCL_OUTPUT"] == "true" else "cdk.tf.json"
content = {"//": {"metadata": {}}, "terraform": {"required_providers": {}}}
with synthesized(output_folder()) as staging:
    stacks = {}
    for stack in sys.argv[1:]:
        folder = staging / "stacks" / stack
        folder.mkdir(parents=True)
        (folder / name).write_text("" if name == "cdk.tf" else json.dumps(content))
        if name == "cdk.tf":
            (folder / "metadata.json").write_text(json.dumps(content))
        stacks[stack] = {
            "name": stack,
            "constructPath": stack,
            "workingDirectory": f"stacks/{stack}",
            "synthesizedStackPath": f"stacks/{stack}/{name}",
            "stackMetadataPath": f"stacks/{stack}/metadata.json",
            "annotations": [],
            "dependencies": [],
        }
    (staging / "manifest.json").write_text(json.dumps({"version": "0.21.0", "stacks": stacks}))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "cdktf.json").write_text(
        json.dumps({"language": "python", "app": "none", "projectId": "test"})
    )
    return tmp_path


def synth(project: Path, *stacks: str, hcl: bool = False) -> None:
    environ = quiet() | {"CI": "1", "PYTHONPATH": str(ROOT)}
    program = " ".join([f'"{sys.executable}"', "program.py", *stacks])
    line = [*cdktf(), "synth", "--app", program, *(["--hcl"] if hcl else [])]
    done = subprocess.run(
        line, cwd=project, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def files(project: Path) -> list[str]:
    out = project / "cdktf.out"
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


@pytest.mark.slow
def test_state_outlives_an_undeclared_stack_and_comes_back_with_it(project: Path) -> None:
    synth(project, "a", "b", "c")
    (project / "cdktf.out/stacks/b/terraform.tfstate").write_text("state")

    synth(project, "a")
    assert files(project) == [
        "manifest.json",
        "stacks/a/cdk.tf.json",
        "undeclared/b/cdk.tf.json",
        "undeclared/b/terraform.tfstate",
    ]

    synth(project, "a", "b", hcl=True)
    assert files(project) == [
        "manifest.json",
        "stacks/a/cdk.tf",
        "stacks/a/metadata.json",
        "stacks/b/cdk.tf",
        "stacks/b/metadata.json",
        "stacks/b/terraform.tfstate",
    ]
