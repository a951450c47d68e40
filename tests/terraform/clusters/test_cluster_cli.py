"""One cluster through our commands and the real CDKTF CLI, with providers that Terraform starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from commands.environment import ROOT, quiet
from tests.terraform.standin.engines import program_folder
from tests.terraform.standin.standin import Standin

SCRIPTS = tomllib.loads((ROOT / "Pipfile").read_text())["scripts"]
# The CLI would have Terraform ask the registry for checksums, whatever mirror it is told of.
OFFLINE = ["--skip-provider-lock"]
CLUSTERS = """\
clusters:
  - name: plain
    region: us-west-2
    kubernetesVersion: "1.34"
    backend: {{ local: {{ path: "{state}" }} }}
    nodeClasses:
      default: {{ amiSelectorTerms: [{{ alias: al2023@v20260917 }}] }}
  - name: other
    region: us-west-2
    kubernetesVersion: "1.34"
    backend: {{ local: {{ path: "{other}" }} }}
"""


class Project:
    """The project with a cluster file, output folder and states of its own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.state = folder / "states" / "plain.tfstate"
        self.other = folder / "states" / "other.tfstate"
        self.out = folder / "out"
        clusters = folder / "clusters.yaml"
        clusters.write_text(CLUSTERS.format(state=self.state, other=self.other))
        programs = os.pathsep.join([str(program_folder(folder / "bin")), os.environ["PATH"]])
        own = {
            "KARPENTER_CLUSTERS": str(clusters),
            "CDKTF_OUTDIR": str(self.out),
            "PATH": programs,
        }
        self._environment = {**quiet(), **environment, **own}

    def run(self, script: str, *arguments: str) -> str:
        """What `pipenv run` does with a script of the Pipfile; gives what was printed."""
        program, *words = SCRIPTS[script].split()
        assert program == "python"
        done = subprocess.run(
            [sys.executable, *words, *arguments, "--", *OFFLINE],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.mark.slow
def test_a_cluster_is_deployed_compared_and_destroyed(standin: Standin, tmp_path: Path) -> None:
    standin.eks_cluster("plain")
    project = Project(tmp_path, standin.mirror(tmp_path / "mirror").environment())
    before = set(ROOT.iterdir())

    said = project.run("deploy", "plain", "--auto-approve")
    assert "KarpenterController-plain" in said
    assert standin.kubernetes.release("karpenter").values["settings"]["clusterName"] == "plain"
    assert json.loads(project.state.read_text())["resources"]
    assert not project.other.exists()

    assert "No changes" in project.run("diff", "plain")

    project.run("destroy", "plain", "--auto-approve")
    assert standin.leftovers() == []
    assert json.loads(project.state.read_text())["resources"] == []
    assert set(ROOT.iterdir()) == before
