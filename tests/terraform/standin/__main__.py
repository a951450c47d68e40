"""``python -m tests.terraform.standin aws``: the provider as a process that Terraform starts.

With STANDIN_ADDRESS_AWS set it forwards to a stand-in that runs already, so that its state is
shared; without, it has a moto of its own, which ends with it (enough for validate and plan).
"""

from __future__ import annotations

import os
import sys

from . import forward, handshake


def main(name: str) -> None:
    if address := os.environ.get(handshake.ADDRESS_VARIABLE + name.upper()):
        handshake.serve(lambda done: forward.new_server(address, done))
    # Only here: boto3 and moto take most of a second to load.
    from .aws.mock import mocked_aws
    from .server import new_server
    from .world import World

    with mocked_aws():
        handshake.serve(lambda done: new_server(name, World(), done))


if __name__ == "__main__":
    main(sys.argv[1])
