"""What is known of EC2's instance types, out of a file that `commands/distil_instances.py` writes.

It is as old as the package that it was made from; `SOURCE` says which, and when. Types and zones
that came since are not in it.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from modules.core.names import NODE_CLASS_GROUP

PATH: Final = Path(__file__).with_name("data.json.xz")


@dataclass(frozen=True)
class InstanceType:
    """One instance type.

    Args:
        name: `m5.large`.
        labels: its values of the labels that Karpenter gives its nodes.
        usage: how it can be bought: `on-demand`, `spot`, `capacity-block`.
        interfaces: how many network interfaces it takes.
        addresses: how many IPv4 addresses each of them takes.
        bare_metal: whether it has no hypervisor.
    """

    name: str
    labels: Mapping[str, str]
    usage: tuple[str, ...]
    interfaces: int
    addresses: int
    bare_metal: bool

    @property
    def cpus(self) -> int:
        """vCPUs."""
        return int(self.labels[CPU])

    @property
    def memory(self) -> int:
        """Memory in MiB."""
        return int(self.labels[MEMORY])

    @property
    def most_pods(self) -> int:
        """Most pods with the VPC CNI and an address for each, as EKS computes it."""
        return self.interfaces * (self.addresses - 1) + 2


_GROUP: Final = NODE_CLASS_GROUP
CPU: Final = f"{_GROUP}/instance-cpu"
MEMORY: Final = f"{_GROUP}/instance-memory"
GPU_COUNT: Final = f"{_GROUP}/instance-gpu-count"
GPU_NAME: Final = f"{_GROUP}/instance-gpu-name"
ACCELERATOR_COUNT: Final = f"{_GROUP}/instance-accelerator-count"
ACCELERATOR_NAME: Final = f"{_GROUP}/instance-accelerator-name"


@cache
def types() -> dict[str, InstanceType]:
    """Every known type by name."""
    data = _data()
    names: list[str] = data["labels"]
    return {
        row[0]: InstanceType(
            row[0],
            {
                name: str(value)
                for name, value in zip(names, row[5:], strict=True)
                if value is not None
            },
            tuple(row[1]),
            row[2],
            row[3],
            row[4],
        )
        for row in data["types"]
    }


@cache
def offered(place: str) -> frozenset[str] | None:
    """The types of a region (`us-west-2`) or a zone id (`usw2-az1`); None where it is unknown."""
    bits = _data()["offered"].get(place)
    if bits is None:
        return None
    number, names = int(bits, 16), list(types())
    return frozenset(name for at, name in enumerate(names) if number >> at & 1)


def zones(region: str) -> list[str]:
    """The ids of a region's zones; their names differ between accounts."""
    found: list[str] = _data()["zones"].get(region, [])
    return found


def regions() -> list[str]:
    """Every known region."""
    return list(_data()["zones"])


def source() -> str:
    """What the data was made from, and when."""
    return str(_data()["source"])


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(lzma.decompress(PATH.read_bytes()))
    return data
