"""Write the published modules."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from modules.core.faults import InvalidInput
from stacks import publish


def main(argv: Sequence[str]) -> int:
    """Returns the exit code; bad input is told on stderr."""
    try:
        return publish.main(argv)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
