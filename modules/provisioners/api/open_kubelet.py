"""Where the CRD takes any kubelet setting, though the images of most families do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.provisioners.api import codes, verdict
from modules.provisioners.api.alias_rules import alias_family
from modules.provisioners.api.hints import HINTS
from modules.provisioners.api.kind import Judged
from modules.provisioners.api.kubelet import Kubelet
from modules.provisioners.api.node_class import EC2NodeClassSpec
from modules.provisioners.api.shape import shape

OPEN_KUBELET = ("al2023", "AL2023", "Custom")
"""Families whose nodes take any kubelet setting, where the release does."""


def closed_kubelet(spec: Mapping[str, Any], release: Release) -> list[Judged]:
    """What is wrong with the kubelet settings of a class whose family takes no others."""
    kubelet = spec.get("kubelet")
    opened = shape(EC2NodeClassSpec).fields["kubelet"].open_from
    if not isinstance(kubelet, Mapping) or opened is None or not release.at_least(opened):
        return []
    family = spec.get("amiFamily", alias_family(spec))
    if not is_known(family) or family in OPEN_KUBELET:
        return []
    hints = {
        ("", key): hint
        for (place, key), hint in HINTS[names.NODE_CLASS].items()
        if place == "kubelet"
    }
    found = verdict.of_value(Kubelet, kubelet, release, hints)
    return [replace(judged.under("kubelet"), code=codes.CLOSED_KUBELET) for judged in found]
