"""Tell which instance types pools can launch, and what each of their requirements takes away.

Pools are those of manifests and of cluster files. Their types are what this project knows of EC2,
as of the date that is shown; `pods` is what the VPC CNI has addresses for without prefix
delegation. Zones are told by id, since their names differ between accounts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from modules.core.catalogue import Release, find
from modules.core.faults import Fault, InvalidInput
from stacks.instances.pools import pools
from stacks.instances.show import as_json, as_text


def main(argv: Sequence[str]) -> int:
    """Returns 1 when the input cannot be read or a pool can launch nothing, else 0."""
    parser = argparse.ArgumentParser(
        prog="pipenv run instances",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="a file or a folder")
    parser.add_argument("--pool", metavar="NAME", help="only the pools of this name")
    parser.add_argument(
        "--region", metavar="R", help="only types of this region; a cluster says its own"
    )
    parser.add_argument(
        "--karpenter-version", metavar="V", help="release that reads manifests, for --budgets"
    )
    parser.add_argument(
        "--budgets", action="store_true", help="show the week of each pool's disruption budgets too"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    given = parser.parse_args(argv)
    try:
        found = pools(given.paths, given.pool, given.region, _release(given.karpenter_version))
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 1
    print(as_json(found) if given.format == "json" else as_text(found, budgets=given.budgets))
    return int(any(not pool.selection.types for pool in found))


def _release(version: str | None) -> Release | None:
    if version is None:
        return None
    found = find(version, "--karpenter-version")
    if isinstance(found, Fault):
        raise InvalidInput([found], "the command line")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
