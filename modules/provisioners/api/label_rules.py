"""Rules on the keys of labels: which domains Karpenter and Kubernetes keep for themselves.

A label in a NodePool's metadata and the key of a requirement follow the same rules.
Source: the CEL rules of the NodePool and NodeOverlay CRDs of Karpenter 0.32 to 1.14.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modules.core import names
from modules.core.catalogue import Api, Release
from modules.provisioners.api.rules import SpecRule, listed

LABELS = "template.metadata.labels{}"
REQUIREMENT = "template.spec.requirements[]"

AWS_LABELS = {
    f"{names.NODE_CLASS_GROUP}/{label}": since
    for since, labels in {
        "0.32.0": (
            "instance-accelerator-count",
            "instance-accelerator-manufacturer",
            "instance-accelerator-name",
            "instance-category",
            "instance-cpu",
            "instance-cpu-manufacturer",
            "instance-ebs-bandwidth",
            "instance-encryption-in-transit-supported",
            "instance-family",
            "instance-generation",
            "instance-gpu-count",
            "instance-gpu-manufacturer",
            "instance-gpu-memory",
            "instance-gpu-name",
            "instance-hypervisor",
            "instance-local-nvme",
            "instance-memory",
            "instance-network-bandwidth",
            "instance-size",
        ),
        "1.1.0": ("ec2nodeclass", "instance-cpu-sustained-clock-speed-mhz"),
        "1.3.0": ("capacity-reservation-id",),
        "1.6.0": ("capacity-reservation-type",),
        "1.7.0": ("instance-capability-flex",),
        "1.9.0": ("instance-tenancy",),
        "1.10.0": ("capacity-reservation-interruptible",),
        "1.11.0": ("placement-group-id", "placement-group-partition"),
        "1.15.0": ("nitro-sandbox",),
    }.items()
    for label in labels
}
"""Karpenter's labels of instance types -> first release that knows them, in v1."""

_LATER_IN_BETA = {
    f"{names.NODE_CLASS_GROUP}/instance-cpu-manufacturer": "0.36.0",
    f"{names.NODE_CLASS_GROUP}/instance-ebs-bandwidth": "0.37.0",
}
"""The same for v1beta1, where that differs."""

_NOT_IN_OVERLAYS = ("capacity-reservation", "instance-tenancy", "placement-group")
"""How the names of labels begin that a NodeOverlay may not ask for."""

_KUBERNETES_LABELS = (
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    names.ARCH_LABEL,
    names.OS_LABEL,
    names.REGION_LABEL,
    names.ZONE_LABEL,
)


@dataclass(frozen=True)
class Labels:
    """Karpenter's labels of instance types.

    Args:
        known: those that the release knows.
        later: those that a later one brings -> that release.
    """

    known: tuple[str, ...]
    later: Mapping[str, str]


def labels_known(release: Release, api: Api = Api.V1) -> Labels:
    """The labels that pools of a generation may name."""
    since = AWS_LABELS if api is Api.V1 else {**AWS_LABELS, **_LATER_IN_BETA}
    known = tuple(key for key, first in since.items() if release.at_least(first))
    return Labels(known, {key: first for key, first in since.items() if key not in known})


def labels_of_overlays(release: Release) -> Labels:
    """The labels that overlays may name: those that are known before a launch."""
    known = (k for k in labels_known(release).known if not _name(k).startswith(_NOT_IN_OVERLAYS))
    return Labels(tuple(known), {})


def label_rules(labels: Labels) -> list[SpecRule]:
    """The rules on the labels and requirements of pools."""
    on_labels = _rules(labels, (names.CAPACITY_TYPE_LABEL,))
    return [*on_labels, *(_on_requirement(rule, REQUIREMENT) for rule in on_labels)]


def overlay_label_rules(release: Release) -> list[SpecRule]:
    """The rules on the requirements of overlays; they may name a pool."""
    reserved = (names.CAPACITY_TYPE_LABEL, names.NODE_POOL_LABEL)
    rules = _rules(labels_of_overlays(release), reserved)
    return [_on_requirement(rule, "requirements[]") for rule in rules]


