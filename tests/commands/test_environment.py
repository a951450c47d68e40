"""The environment of the programs we start: quiet, and with our own Python and Node first."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from commands import environment
from commands.environment import cdktf, quiet
from modules.runtime.node import NodeNotFoundError


@pytest.fixture
def node(tmp_path: Path) -> str:
    return str(tmp_path / "node" / "bin" / "node")


def test_no_program_we_start_calls_home(node: str) -> None:
    child = quiet({"JSII_NODE": node})
    assert child["CHECKPOINT_DISABLE"] == "1"
    assert child["DISABLE_VERSION_CHECK"] == "1"


def test_our_python_and_node_come_before_those_on_path(node: str) -> None:
    child = quiet({"JSII_NODE": node, "PATH": "/usr/bin"})
    assert child["PATH"].split(os.pathsep) == [
        str(Path(sys.executable).parent),
        str(Path(node).parent),
        "/usr/bin",
    ]


def test_what_the_user_set_stays(node: str) -> None:
    assert quiet({"JSII_NODE": node, "AWS_PROFILE": "mine"})["AWS_PROFILE"] == "mine"


def test_a_terraform_configuration_that_exists_is_kept(node: str, tmp_path: Path) -> None:
    file = tmp_path / "terraformrc"
    file.touch()
    child = quiet({"JSII_NODE": node, "TF_CLI_CONFIG_FILE": str(file)})
    assert child["TF_CLI_CONFIG_FILE"] == str(file)


def test_a_terraform_configuration_that_does_not_exist_is_left_out(
    node: str, tmp_path: Path
) -> None:
    child = quiet({"JSII_NODE": node, "TF_CLI_CONFIG_FILE": str(tmp_path / "none")})
    assert "TF_CLI_CONFIG_FILE" not in child


def test_the_cli_is_run_by_the_node_that_was_found(
    node: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = tmp_path / "cdktf"
    cli.touch()
    monkeypatch.setattr(environment, "_CDKTF", cli)
    assert cdktf({"JSII_NODE": node}) == [node, str(cli)]


def test_without_a_node_the_fix_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_node", lambda environ: None)
    with pytest.raises(NodeNotFoundError, match="make setup"):
        cdktf({})


def test_a_program_that_is_interrupted_tells_of_it_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A terminal interrupts the parent and the child at once; here, the parent first."""
    program = "import os, signal, time\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(0.2)\n"
    (tmp_path / "child.py").write_text(f"{program}raise SystemExit(130)\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    assert environment.run("child.py", environ=os.environ) == 130
