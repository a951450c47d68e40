"""What diff, deploy and destroy do before the CDKTF CLI, and how they start it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from commands import cluster, deploy, destroy, diff


class Recorder:
    """Stands for the synthesis and for the CLI, and notes how each was called."""

    def __init__(self, out: Path, code: int = 0) -> None:
        self.out = out
        self.code = code
        self.calls: list[str] = []
        self.line: list[str] = []
        self.environ: Mapping[str, str] = {}

    def synthesize(self, environ: Mapping[str, str]) -> int:
        self.calls.append("synthesize")
        if not self.code:
            self.out.mkdir()
            stacks = {name: {"annotations": []} for name in ("one", "two")}
            (self.out / "manifest.json").write_text(json.dumps({"stacks": stacks}))
        return self.code

    def execute(self, line: list[str], environ: Mapping[str, str]) -> int:
        self.calls.append("execute")
        self.line, self.environ = line, environ
        return 7


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDKTF_OUTDIR", str(tmp_path / "out"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("JSII_NODE", "node")
    monkeypatch.setattr("commands.environment._CDKTF", Path(__file__))
    return tmp_path / "out"


@pytest.fixture
def recorder(out: Path) -> Recorder:
    return Recorder(out)


def run(recorder: Recorder, command: str, *argv: str, **options: bool) -> int:
    return cluster.run(
        command, argv, synthesize=recorder.synthesize, execute=recorder.execute, **options
    )


def test_the_cli_starts_after_the_synthesis_and_does_not_synthesize_again(
    recorder: Recorder, out: Path
) -> None:
    assert run(recorder, "diff", "one") == 7
    assert recorder.calls == ["synthesize", "execute"]
    assert recorder.line[2:] == ["diff", "one", "--skip-synth", "--output", str(out)]


def test_all_clusters_are_named_to_the_cli(recorder: Recorder) -> None:
    run(recorder, "deploy", "--all", "--auto-approve", many=True, approval=True)
    assert recorder.line[2:5] == ["deploy", "one", "two"]
    assert "--auto-approve" in recorder.line


def test_options_after_two_dashes_come_last(recorder: Recorder) -> None:
    run(recorder, "diff", "one", "--", "--no-color")
    assert recorder.line[-1] == "--no-color"


def test_a_failed_synthesis_ends_it_with_its_own_code(out: Path) -> None:
    recorder = Recorder(out, code=3)
    assert run(recorder, "diff", "one") == 3
    assert recorder.calls == ["synthesize"]


def test_an_undeclared_cluster_ends_it_before_the_cli(
    recorder: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(recorder, "diff", "onne") == 1
    assert recorder.calls == ["synthesize"]
    assert capsys.readouterr().err == (
        "No cluster onne is declared; there are: one, two. Did you mean one?\n"
    )


def test_without_the_cli_nothing_is_written(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("commands.environment._CDKTF", Path("missing"))
    assert run(recorder, "diff", "one") == 1
    assert recorder.calls == []
    assert capsys.readouterr().err == (
        "The CDKTF CLI was not found in node_modules. Run `make setup`.\n"
    )


def on_terminal(monkeypatch: pytest.MonkeyPatch, *, yes: bool) -> None:
    monkeypatch.setattr("commands.cluster._on_terminal", lambda: yes)


def test_a_command_that_asks_is_refused_where_nobody_can_answer(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_terminal(monkeypatch, yes=False)
    assert run(recorder, "destroy", "one", approval=True) == 1
    assert recorder.calls == []
    assert "Add --auto-approve" in capsys.readouterr().err


def test_on_a_terminal_the_cli_may_ask(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch, yes=True)
    assert run(recorder, "destroy", "one", approval=True) == 7
    assert "CI" not in recorder.environ
    assert "--auto-approve" not in recorder.line


def test_a_command_that_does_not_ask_shows_no_spinner(recorder: Recorder) -> None:
    run(recorder, "diff", "one")
    assert recorder.environ["CI"] == "1"


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        (diff, {"command": "diff", "many": False, "approval": False}),
        (deploy, {"command": "deploy", "many": True, "approval": True}),
        (destroy, {"command": "destroy", "many": False, "approval": True}),
    ],
    ids=["diff", "deploy", "destroy"],
)
def test_only_a_deploy_may_be_for_many_and_only_a_diff_does_not_ask(
    module: Any, expected: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, object] = {}

    def record(command: str, argv: list[str], *, many: bool = False, approval: bool = False) -> int:
        seen.update(command=command, many=many, approval=approval, argv=argv)
        return 0

    monkeypatch.setattr(module, "run", record)
    assert module.main(["x"]) == 0
    assert seen == {**expected, "argv": ["x"]}
