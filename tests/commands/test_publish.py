"""`publish` tells bad input as a message, not as a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from commands import publish
from commands.environment import ROOT
from modules.core.faults import Fault, InvalidInput


def test_bad_input_of_the_publisher_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = InvalidInput([Fault(("version",), "is not known", "a known one", "choose one")])

    def refuse(argv: Sequence[str]) -> int:
        raise error

    monkeypatch.setattr("stacks.publish.main", refuse)
    assert publish.main([]) == 1
    assert capsys.readouterr().err == f"{error}\n"


def test_an_interrupt_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(argv: Sequence[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("stacks.publish.main", interrupted)
    assert publish.main([]) == 130
    assert capsys.readouterr().err == "Interrupted: nothing was published.\n"


def test_a_node_that_is_none_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "commands.publish", "--out", str(tmp_path / "out")],
        cwd=ROOT,
        env={**os.environ, "JSII_NODE": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Node was not found")
    assert "Traceback" not in done.stderr
