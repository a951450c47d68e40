"""The kubelet settings of an EC2NodeClass, as Karpenter 1.0 to 1.14 know them.

From 1.15 on the CRD takes any kubelet setting, but Karpenter still applies only these to
the nodes of every AMI family except AL2023 and Custom.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import between
from modules.provisioners.api.fields import (
    EVICTION_VALUE,
    GO_DURATION,
    INT32_MAX,
    RESERVED_QUANTITY,
    at_least,
)
from modules.provisioners.api.marks import words

EVICTION_SIGNAL = words(
    "eviction_signal",
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
    fix="use a signal that Karpenter knows",
)
RESERVED_RESOURCE = words(
    "reserved_resource",
    "cpu",
    "memory",
    "ephemeral-storage",
    "pid",
    fix="reserve only these resources",
)
PERCENT = between("percent", 0, 100, unit="percent", fix="write it without the percent sign")
PODS = at_least("pods", 0, unit="pods", fix="use 0 or more")
SECONDS = between(
    "seconds", -INT32_MAX - 1, INT32_MAX, unit="seconds", fix="write a whole number of seconds"
)

Evictions = dict[Annotated[str, EVICTION_SIGNAL], Annotated[str, EVICTION_VALUE]]
Reserved = dict[Annotated[str, RESERVED_RESOURCE], Annotated[str, RESERVED_QUANTITY]]


class Kubelet(Settings):
    """Settings of the kubelet on each node."""

    cluster_dns: list[str] | None = Field(default=None, alias="clusterDNS")
    """Addresses of the cluster's DNS service."""

    max_pods: Annotated[int, PODS] | None = None
    """Most pods on a node."""

    pods_per_core: Annotated[int, PODS] | None = None
    """Most pods for each core; Bottlerocket ignores it."""

    system_reserved: Reserved | None = None
    """Resources kept for the operating system."""

    kube_reserved: Reserved | None = None
    """Resources kept for Kubernetes' own daemons."""

    eviction_hard: Evictions | None = None
    """Thresholds below which pods are evicted at once."""

    eviction_soft: Evictions | None = None
    """Thresholds below which pods are evicted after the signal's grace period."""

    eviction_soft_grace_period: (
        dict[Annotated[str, EVICTION_SIGNAL], Annotated[str, GO_DURATION]] | None
    ) = None
    """Grace period of each signal in evictionSoft."""

    eviction_max_pod_grace_period: Annotated[int, SECONDS] | None = None
    """Most seconds that a pod gets to end when a soft threshold is met."""

    image_gc_high_threshold_percent: Annotated[int, PERCENT] | None = Field(
        default=None, alias="imageGCHighThresholdPercent"
    )
    """Disk use above which unused images are always removed."""

    image_gc_low_threshold_percent: Annotated[int, PERCENT] | None = Field(
        default=None, alias="imageGCLowThresholdPercent"
    )
    """Disk use below which images are never removed."""

    cpu_cfs_quota: bool | None = Field(default=None, alias="cpuCFSQuota")
    """Whether CPU limits of containers are enforced."""
