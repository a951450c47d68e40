"""The environment in which our commands start other programs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from modules.runtime.node import NodeNotFoundError, find_node

ROOT = Path(__file__).resolve().parent.parent
"""The folder of the project, where every command works."""

_CDKTF = ROOT / "node_modules" / "cdktf-cli" / "bundle" / "bin" / "cdktf"


class CliNotFoundError(RuntimeError):
    """The CDKTF CLI is not installed; the message says how to get it."""

    def __init__(self) -> None:
        super().__init__("The CDKTF CLI was not found in node_modules. Run `make setup`.")


def quiet(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """`environ` for a child that makes no noise, calls nobody, and finds our Python and Node.

    A `TF_CLI_CONFIG_FILE` that names no file is left out: Terraform would complain each time.
    """
    # The first is read by Terraform and the CLI, the second by the CLI alone.
    child = {**environ, "CHECKPOINT_DISABLE": "1", "DISABLE_VERSION_CHECK": "1"}
    folders = [str(Path(sys.executable).parent)]
    if node := find_node(environ):
        child["JSII_NODE"] = node
        folders.append(str(Path(node).parent))
    child["PATH"] = os.pathsep.join([*folders, environ.get("PATH", os.defpath)])
    configuration = environ.get("TF_CLI_CONFIG_FILE")
    if configuration and not Path(configuration).is_file():
        del child["TF_CLI_CONFIG_FILE"]
    return child


def run(*arguments: str, environ: Mapping[str, str]) -> int:
    """Run a Python program of the project; returns its exit code.

    An interrupt reaches the program too, which tells what became of it.
    """
    with subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environ) as program:
        while True:
            try:
                return program.wait()
            except KeyboardInterrupt:
                continue


def cdktf(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The beginning of a command line that runs the CDKTF CLI.

    Raises `NodeNotFoundError` or `CliNotFoundError`.
    """
    node = find_node(environ)
    if node is None:
        raise NodeNotFoundError
    if not _CDKTF.is_file():
        raise CliNotFoundError
    return [node, str(_CDKTF)]
