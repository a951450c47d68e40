"""Write the published modules."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from modules.core.faults import INTERRUPTED, InvalidInput
from modules.runtime.node import NodeNotFoundError


def main(argv: Sequence[str]) -> int:
    """Returns the exit code; bad input, a lack of Node and an interrupt are told on stderr."""
    try:
        from stacks import publish  # Starts Node, which may be missing.

        return publish.main(argv)
    except (InvalidInput, NodeNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: nothing was published.", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
