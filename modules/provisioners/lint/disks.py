"""Rules on the disks of a class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from modules.core.faults import ABSENT, Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.class_view import CLASSES, WINDOWS, disks, family
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity

_BOTTLEROCKET: Final = "Bottlerocket"
_FIRST: Final = "/dev/xvda"
_SECOND: Final = "/dev/xvdb"
_WINDOWS_ROOT: Final = "/dev/sda1"

_ROOTS = {"AL2": _FIRST, "AL2023": _FIRST, WINDOWS: _WINDOWS_ROOT}
"""Family -> the name of its root disk, of those that have one disk."""

_SMALLEST = {"AL2": 20, "AL2023": 20, WINDOWS: 50}
"""Family -> GiB of the snapshot behind its root disk; a volume cannot be smaller."""

_GIB = {"Gi": 1.0, "Ti": 1024.0, "G": 1e9 / 2**30, "T": 1e12 / 2**30}


def _two_disks(node_class: Manifest, _: Context) -> Iterator[Fault]:
    found = disks(node_class)
    given = {look.text(disk, "deviceName") for _, disk in found}
    missing = [name for name in (_FIRST, _SECOND) if name not in given]
    if found and missing and family(node_class) == _BOTTLEROCKET:
        yield Fault(
            ("blockDeviceMappings",),
            f"lack {', '.join(missing)}: Bottlerocket has two disks, and mappings replace the "
            "default ones",
            f"both {_FIRST}, for the system, and {_SECOND}, for containers",
            f"add {' and '.join(missing)}",
        )


def _no_root(node_class: Manifest, _: Context) -> Iterator[Fault]:
    found, kind = disks(node_class), _kind(node_class)
    given = [name for _, disk in found if (name := look.text(disk, "deviceName"))]
    root = _ROOTS.get(kind)
    if given and root is not None and root not in given:
        yield Fault(
            (*found[0][0], "deviceName"),
            f"is not the root disk of {kind}, which none of these mappings is",
            f"{root} among the mappings",
            f"write {root} for the root disk",
            given[0],
        )


def _too_small(node_class: Manifest, _: Context) -> Iterator[Fault]:
    kind = _kind(node_class)
    for path, disk in disks(node_class):
        size = _gib(look.text(disk, "ebs", "volumeSize"))
        if look.text(disk, "deviceName") != _ROOTS.get(kind) or size is None:
            continue
        if size < _SMALLEST.get(kind, 0):
            yield Fault(
                (*path, "ebs", "volumeSize"),
                f"is smaller than the image of {kind}, so that EC2 does not make the volume",
                f"{_SMALLEST[kind]}Gi or more",
                f"write {_SMALLEST[kind]}Gi at least; images need room as well",
                look.text(disk, "ebs", "volumeSize"),
            )


def _open(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for path, disk in disks(node_class):
        ebs = look.mapping(disk, "ebs")
        encrypted = ebs.get("encrypted")
        if ebs and "snapshotID" not in ebs and encrypted in (None, False):
            told = encrypted is False
            yield Fault(
                (*path, "ebs", "encrypted"),
                "is off" if told else "is left out, and only the account's default may encrypt it",
                "true",
                "write encrypted: true, as Karpenter's own default disks have it",
                False if told else ABSENT,
            )


def _left_behind(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for path, disk in disks(node_class):
        if look.at(disk, "ebs", "deleteOnTermination") is False:
            yield Fault(
                (*path, "ebs", "deleteOnTermination"),
                "leaves a volume behind for every node that ever ran",
                "true, or nothing",
                "remove it, unless something collects the volumes",
                False,
            )


def _old_type(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for path, disk in disks(node_class):
        if look.text(disk, "ebs", "volumeType") == "gp2":
            yield Fault(
                (*path, "ebs", "volumeType"),
                "is slower and dearer than gp3",
                "gp3",
                "write gp3",
                "gp2",
            )


def _key_without_grant(node_class: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.kms_permissions:
        return
    for path, disk in disks(node_class):
        key = look.text(disk, "ebs", "kmsKeyID")
        if key is not None and not key.endswith("alias/aws/ebs"):
            yield Fault(
                (*path, "ebs", "kmsKeyID"),
                "is a key of yours, which nothing here lets Karpenter use",
                "a key whose policy lets the controller's role use it for EC2",
                "allow kms:CreateGrant, kms:Decrypt, kms:DescribeKey, kms:GenerateDataKey* and "
                "kms:ReEncrypt* to the controller's role in the key's policy, and say so",
                key,
            )


def _kind(node_class: Manifest) -> str:
    found = family(node_class) or ""
    return WINDOWS if found.startswith(WINDOWS) else found


def _gib(size: str | None) -> float | None:
    found = re.fullmatch(r"([0-9]+)(Gi|Ti|G|T)", size or "")
    return None if found is None else int(found[1]) * _GIB[found[2]]


RULES = (
    LintRule(
        "KPT202",
        "one of Bottlerocket's two disks",
        Severity.WARNING,
        "The other one gets the image's own 2 GiB of gp2, or what pods write fills the small one.",
        "aws/karpenter-provider-aws#8747, #3528",
        CLASSES,
        _two_disks,
    ),
    LintRule(
        "KPT214",
        "mappings without the family's root disk",
        Severity.WARNING,
        "The node gets a second, unused disk, while its root disk stays as small as the image.",
        "aws/karpenter-provider-aws#3528; Karpenter's concepts: blockDeviceMappings",
        CLASSES,
        _no_root,
    ),
    LintRule(
        "KPT215",
        "a root disk smaller than its image",
        Severity.ERROR,
        "EC2 refuses the volume, so that nothing is launched.",
        "EC2: a volume is at least as large as its snapshot; EKS images have 20 GiB, Windows 50",
        CLASSES,
        _too_small,
    ),
    LintRule(
        "KPT216",
        "a disk that is not encrypted",
        Severity.WARNING,
        "Mappings replace Karpenter's own, which are encrypted.",
        "EKS best practices: encrypt volumes; Karpenter's concepts: blockDeviceMappings",
        CLASSES,
        _open,
    ),
    LintRule(
        "KPT217",
        "disks that outlive their nodes",
        Severity.WARNING,
        "Every node that goes leaves a volume to be paid for.",
        "EC2: DeleteOnTermination",
        CLASSES,
        _left_behind,
    ),
    LintRule(
        "KPT218",
        "disks of type gp2",
        Severity.INFO,
        "gp3 costs less, and its speed does not hang on its size.",
        "EBS: volume types",
        CLASSES,
        _old_type,
    ),
    LintRule(
        "KPT219",
        "a key of one's own without permission",
        Severity.WARNING,
        "EC2 ends each instance at once with Client.InternalError, and Karpenter tries for ever.",
        "aws/karpenter-provider-aws#1407, #3767, #5690",
        CLASSES,
        _key_without_grant,
    ),
)
