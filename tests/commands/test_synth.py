"""`synth`: what it lists, and that a failing step ends it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from commands import synth


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose synthesis has written one stack and two modules."""
    out = tmp_path / "cdktf.out"
    files = {
        out / "manifest.json": json.dumps({"stacks": {"a": {"annotations": []}}}),
        out / "stacks/a/cdk.tf.json": "x" * 1234,
        out / "stacks/a/terraform.tfstate": "not ours",
        tmp_path / "generated/iam/versions.tf": "",
        tmp_path / "generated/iam/chart/x.yaml": "",
        tmp_path / "generated/iam/examples/basic/versions.tf": "",
        tmp_path / "generated/json/iam/versions.tf.json": "",
    }
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.setattr(synth, "ROOT", tmp_path)
    monkeypatch.setattr(synth, "_GENERATED", tmp_path / "generated")
    monkeypatch.delenv("CDKTF_OUTDIR", raising=False)
    return tmp_path


LISTED = [
    "cdktf.out/stacks/a/cdk.tf.json  1,234 bytes",
    "generated/iam/  3 files",
    "generated/json/iam/  1 files",
]


def test_the_listing_names_each_stack_file_and_each_module(project: Path) -> None:
    lines = synth.listing(project / "cdktf.out", project / "generated", project)
    assert list(lines) == LISTED


def test_a_path_outside_the_project_is_listed_whole(project: Path, tmp_path: Path) -> None:
    lines = synth.listing(project / "cdktf.out", project / "generated", tmp_path / "elsewhere")
    assert next(lines) == f"{project}/cdktf.out/stacks/a/cdk.tf.json  1,234 bytes"


def steps(monkeypatch: pytest.MonkeyPatch, failing: str | None) -> list[str]:
    """Have the programs that `synth` starts noted instead of run; one of them fails."""
    started: list[str] = []

    def run(*line: str, environ: Mapping[str, str]) -> int:
        assert environ
        started.append(line[-1])
        return 4 if line[-1] == failing else 0

    monkeypatch.setattr(synth, "run", run)
    return started


def test_the_stacks_are_written_and_then_the_modules(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started = steps(monkeypatch, failing=None)
    assert synth.main([]) == 0
    assert started == ["main.py", "commands.publish"]
    said = capsys.readouterr().out.splitlines()
    assert said == ["Wrote:", *(f"  {line}" for line in LISTED)]


@pytest.mark.parametrize(
    ("failing", "expected"),
    [("main.py", ["main.py"]), ("commands.publish", ["main.py", "commands.publish"])],
)
def test_a_step_that_fails_ends_it_with_its_code_and_nothing_is_listed(
    project: Path,
    failing: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    started = steps(monkeypatch, failing)
    assert synth.main([]) == 4
    assert started == expected
    assert capsys.readouterr().out == ""
