"""Rules on the keys of labels: which domains Karpenter and Kubernetes keep for themselves.

A label in a NodePool's metadata and the key of a requirement follow the same rules.
Source: the CEL rules of the NodePool CRDs of Karpenter 1.0 to 1.14.
"""

from __future__ import annotations

from modules.core import names
from modules.core.catalogue import Release
from modules.provisioners.api.rules import SpecRule, listed

LABELS = "template.metadata.labels{}"
REQUIREMENT = "template.spec.requirements[]"

AWS_LABELS = {
    f"{names.NODE_CLASS_GROUP}/{label}": since
    for since, labels in {
        "1.0.0": (
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
"""Karpenter's labels of instance types -> first release that knows them."""

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


def label_rules(release: Release) -> list[SpecRule]:
    """The rules of this and other releases; each says for which it holds."""
    known = tuple(key for key, since in AWS_LABELS.items() if release.at_least(since))
    later = {key: since for key, since in AWS_LABELS.items() if key not in known}
    newer = "; ".join(f"{key} needs Karpenter {since} or later" for key, since in later.items())
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
    reserved = (names.CAPACITY_TYPE_LABEL,)
    core = SpecRule(
        "karpenter_label",
        LABELS,
        f"labels of {names.NODE_POOL_GROUP} are Karpenter's own",
        names.CAPACITY_TYPE_LABEL,
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
    on_labels = [aws, core, hostname, kubernetes, k8s]
    return [*on_labels, *(_on_requirement(rule) for rule in on_labels)]


def _on_requirement(rule: SpecRule) -> SpecRule:
    """The same rule on the key of each requirement."""
    return SpecRule(
        f"{rule.id}_required",
        REQUIREMENT,
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
