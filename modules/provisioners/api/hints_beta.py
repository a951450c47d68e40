"""Where keys that are often misplaced, or that other versions of the API have, belong in v1beta1.

Sources: Karpenter's migration guides (v1alpha5 to v1beta1 to v1).
"""

from __future__ import annotations

from modules.core import names

_TEMPLATE = "write it one level in, as template.spec.{}"
_AFTER_EMPTY = "write disruption.consolidationPolicy: WhenEmpty with disruption.consolidateAfter"
_CONSOLIDATION = "write disruption.consolidationPolicy: WhenUnderutilized"
_EXPIRY = 'write disruption.expireAfter, for example "720h"'
_LABELS = "write it as template.metadata.{}"
_KUBELET = "write it as template.spec.kubelet"
_IN_POOL_KUBELET = "write it in the NodePool, as template.spec.kubelet"
_SELECTOR_IDS = "write one term for each: {} takes a list of {}"
_REFERENCE = "write apiVersion: karpenter.k8s.aws/v1beta1"

_POOL: dict[tuple[str, str], str] = {
    **{
        (place, key): _LABELS.format(key)
        for place in ("", "template", "template.spec")
        for key in ("labels", "annotations")
    },
    ("", "kubelet"): _KUBELET,
    ("", "kubeletConfiguration"): _KUBELET,
    ("template.spec", "kubeletConfiguration"): _KUBELET,
    ("template.spec.kubelet", "containerRuntime"): "remove it: containerd is the only one",
    ("", "consolidation"): _CONSOLIDATION,
    ("", "ttlSecondsAfterEmpty"): _AFTER_EMPTY,
    ("", "ttlSecondsUntilExpired"): _EXPIRY,
    ("", "expireAfter"): _EXPIRY,
    ("template.spec", "expireAfter"): f"{_EXPIRY}; it stands in the template from v1 on",
    ("template.spec", "terminationGracePeriod"): "remove it: it needs v1",
    ("disruption.budgets", "reasons"): "remove it: reasons need v1",
    ("", "providerRef"): "write template.spec.nodeClassRef with the class's name",
    ("", "provider"): "make an EC2NodeClass of it and name that in template.spec.nodeClassRef",
    ("template.spec.nodeClassRef", "group"): _REFERENCE,
    ("template.spec.nodeClassRef", "version"): _REFERENCE,
    ("", "replicas"): "remove it: static pools need v1 and Karpenter 1.8.0",
    ("template.spec", "weight"): "write it at the top of the spec, as weight",
    ("template.spec", "limits"): "write it at the top of the spec, as limits",
    ("template.spec", "disruption"): "write it at the top of the spec, as disruption",
    **{
        ("", key): f"write it as disruption.{key}"
        for key in ("budgets", "consolidationPolicy", "consolidateAfter")
    },
    **{
        ("", key): _TEMPLATE.format(key)
        for key in ("nodeClassRef", "requirements", "startupTaints", "taints")
    },
}

_CLASS: dict[tuple[str, str], str] = {
    ("", "subnetSelector"): _SELECTOR_IDS.format("subnetSelectorTerms", "id or tags"),
    ("", "securityGroupSelector"): _SELECTOR_IDS.format(
        "securityGroupSelectorTerms", "id, name or tags"
    ),
    ("", "amiSelector"): _SELECTOR_IDS.format("amiSelectorTerms", "id, name or tags"),
    ("amiSelectorTerms", "alias"): "name the family as amiFamily: aliases need v1",
    ("", "launchTemplate"): "remove it: Karpenter makes its own; use userData, "
    "blockDeviceMappings and tags",
    ("", "kubelet"): f"{_IN_POOL_KUBELET}: it stands in the class from v1 on",
    ("", "kubeletConfiguration"): _IN_POOL_KUBELET,
    **{
        ("", key): f"write it in a NodePool, as template.spec.{key}"
        for key in ("requirements", "startupTaints", "taints")
    },
    **{
        ("", key): f"write it in a NodePool, as {key}" for key in ("disruption", "limits", "weight")
    },
}

BETA_HINTS: dict[str, dict[tuple[str, str], str]] = {
    names.NODE_POOL: _POOL,
    names.NODE_CLASS: _CLASS,
}
"""Kind -> (place, key) -> what to do."""
