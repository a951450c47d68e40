"""Karpenter's Provisioner (karpenter.sh/v1alpha5): what a NodePool was before 0.32.

Field names are Karpenter's. Source: the Provisioner CRDs of Karpenter 0.14 to 0.32; what its
admission webhook refused besides, by the validation code of 0.16.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from modules.core.inputs import Settings
from modules.core.rules import between
from modules.provisioners.api.fields import (
    ANY_TEXT,
    INT64_MAX,
    LABEL_KEY,
    LABEL_VALUE,
    TIMESTAMP,
    Quantity,
    at_least,
)
from modules.provisioners.api.kubelet import (
    EVICTION_SIGNAL,
    PERCENT,
    PODS,
    RESERVED_RESOURCE,
    SECONDS,
)
from modules.provisioners.api.marks import RequiredFrom, Since, admitted, dated, words

OPERATOR = words(
    "alpha_operator",
    "In",
    "NotIn",
    "Exists",
    "DoesNotExist",
    "Gt",
    "Lt",
    fix="write the operator as Kubernetes spells it",
)
EFFECT = words(
    "alpha_effect",
    "NoSchedule",
    "PreferNoSchedule",
    "NoExecute",
    "",
    fix="write the effect as Kubernetes spells it",
)
INT32 = between("int32", -(2**31), 2**31 - 1, unit="pods", fix="write a number of pods, 0 or more")
MAX_PODS = dated(("0.14.0", INT32), ("0.16.0", PODS))
TTL = admitted(
    at_least("ttl", 0, unit="seconds", fix="write the number of seconds", high=INT64_MAX),
    between("int64", -INT64_MAX - 1, INT64_MAX, unit="seconds", fix="write a number of seconds"),
)

Label = Annotated[str, admitted(LABEL_KEY, ANY_TEXT)]
Value = Annotated[str, admitted(LABEL_VALUE, ANY_TEXT)]
Reserved = dict[Annotated[str, admitted(RESERVED_RESOURCE, ANY_TEXT)], Quantity]
Evictions = dict[Annotated[str, admitted(EVICTION_SIGNAL, ANY_TEXT)], str]


class Requirement(Settings):
    """One condition on the instance types, zones and labels of the nodes."""

    key: Label
    """The label that the condition is about."""

    operator: Annotated[str, admitted(OPERATOR, ANY_TEXT)]
    """How the label is compared with the values."""

    values: list[Value] | None = None
    """What the label is compared with; Gt and Lt take one whole number in quotes."""


class Taint(Settings):
    """A mark that keeps away the pods that do not tolerate it."""

    key: Annotated[str, admitted(LABEL_KEY, ANY_TEXT)]
    """Key of the taint."""

    effect: Annotated[str, admitted(EFFECT, ANY_TEXT)]
    """What happens to pods without a toleration."""

    value: str | None = None
    """Value of the taint."""

    time_added: Annotated[str, TIMESTAMP] | None = None
    """When the taint was set; Kubernetes fills it."""


class KubeletConfiguration(Settings):
    """Settings of the kubelet on each node."""

    cluster_dns: list[str] | None = Field(default=None, alias="clusterDNS")
    """Addresses of the cluster's DNS service."""

    container_runtime: str | None = None
    """Container runtime, such as containerd."""

    max_pods: Annotated[int, MAX_PODS] | None = None
    """Most pods on a node."""

    pods_per_core: Annotated[Annotated[int, PODS] | None, Since("0.16.0")] = None
    """Most pods for each core; Bottlerocket ignores it."""

    system_reserved: Reserved | None = None
    """Resources kept for the operating system."""

    kube_reserved: Annotated[Reserved | None, Since("0.16.0")] = None
    """Resources kept for Kubernetes' own daemons."""

    eviction_hard: Annotated[Evictions | None, Since("0.16.0")] = None
    """Thresholds below which pods are evicted at once."""

    eviction_soft: Annotated[Evictions | None, Since("0.17.0")] = None
    """Thresholds below which pods are evicted after the signal's grace period."""

    eviction_soft_grace_period: Annotated[Evictions | None, Since("0.17.0")] = None
    """Grace period of each signal in evictionSoft."""

    eviction_max_pod_grace_period: Annotated[Annotated[int, SECONDS] | None, Since("0.17.0")] = None
    """Most seconds that a pod gets to end when a soft threshold is met."""

    image_gc_high_threshold_percent: Annotated[Annotated[int, PERCENT] | None, Since("0.24.0")] = (
        Field(default=None, alias="imageGCHighThresholdPercent")
    )
    """Disk use above which unused images are always removed."""

    image_gc_low_threshold_percent: Annotated[Annotated[int, PERCENT] | None, Since("0.24.0")] = (
        Field(default=None, alias="imageGCLowThresholdPercent")
    )
    """Disk use below which images are never removed."""

    cpu_cfs_quota: Annotated[bool | None, Since("0.24.0")] = Field(
        default=None, alias="cpuCFSQuota"
    )
    """Whether CPU limits of containers are enforced."""


class ProviderRef(Settings):
    """Which AWSNodeTemplate the nodes are made from."""

    name: Annotated[str | None, RequiredFrom("0.24.0")] = None
    """Name of the template."""

    api_version: str | None = None
    """API group and version of the template."""

    kind: str | None = None
    """Kind of the template."""


class Limits(Settings):
    """Upper limits on what the nodes may have together."""

    resources: dict[str, Quantity] | None = None
    """Sums of resources, such as cpu and memory."""


class Consolidation(Settings):
    """Whether nodes that are not needed, or could be cheaper, are replaced."""

    enabled: bool | None = None
    """True consolidates."""


class ProvisionerSpec(Settings):
    """The spec of a Provisioner."""

    annotations: Annotated[dict[str, str] | None, Since("0.20.0")] = None
    """Annotations of the nodes."""

    labels: dict[Label, Value] | None = None
    """Labels of the nodes; pods can select them."""

    requirements: list[Requirement] | None = None
    """Conditions that every node meets."""

    taints: list[Taint] | None = None
    """Taints that stay on the nodes."""

    startup_taints: list[Taint] | None = None
    """Taints that something else, such as a daemon, removes once the node is ready for pods."""

    kubelet_configuration: KubeletConfiguration | None = None
    """Settings of the kubelet on each node."""

    provider: dict[str, Any] | None = None
    """An AWSNodeTemplate's spec written here; providerRef takes its place."""

    provider_ref: ProviderRef | None = None
    """Which AWSNodeTemplate the nodes are made from."""

    limits: Limits | None = None
    """Upper limits on what the nodes may have together."""

    consolidation: Annotated[Consolidation | None, Since("0.15.0")] = None
    """Whether nodes are consolidated."""

    ttl_seconds_after_empty: Annotated[int, TTL] | None = None
    """Seconds after which an empty node goes; none does where it is left out."""

    ttl_seconds_until_expired: Annotated[int, TTL] | None = None
    """Seconds after which every node is replaced; none is where it is left out."""

    weight: Annotated[
        Annotated[int, between("weight", 1, 100, unit="points", fix="use 1 to 100; 100 goes first")]
        | None,
        Since("0.16.0"),
    ] = None
    """Which provisioner is tried first: the highest weight."""
