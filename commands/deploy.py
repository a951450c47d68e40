"""Apply one cluster, several, or all of them when asked for by name or by --all."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from commands.cluster import run


def main(argv: Sequence[str]) -> int:
    """Returns the exit code, unless the CLI takes over."""
    return run("deploy", argv, many=True, approval=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
