"""The program as it is run: exit codes, messages, and what it leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import main
from stacks.manifest import Note
from stacks.state import TOP

GOOD = """
clusters:
  - { name: dev, region: us-west-2, kubernetesVersion: "1.34" }
"""

FIVE_FAULTS = """
clusters:
  - name: dev
    region: us-west-2a
    kubernetesVersion: 1.30
    karpenterVersion: 1.14.9
    nodePool: {}
    tags: { country: no }
"""


def run(out: Path, *, cwd: Path = TOP, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("CDKTF", "KARPENTER"))}
    return subprocess.run(
        [sys.executable, str(TOP / "main.py")],
        cwd=cwd,
        env={**clean, "CDKTF_OUTDIR": str(out), **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def stacks(out: Path) -> list[str]:
    return sorted(path.name for path in (out / "stacks").iterdir())


def snapshot(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return path


def test_the_default_file_becomes_the_example_stacks(tmp_path: Path) -> None:
    done = run(tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert stacks(tmp_path / "out") == ["blueprint-construct-dev", "research-prod"]
    assert done.stdout == ""
    spot = [line for line in done.stderr.splitlines() if "create-service-linked-role" in line]
    assert [line.partition(":")[0] for line in spot] == ["blueprint-construct-dev", "research-prod"]


def test_the_variable_names_another_file(good: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "out", KARPENTER_CLUSTERS=str(good))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stacks(tmp_path / "out") == ["dev"]


def test_the_context_names_another_file_seen_from_the_current_folder(
    good: Path, tmp_path: Path
) -> None:
    context = json.dumps({"clusters": good.name})
    done = run(tmp_path / "out", cwd=tmp_path, CDKTF_CONTEXT_JSON=context)
    assert (done.returncode, done.stderr) == (0, "")
    assert stacks(tmp_path / "out") == ["dev"]


def test_five_faults_are_told_at_once_and_the_output_stays(good: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(out, KARPENTER_CLUSTERS=str(good)).returncode == 0
    before = snapshot(tmp_path)
    good.write_text(FIVE_FAULTS)
    done = run(out, KARPENTER_CLUSTERS=str(good))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"{good}: 5 faults, nothing was written\n\n1. clusters[0].region")
    for number in range(1, 6):
        assert f"\n{number}. clusters[0]." in done.stderr
    assert "Traceback" not in done.stderr
    good.write_text(GOOD)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("text", ["clusters: [", "\tx", "", "\xff"])
def test_what_is_no_cluster_file_ends_with_1_and_without_a_traceback(
    text: str, good: Path, tmp_path: Path
) -> None:
    good.write_bytes(text.encode("latin-1"))
    done = run(tmp_path / "out", KARPENTER_CLUSTERS=str(good))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{good}: 1 fault, nothing was written")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_missing_file_ends_with_1(tmp_path: Path) -> None:
    done = run(tmp_path / "out", KARPENTER_CLUSTERS=str(tmp_path / "none.yaml"))
    assert done.returncode == 1
    assert "does not exist" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["{", "[]", "null", '"x"', '{"clusters": 5}'])
def test_a_context_that_is_none_ends_with_1_and_without_a_traceback(
    text: str, tmp_path: Path
) -> None:
    done = run(tmp_path / "out", CDKTF_CONTEXT_JSON=text)
    assert done.returncode == 1
    assert done.stderr.startswith("CDKTF_CONTEXT_JSON: 1 fault, nothing was written")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("out", ["file", "file/out", "out"])
def test_an_output_folder_with_a_file_in_the_way_is_told_and_left(
    out: str, good: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/stacks").touch()
    before = snapshot(tmp_path)
    done = run(tmp_path / out, KARPENTER_CLUSTERS=str(good))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{tmp_path / out}: 1 fault, nothing was written")
    assert "CDKTF_OUTDIR" in done.stderr
    assert "Traceback" not in done.stderr
    assert snapshot(tmp_path) == before


def test_a_node_that_is_none_is_told(good: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "out", KARPENTER_CLUSTERS=str(good), JSII_NODE=str(tmp_path / "none"))
    assert done.returncode == 1
    assert done.stderr.startswith("Node was not found: JSII_NODE names no program")
    assert "Traceback" not in done.stderr


def test_an_interrupt_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> list[Note]:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "synthesize", interrupted)
    assert main.main() == 130
    assert capsys.readouterr().err == "Interrupted: nothing was written.\n"
