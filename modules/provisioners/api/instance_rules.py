"""Rules on the disks, network interfaces and kubelet of an EC2NodeClass.

Sources: Karpenter's CRDs; for what each volume type takes, EC2's CreateVolume reference.
"""

from __future__ import annotations

from typing import Any

from modules.provisioners.api import codes
from modules.provisioners.api.rules import SpecRule, has, listed

_WITH_IOPS = ("gp3", "io1", "io2")
_NEEDS_IOPS = ("io1", "io2")
_EBS = "blockDeviceMappings[].ebs"


def disk_rules() -> list[SpecRule]:
    """Rules on blockDeviceMappings."""
    return [
        SpecRule(
            "one_root_volume",
            "blockDeviceMappings",
            "more than one root volume",
            "rootVolume: true in one mapping at most",
            "keep it on the disk that pods' ephemeral storage lies on",
            check=lambda devices: sum(_is(device, "rootVolume", True) for device in devices) <= 1,
            condition="length([for device in {v} : device if "
            "try(device.rootVolume, null) == true]) <= 1",
            kind=list,
        ),
        SpecRule(
            "volume_has_size",
            _EBS,
            "has neither a size nor a snapshot",
            "volumeSize, snapshotID or both",
            "give volumeSize",
            check=lambda ebs: has(ebs, "snapshotID", "volumeSize"),
            condition="try({v}.snapshotID, null) != null || try({v}.volumeSize, null) != null",
        ),
        SpecRule(
            "initialization_needs_snapshot",
            _EBS,
            "volumeInitializationRate needs a snapshot",
            "volumeInitializationRate together with snapshotID",
            "give snapshotID or remove volumeInitializationRate",
            check=lambda ebs: not has(ebs, "volumeInitializationRate") or ebs.get("snapshotID"),
            condition="try({v}.volumeInitializationRate, null) == null || "
            'try(coalesce({v}.snapshotID, ""), "") != ""',
            blame="volumeInitializationRate",
            since="1.5.0",
        ),
        SpecRule(
            "iops_of_type",
            _EBS,
            "this volume type takes no iops",
            f"iops with {', '.join(_WITH_IOPS)}",
            "remove iops or change volumeType",
            check=lambda ebs: not has(ebs, "iops") or ebs.get("volumeType", "gp3") in _WITH_IOPS,
            condition="try({v}.iops, null) == null || try({v}.volumeType, null) == null ? true : "
            f"contains({listed(_WITH_IOPS)}, {{v}}.volumeType)",
            reads=("volumeType",),
            blame="iops",
            code=codes.IDLE_IOPS,
        ),
        SpecRule(
            "iops_needed",
            _EBS,
            "this volume type needs iops",
            f"iops with {' and '.join(_NEEDS_IOPS)}",
            "give iops or change volumeType to gp3",
            check=lambda ebs: ebs.get("volumeType") not in _NEEDS_IOPS or has(ebs, "iops"),
            condition="try({v}.volumeType, null) == null ? true : "
            f"!contains({listed(_NEEDS_IOPS)}, {{v}}.volumeType) || try({{v}}.iops, null) != null",
            reads=("volumeType",),
            blame="iops",
            code=codes.MISSING_IOPS,
        ),
        SpecRule(
            "throughput_of_type",
            _EBS,
            "this volume type takes no throughput",
            "throughput with gp3",
            "remove throughput or change volumeType",
            check=lambda ebs: not has(ebs, "throughput") or ebs.get("volumeType", "gp3") == "gp3",
            condition="try({v}.throughput, null) == null || try({v}.volumeType, null) == null || "
            'try({v}.volumeType == "gp3", false)',
            reads=("volumeType",),
            blame="throughput",
            code=codes.IDLE_THROUGHPUT,
        ),
        SpecRule(
            "key_needs_encryption",
            _EBS,
            "a key is given, but encryption is off",
            "kmsKeyID with encrypted: true",
            "set encrypted to true or remove kmsKeyID",
            check=lambda ebs: not has(ebs, "kmsKeyID") or ebs.get("encrypted") is not False,
            condition="try({v}.kmsKeyID, null) == null || try({v}.encrypted, null) != false",
            blame="encrypted",
            code=codes.IDLE_KEY,
        ),
    ]