def _rules(labels: Labels, reserved: tuple[str, ...]) -> list[SpecRule]:
    known = labels.known
    newer = "; ".join(
        f"{key} needs Karpenter {since} or later" for key, since in labels.later.items()
    )
    aws = SpecRule(
        "karpenter_aws_label",
        LABELS,
        f"labels of {names.NODE_CLASS_GROUP} are Karpenter's own",
        f"{', '.join(known)}{f' ({newer})' if newer else ''}",
        "use one of these, or a domain of your own",
        check=lambda key: key in known or not _domain(key).endswith(names.NODE_CLASS_GROUP),
        condition=f"{_one_of(known)} || {_outside(names.NODE_CLASS_GROUP)}",
        kind=str,
    )
    core = SpecRule(
        "karpenter_label",
        LABELS,
        f"labels of {names.NODE_POOL_GROUP} are Karpenter's own",
        ", ".join(reserved),
        "remove it: Karpenter sets it on every node, so that pods can select it",
        check=lambda key: key in reserved or not _domain(key).endswith(names.NODE_POOL_GROUP),
        condition=f"contains({listed(reserved)}, {{v}}) || {_outside(names.NODE_POOL_GROUP)}",
        kind=str,
    )
    hostname = SpecRule(
        "hostname_label",
        LABELS,
        "a node's own name cannot be asked for",
        "any other label",
        "remove it",
        check=lambda key: key != "kubernetes.io/hostname",
        condition='{v} != "kubernetes.io/hostname"',
        kind=str,
    )
    kubernetes = SpecRule(
        "kubernetes_label",
        LABELS,
        "labels of kubernetes.io are restricted before Karpenter 1.9.0",
        f"{', '.join(_KUBERNETES_LABELS)}, and domains that end in node.kubernetes.io or "
        "node-restriction.kubernetes.io",
        "use a domain of your own, or Karpenter 1.9.0 or later",
        check=lambda key: (
            key in _KUBERNETES_LABELS
            or _domain(key).endswith(("node.kubernetes.io", "node-restriction.kubernetes.io"))
            or not _domain(key).endswith("kubernetes.io")
        ),
        condition=f"contains({listed(_KUBERNETES_LABELS)}, {{v}}) || "
        '!can(regex("kubernetes[.]io$", split("/", {v})[0])) || '
        'can(regex("(node|node-restriction)[.]kubernetes[.]io$", split("/", {v})[0]))',
        kind=str,
        until="1.9.0",
    )
    k8s = SpecRule(
        "k8s_label",
        LABELS,
        "labels of k8s.io are restricted before Karpenter 1.9.0",
        "domains that end in kops.k8s.io",
        "use a domain of your own, or Karpenter 1.9.0 or later",
        check=lambda key: (
            _domain(key).endswith("kops.k8s.io") or not _domain(key).endswith("k8s.io")
        ),
        condition='!can(regex("k8s[.]io$", split("/", {v})[0])) || '
        'can(regex("kops[.]k8s[.]io$", split("/", {v})[0]))',
        kind=str,
        until="1.9.0",
    )
    return [aws, core, hostname, kubernetes, k8s]


def _on_requirement(rule: SpecRule, at: str) -> SpecRule:
    """The same rule on the key of each requirement."""
    return SpecRule(
        f"{rule.id}_required",
        at,
        rule.problem,
        rule.allowed,
        rule.fix,
        check=lambda r: not isinstance(r.get("key"), str) or rule.check(r["key"]),
        condition=rule.condition.replace("{v}", "{v}.key"),
        reads=("key",),
        blame="key",
        until=rule.until,
    )


def _one_of(keys: tuple[str, ...]) -> str:
    """Whether the value is one of these keys of Karpenter's domain; shorter than a list of them."""
    ends = "|".join(key.partition("/")[2] for key in keys)
    domain = names.NODE_CLASS_GROUP.replace(".", "[.]")
    return f'can(regex("^{domain}/({ends})$", {{v}}))'


def _outside(domain: str) -> str:
    return f'!endswith(split("/", {{v}})[0], "{domain}")'


def _domain(key: str) -> str:
    return key.partition("/")[0]


def _name(key: str) -> str:
    return key.partition("/")[2]
