"""Write the file of instance data anew, out of the installed moto (a development dependency)."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Sequence
from importlib import metadata, resources
from typing import Any

from modules.provisioners.instances.data import PATH
from modules.provisioners.instances.distil import distilled

_OFFERINGS = "instance_type_offerings"


def content(date: str) -> bytes:
    """The content of the file.

    Args:
        date: of when the data is, as YYYY-MM-DD.
    """
    folder = resources.files("moto.ec2").joinpath("resources")
    by_zone: dict[str, dict[str, list[str]]] = {}
    by_region: dict[str, list[str]] = {}
    for file in folder.joinpath(_OFFERINGS, "availability-zone-id").iterdir():
        region = file.name.partition(".")[0]
        for row in _read(file):
            by_zone.setdefault(region, {}).setdefault(row["Location"], []).append(
                row["InstanceType"]
            )
    for file in folder.joinpath(_OFFERINGS, "region").iterdir():
        region = file.name.partition(".")[0]
        by_region[region] = [row["InstanceType"] for row in _read(file)]
    described = _read(folder.joinpath("instance_types.json.gz"))
    source = f"moto {metadata.version('moto')}, {date}"
    return distilled(described, by_region, by_zone, source)


def _read(file: Any) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))


def main(argv: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="pipenv run distil-instances", description=__doc__)
    parser.add_argument("--date", required=True, help="of when moto's data is, as YYYY-MM-DD")
    PATH.write_bytes(content(parser.parse_args(argv).date))
    print(f"Wrote {PATH.name}: {PATH.stat().st_size:,} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
