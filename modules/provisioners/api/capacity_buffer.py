"""CapacityBuffer (autoscaling.x-k8s.io/v1beta1): room kept free for pods that may come.

Field names are the API's. Source: the CapacityBuffer CRD of Karpenter 1.14.
"""

from __future__ import annotations

from typing import Annotated

from modules.core.catalogue import Release
from modules.core.inputs import Settings
from modules.provisioners.api.fields import NOT_EMPTY, Quantity, at_least
from modules.provisioners.api.marks import Default
from modules.provisioners.api.rules import SpecRule, has

COUNT = at_least("buffer_count", 0, unit="pods", fix="use 0 or more")
SHARE = at_least("buffer_share", 0, unit="percent", fix="use 0 or more")


class PodTemplateRef(Settings):
    """A PodTemplate of the same namespace."""

    name: Annotated[str, NOT_EMPTY]
    """Name of the template."""


class ScalableRef(Settings):
    """A workload of the same namespace."""

    kind: Annotated[str, NOT_EMPTY]
    """Kind of the workload."""

    name: Annotated[str, NOT_EMPTY]
    """Name of the workload."""

    api_group: str | None = None
    """API group of the workload."""


class CapacityBufferSpec(Settings):
    """The spec of a CapacityBuffer."""

    pod_template_ref: PodTemplateRef | None = None
    """What the pods are like that room is kept for."""

    scalable_ref: ScalableRef | None = None
    """The workload whose pods room is kept for."""

    replicas: Annotated[int, COUNT] | None = None
    """How many pods room is kept for."""

    percentage: Annotated[int, SHARE] | None = None
    """How many pods room is kept for, in percent of the workload's."""

    limits: dict[str, Quantity] | None = None
    """Most resources that are kept free."""

    provisioning_strategy: Annotated[str | None, Default("buffer.x-k8s.io/active-capacity")] = None
    """How the room is kept."""


_RULES = [
    SpecRule(
        "buffer_size",
        "",
        "podTemplateRef needs replicas or limits",
        "replicas, limits or both with podTemplateRef",
        "give replicas",
        check=lambda spec: not has(spec, "podTemplateRef") or has(spec, "replicas", "limits"),
        condition="try({v}.podTemplateRef, null) == null || try({v}.replicas, null) != null || "
        "try({v}.limits, null) != null",
        blame="replicas",
    ),
    SpecRule(
        "one_pod_source",
        "",
        "podTemplateRef and scalableRef exclude one another",
        "podTemplateRef or scalableRef",
        "remove one of them",
        check=lambda spec: not (has(spec, "podTemplateRef") and has(spec, "scalableRef")),
        condition="try({v}.podTemplateRef, null) == null || try({v}.scalableRef, null) == null",
        blame="scalableRef",
    ),
]


def buffer_rules(release: Release) -> list[SpecRule]:
    """The rules of this release."""
    return [rule for rule in _RULES if rule.holds_for(release)]
