"""What diff, deploy and destroy have in common: validate, synthesize, then run the CDKTF CLI."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from commands.environment import ROOT, CliNotFoundError, cdktf, quiet
from commands.selection import Selection, WrongSelectionError, parse
from commands.synth import synthesize
from modules.runtime.node import NodeNotFoundError
from stacks.manifest import declared_stacks
from stacks.output import output_folder

Step = Callable[[Mapping[str, str]], int]
Execute = Callable[[list[str], Mapping[str, str]], int]


def become(line: list[str], environ: Mapping[str, str]) -> int:
    """Put the program in the place of this process; never returns.

    So an interrupt reaches Terraform through the CLI, and nothing in between ends it in the middle
    of an apply.
    """
    os.chdir(ROOT)
    os.execve(line[0], line, environ)


def run(
    command: str,
    argv: Sequence[str],
    *,
    many: bool = False,
    approval: bool = False,
    synthesize: Step = synthesize,
    execute: Execute = become,
) -> int:
    """Run a command of the CLI for the clusters that `argv` names; returns the exit code.

    Args:
        command: the CLI's name for it.
        argv: the command line after the command.
        many: whether several clusters, or all, may be named.
        approval: whether the command asks before it acts.
        synthesize: writes the stacks, or tells on stderr why not and returns an exit code.
        execute: runs the CLI.
    """
    selection = parse(command, argv, many=many, approval=approval)
    asks = approval and not selection.auto_approve
    if asks and not _on_terminal():
        return _refuse(
            f"{command} asks before it acts, which takes a terminal. Add --auto-approve."
        )
    environ = quiet()
    try:
        line = cdktf(environ)
        if code := synthesize(environ):
            return code
        stacks = selection.stacks(declared_stacks(ROOT / output_folder(environ)))
    except (NodeNotFoundError, CliNotFoundError, WrongSelectionError) as error:
        return _refuse(str(error))
    if not asks:
        environ["CI"] = "1"  # No spinner. With it the CLI could not ask, either.
    return execute([*line, *arguments(command, stacks, selection, environ)], environ)


def arguments(
    command: str, stacks: Sequence[str], selection: Selection, environ: Mapping[str, str]
) -> list[str]:
    """The arguments of the CLI. It must not synthesize again, which `synthesize` has done.

    Its own synthesis would also delete the folders of undeclared stacks.
    """
    approve = ["--auto-approve"] if selection.auto_approve else []
    output = str(output_folder(environ))
    return [command, *stacks, "--skip-synth", "--output", output, *approve, *selection.passed_on]


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return 1
