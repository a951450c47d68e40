"""Tell what a deploy needs and this machine lacks, with the fix for each."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from commands.diagnosis import Finding, diagnose
from commands.environment import ROOT, quiet


def run_tool(line: Sequence[str], seconds: float) -> str | None:
    """What a program says on stdout; None when it is missing, fails or takes too long."""
    try:
        done = subprocess.run(
            line,
            env=quiet(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def report(findings: Sequence[Finding]) -> str:
    """A line for each finding, and one more for the fix of what is not well."""
    lines = []
    for finding in findings:
        state = "ok" if finding.ok else "missing" if finding.needed else "note"
        lines.append(f"{state:<8} {finding.what}: {finding.detail}")
        if not finding.ok:
            lines.append(f"         fix: {finding.fix}")
    return "\n".join(lines)


def main(argv: Sequence[str]) -> int:
    """Returns 1 when something that a deploy needs is missing, else 0."""
    argparse.ArgumentParser(prog="pipenv run doctor", description=__doc__).parse_args(argv)
    findings = diagnose(run_tool, os.environ, home=Path.home(), root=ROOT)
    print(report(findings))
    return int(any(finding.needed and not finding.ok for finding in findings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
