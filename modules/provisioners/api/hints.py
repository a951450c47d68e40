"""Where keys that are often misplaced, or that older versions of the API had, belong now.

Sources: Karpenter's migration guides (v1alpha5 to v1beta1 to v1) and its issues; the EKS User Guide
("Create a Node Class for Amazon EKS") for what is Auto Mode's own.
"""

from __future__ import annotations

from modules.core import names

_KUBELET = "write it in the EC2NodeClass, as spec.kubelet"
_TEMPLATE = "write it one level in, as template.spec.{}"
_CONSOLIDATION = (
    "write disruption.consolidationPolicy: WhenEmptyOrUnderutilized with "
    "disruption.consolidateAfter, for example 1m"
)
_AFTER_EMPTY = "write disruption.consolidationPolicy: WhenEmpty with disruption.consolidateAfter"
_EXPIRY = 'write template.spec.expireAfter, for example "720h"'
_OF_POOL = "write it in a NodePool, as template.spec.{}"
_SELECTOR_IDS = "write one term for each: {} takes a list of {}"

_AUTO_MODE = (
    f"{{}}: it is of EKS Auto Mode's NodeClass ({names.AUTO_MODE_GROUP}), which Karpenter does not "
    "read"
)

_POOL: dict[tuple[str, str], str] = {
    ("template.spec", "labels"): "write it as template.metadata.labels",
    ("template.spec", "annotations"): "write it as template.metadata.annotations",
    ("template", "labels"): "write it as template.metadata.labels",
    ("template", "annotations"): "write it as template.metadata.annotations",
    ("", "labels"): "write it as template.metadata.labels",
    ("", "annotations"): "write it as template.metadata.annotations",
    ("template.spec", "kubelet"): _KUBELET,
    ("template.spec", "kubeletConfiguration"): _KUBELET,
    ("template.spec", "resources"): "remove it: v1 has none; limits stand at the top of the spec",
    ("", "kubelet"): _KUBELET,
    ("", "kubeletConfiguration"): _KUBELET,
    ("", "consolidation"): _CONSOLIDATION,
    ("", "ttlSecondsAfterEmpty"): _AFTER_EMPTY,
    ("", "ttlSecondsUntilExpired"): _EXPIRY,
    ("disruption", "expireAfter"): _EXPIRY,
    ("", "providerRef"): "write template.spec.nodeClassRef with group, kind and name",
    ("", "provider"): "make an EC2NodeClass of it and name that in template.spec.nodeClassRef",
    ("template.spec.nodeClassRef", "apiVersion"): f"write group: {names.NODE_CLASS_GROUP}, "
    "without a version",
    ("template.spec.nodeClassRef", "version"): f"write group: {names.NODE_CLASS_GROUP} alone",
    ("template.spec", "weight"): "write it at the top of the spec, as weight",
    ("template.spec", "limits"): "write it at the top of the spec, as limits",
    ("template.spec", "disruption"): "write it at the top of the spec, as disruption",
    ("", "budgets"): "write it as disruption.budgets",
    ("", "consolidationPolicy"): "write it as disruption.consolidationPolicy",
    ("", "consolidateAfter"): "write it as disruption.consolidateAfter",
    **{
        ("", key): _TEMPLATE.format(key)
        for key in (
            "expireAfter",
            "nodeClassRef",
            "requirements",
            "startupTaints",
            "taints",
            "terminationGracePeriod",
        )
    },
}

_CLASS: dict[tuple[str, str], str] = {
    ("", "subnetSelector"): _SELECTOR_IDS.format("subnetSelectorTerms", "id or tags"),
    ("", "securityGroupSelector"): _SELECTOR_IDS.format(
        "securityGroupSelectorTerms", "id, name or tags"
    ),
    ("", "amiSelector"): _SELECTOR_IDS.format("amiSelectorTerms", "alias, id, name or tags"),
    ("", "launchTemplate"): "remove it: Karpenter makes its own; use userData, "
    "blockDeviceMappings and tags",
    ("", "kubeletConfiguration"): "write it as kubelet",
    ("kubelet", "containerRuntime"): "remove it: containerd is the only one",
    **{
        ("", key): _OF_POOL.format(key)
        for key in (
            "expireAfter",
            "requirements",
            "startupTaints",
            "taints",
            "terminationGracePeriod",
        )
    },
    **{
        ("", key): f"write it in a NodePool, as {key}"
        for key in ("disruption", "limits", "replicas", "weight")
    },
    ("", "ephemeralStorage"): _AUTO_MODE.format("write blockDeviceMappings"),
    ("", "podSubnetSelectorTerms"): _AUTO_MODE.format("configure the network plugin"),
    ("", "podSecurityGroupSelectorTerms"): _AUTO_MODE.format("configure the network plugin"),
    **{
        ("", key): _AUTO_MODE.format("remove it")
        for key in (
            "advancedNetworking",
            "advancedSecurity",
            "certificateBundles",
            "networkPolicy",
            "networkPolicyEventLogs",
            "snatPolicy",
        )
    },
}

HINTS: dict[str, dict[tuple[str, str], str]] = {names.NODE_POOL: _POOL, names.NODE_CLASS: _CLASS}
"""Kind -> (place with `[]` for items, key) -> what to do."""
