"""Show what Terraform would change for one cluster."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from commands.cluster import run


def main(argv: Sequence[str]) -> int:
    """Returns the exit code, unless the CLI takes over."""
    return run("diff", argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
