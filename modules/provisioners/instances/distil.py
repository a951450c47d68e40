"""The file of instance data, out of EC2's own answers as a package has them.

Labels are computed as Karpenter does (its file `pkg/providers/instancetype/types.go`).
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from modules.core import names
from modules.provisioners.instances.data import (
    ACCELERATOR_COUNT,
    ACCELERATOR_NAME,
    CPU,
    GPU_COUNT,
    GPU_NAME,
    MEMORY,
)

_GROUP: Final = names.NODE_CLASS_GROUP
_SCHEME: Final = re.compile(r"(^[a-z]+)(-[0-9]+tb)?([0-9]+).*\.")
"""Category and generation in the name of a type, as Karpenter reads it."""
_ARCHITECTURES: Final = {"x86_64": "amd64", "arm64": "arm64"}

LABELS: Final = (
    names.INSTANCE_TYPE_LABEL,
    names.ARCH_LABEL,
    CPU,
    MEMORY,
    *(
        f"{_GROUP}/instance-{label}"
        for label in (
            *("category", "family", "generation", "size"),
            *("cpu-manufacturer", "cpu-sustained-clock-speed-mhz"),
            *("hypervisor", "encryption-in-transit-supported", "capability-flex"),
            *("ebs-bandwidth", "network-bandwidth", "local-nvme"),
            *("gpu-manufacturer", "gpu-memory", "accelerator-manufacturer"),
        )
    ),
    GPU_NAME,
    GPU_COUNT,
    ACCELERATOR_NAME,
    ACCELERATOR_COUNT,
)
"""The labels of instance types, in the order of the file."""


def distilled(
    described: Mapping[str, Mapping[str, Any]],
    by_region: Mapping[str, list[str]],
    by_zone: Mapping[str, Mapping[str, list[str]]],
    source: str,
) -> bytes:
    """The content of the file.

    Args:
        described: EC2's descriptions of the types by name.
        by_region: the types that each region offers.
        by_zone: for each region, the types that each of its zone ids offers.
        source: what all this is from, and of when.
    """
    rows = [row for _, info in sorted(described.items()) for row in _rows(info)]
    order = {row[0]: at for at, row in enumerate(rows)}

    def bits(found: list[str]) -> str:
        return f"{sum(1 << order[name] for name in set(found) if name in order):x}"

    data = {
        "source": source,
        "labels": list(LABELS),
        "types": rows,
        "zones": {region: sorted(zones) for region, zones in sorted(by_zone.items())},
        "offered": {
            **{region: bits(found) for region, found in sorted(by_region.items())},
            **{
                zone: bits(found)
                for _, zones in sorted(by_zone.items())
                for zone, found in sorted(zones.items())
            },
        },
    }
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def _rows(info: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The row of a type; none of one that no node can be."""
    found = info["ProcessorInfo"]["SupportedArchitectures"]
    arch = next((_ARCHITECTURES[a] for a in reversed(found) if a in _ARCHITECTURES), None)
    if arch is None or "hvm" not in info["SupportedVirtualizationTypes"]:
        return
    labels = {**_computed(info), names.ARCH_LABEL: arch}
    network = info["NetworkInfo"]
    cards = network["NetworkCards"]
    default = network.get("DefaultNetworkCardIndex", 0)
    interfaces = next(
        c["MaximumNetworkInterfaces"] for c in cards if c["NetworkCardIndex"] == default
    )
    yield [
        info["InstanceType"],
        sorted(info["SupportedUsageClasses"]),
        interfaces,
        network["Ipv4AddressesPerInterface"],
        bool(info["BareMetal"]),
        *(labels.get(name) for name in LABELS),
    ]


def _computed(info: Mapping[str, Any]) -> dict[str, Any]:
    name = str(info["InstanceType"])
    family, _, size = name.partition(".")
    scheme = _SCHEME.match(name)
    processor = info["ProcessorInfo"]
    clock = processor.get("SustainedClockSpeedInGhz")
    ebs = info["EbsInfo"].get("EbsOptimizedInfo", {})
    card = info["NetworkInfo"]["NetworkCards"][0].get("BaselineBandwidthInGbps")
    storage = info.get("InstanceStorageInfo", {})
    nvme = storage.get("NvmeSupport", "unsupported") != "unsupported"
    found: dict[str, Any] = {
        names.INSTANCE_TYPE_LABEL: name,
        CPU: info["VCpuInfo"]["DefaultVCpus"],
        MEMORY: info["MemoryInfo"]["SizeInMiB"],
    }
    found |= {
        f"{_GROUP}/instance-{label}": value
        for label, value in {
            "category": scheme and scheme[1],
            "generation": scheme and int(scheme[3]),
            "family": family,
            "size": size,
            "cpu-manufacturer": str(processor.get("Manufacturer", "")).lower() or None,
            "cpu-sustained-clock-speed-mhz": clock and round(clock * 1000),
            "hypervisor": info.get("Hypervisor", ""),
            "encryption-in-transit-supported": _text(
                info["NetworkInfo"]["EncryptionInTransitSupported"]
            ),
            "capability-flex": _text("-flex" in family),
            "ebs-bandwidth": ebs.get("MaximumBandwidthInMbps"),
            "network-bandwidth": card and round(card * 1000),
            "local-nvme": storage.get("TotalSizeInGB") if nvme else None,
        }.items()
    }
    return found | _gpu(info) | _accelerator(info)


def _gpu(info: Mapping[str, Any]) -> dict[str, Any]:
    for gpu in info.get("GpuInfo", {}).get("Gpus", ()):
        return {
            GPU_NAME: _kebab(gpu["Name"]),
            GPU_COUNT: gpu["Count"],
            f"{_GROUP}/instance-gpu-manufacturer": _kebab(gpu["Manufacturer"]),
            f"{_GROUP}/instance-gpu-memory": gpu["MemoryInfo"]["SizeInMiB"],
        }
    return {}


def _accelerator(info: Mapping[str, Any]) -> dict[str, Any]:
    neuron = info.get("NeuronInfo", {}).get("NeuronDevices", ())
    for device in neuron or info.get("InferenceAcceleratorInfo", {}).get("Accelerators", ()):
        return {
            ACCELERATOR_NAME: _kebab(device["Name"]),
            ACCELERATOR_COUNT: device["Count"],
            f"{_GROUP}/instance-accelerator-manufacturer": "aws",
        }
    return {}


def _kebab(text: str) -> str:
    return text.lower().replace(" ", "-")


def _text(value: bool) -> str:
    return str(value).lower()
