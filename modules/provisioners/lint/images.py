"""Rules on the images of a class, and on what its user data says to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.class_view import (
    CLASSES,
    WINDOWS,
    aliases,
    family,
    image_names,
)
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity

_CLASS = (names.NODE_CLASS,)
_LATEST: Final = "latest"
_BOTTLEROCKET: Final = "Bottlerocket"

_IN_NAMES = (
    (re.compile(r"al2023|amazon-linux-2023"), "AL2023"),
    (re.compile(r"bottlerocket", re.IGNORECASE), _BOTTLEROCKET),
    (re.compile(r"amzn2|amazon-eks-(gpu-|arm64-)?node-1\."), "AL2"),
    (re.compile(r"Windows_Server-2019"), "Windows2019"),
    (re.compile(r"Windows_Server-2022"), "Windows2022"),
    (re.compile(r"Windows_Server-2025"), "Windows2025"),
)
"""What names of images hold -> the family of such images."""


def _latest(node_class: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.production is False:
        return
    for alias in aliases(node_class):
        # Windows images have no other version.
        if alias.version == _LATEST and not alias.text.startswith(WINDOWS.lower()):
            yield Fault(
                alias.path,
                "replaces every node when AWS releases an image",
                "an alias with the version of an image, such as al2023@v20250101",
                "pin the version, and raise it cluster by cluster",
                alias.text,
            )


def _newest_by_name(node_class: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.production is False:
        return
    for path, name in image_names(node_class):
        if "*" in name:
            yield Fault(
                path,
                "selects the newest image of many, so that a new one replaces every node",
                "the whole name of an image, or an alias with its version",
                "write the name out, and change it when the image has been tested",
                name,
            )


def _other_family(node_class: Manifest, _: Context) -> Iterator[Fault]:
    given = family(node_class)
    if given is None or given == "Custom":
        return
    for path, name in image_names(node_class):
        told = next((known for form, known in _IN_NAMES if form.search(name)), given)
        if told != given:
            yield Fault(
                path,
                f"names images of {told}, while amiFamily is {given}",
                "images of the family",
                f"set amiFamily to {told}, or select images of {given}",
                name,
            )


def _custom_silent(node_class: Manifest, _: Context) -> Iterator[Fault]:
    if family(node_class) == "Custom" and "userData" not in node_class.spec:
        yield Fault(
            ("userData",),
            "is missing, and Karpenter adds nothing to images of the family Custom",
            "user data that joins the node to the cluster",
            "write it, or name the family that the images are built from",
        )


_UNREGISTERED: Final = "karpenter.sh/unregistered"


def _custom_unregistered(node_class: Manifest, _: Context) -> Iterator[Fault]:
    text = look.text(node_class.spec, "userData")
    if family(node_class) == "Custom" and text and _UNREGISTERED not in text:
        yield Fault(
            ("userData",),
            f"does not register the node with the taint {_UNREGISTERED}",
            f"a kubelet that registers with {_UNREGISTERED}:NoExecute",
            f"pass --register-with-taints={_UNREGISTERED}:NoExecute to the kubelet",
            text,
        )


RULES = (
    LintRule(
        "KPT201",
        "an alias that follows the newest image",
        Severity.WARNING,
        "The night AWS releases an image, every node of every such cluster drifts and is replaced.",
        "aws/karpenter-provider-aws#6952, #6862; EKS best practices: pin images in production",
        _CLASS,
        _latest,
    ),
    LintRule(
        "KPT210",
        "images by a name with a wildcard",
        Severity.WARNING,
        "The newest of them is taken, so that a new image replaces every node at once.",
        "aws/karpenter-provider-aws#6952",
        CLASSES,
        _newest_by_name,
    ),
    LintRule(
        "KPT209",
        "images of another family than amiFamily",
        Severity.ERROR,
        "The user data is written for the family, the image cannot read it, and no node joins.",
        "aws/karpenter-provider-aws#7660",
        CLASSES,
        _other_family,
    ),
    LintRule(
        "KPT206",
        "Custom images without user data",
        Severity.ERROR,
        "Nothing joins the node to the cluster, and Karpenter ends it after a while.",
        "Karpenter's concepts: amiFamily Custom",
        CLASSES,
        _custom_silent,
    ),
    LintRule(
        "KPT207",
        "Custom images whose kubelet registers without Karpenter's taint",
        Severity.ERROR,
        "Karpenter refuses to register the node, because pods may run there too early.",
        "Karpenter's v1 migration guide: karpenter.sh/unregistered",
        _CLASS,
        _custom_unregistered,
        since="1.0.0",
    ),
)