def interface_rules() -> list[SpecRule]:
    """Rules on networkInterfaces."""
    return [
        SpecRule(
            "primary_interface",
            "networkInterfaces",
            "there is no primary interface",
            "one of type interface with deviceIndex 0 and networkCardIndex 0",
            "add the primary interface",
            check=lambda items: not items or any(_primary(item) for item in items),
            condition="length({v}) == 0 || anytrue([for i in {v} : try(i.deviceIndex == 0 && "
            'i.networkCardIndex == 0 && i.interfaceType == "interface", false)])',
            kind=list,
        ),
        SpecRule(
            "distinct_interfaces",
            "networkInterfaces",
            "two interfaces are in the same place",
            "each pair of networkCardIndex and deviceIndex once",
            "give the interfaces different device indexes",
            check=lambda items: _distinct(items, "networkCardIndex", "deviceIndex"),
            condition='length(distinct([for n, i in {v} : try("${i.networkCardIndex}/'
            '${i.deviceIndex}", tostring(n))])) == length({v})',
            kind=list,
        ),
        SpecRule(
            "one_efa_a_card",
            "networkInterfaces",
            "a network card has more than one efa-only interface",
            "one efa-only interface for each networkCardIndex",
            "put the interfaces on different cards",
            check=lambda items: _distinct(
                [item for item in items if _is(item, "interfaceType", "efa-only")],
                "networkCardIndex",
            ),
            condition="length(distinct([for i in {v} : i.networkCardIndex if i.interfaceType == "
            '"efa-only"])) == length([for i in {v} : i if i.interfaceType == "efa-only"])',
            kind=list,
        ),
    ]


def kubelet_rules(at: str) -> list[SpecRule]:
    """Rules on the kubelet settings that stand at this place."""
    low, high = "imageGCLowThresholdPercent", "imageGCHighThresholdPercent"
    soft, grace = "evictionSoft", "evictionSoftGracePeriod"
    return [
        SpecRule(
            "image_thresholds",
            at,
            f"{high} is not above {low}",
            f"{high} greater than {low}",
            "raise the one or lower the other",
            check=lambda k: not (_whole(k, low) and _whole(k, high)) or k[high] > k[low],
            condition=f"try({{v}}.{low}, null) == null || try({{v}}.{high}, null) == null ? true : "
            f"{{v}}.{high} > {{v}}.{low}",
            reads=(low, high),
            blame=high,
        ),
        SpecRule(
            "soft_eviction_pairs",
            at,
            f"{soft} and {grace} do not name the same signals",
            f"the same signals in {soft} and {grace}",
            "give each soft threshold a grace period, and no other",
            check=lambda k: _keys(k, soft) == _keys(k, grace),
            condition=f"jsonencode(sort(try(keys({{v}}.{soft}), []))) == "
            f"jsonencode(sort(try(keys({{v}}.{grace}), [])))",
            reads=(soft, grace),
            blame=grace,
        ),
    ]


def _is(value: Any, key: str, expected: object) -> bool:
    return has(value, key) and value[key] == expected


def _whole(value: Any, key: str) -> bool:
    return has(value, key) and isinstance(value[key], int)


def _primary(item: Any) -> bool:
    return (
        _is(item, "deviceIndex", 0)
        and _is(item, "networkCardIndex", 0)
        and _is(item, "interfaceType", "interface")
    )


def _distinct(items: list[Any], *keys: str) -> bool:
    """Whether no two of the items have the same values under the keys."""
    places = [str([item[key] for key in keys]) for item in items if all(has(item, k) for k in keys)]
    return len(set(places)) == len(places)


def _keys(value: Any, key: str) -> set[str]:
    inner = value.get(key)
    return set(inner) if isinstance(inner, dict) else set()
