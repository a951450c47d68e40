"""All that must hold before a commit: format, lint, types, tests. Stops at the first that fails."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence

from commands.environment import ROOT, quiet

Runner = Callable[[Sequence[str]], int]


def steps(pytest_arguments: Sequence[str]) -> list[list[str]]:
    """The commands in order: the quick ones first, pytest last so that its summary ends it."""
    return [
        ["ruff", "format", "--check", "--quiet", "."],
        ["ruff", "check", "--quiet", "."],
        ["mypy"],
        ["pytest", *pytest_arguments],
    ]


def check(pytest_arguments: Sequence[str], run: Runner) -> int:
    """Run the steps; returns the exit code of the first that fails, else 0."""
    for step in steps(pytest_arguments):
        if code := run([sys.executable, "-m", *step]):
            return code
    return 0


def main(argv: Sequence[str]) -> int:
    """`argv` goes to pytest."""
    environ = quiet()

    def run(line: Sequence[str]) -> int:
        return subprocess.run(line, cwd=ROOT, env=environ, check=False).returncode

    return check(argv, run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
