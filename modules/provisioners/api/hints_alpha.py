"""Where keys of later versions of the API belong in v1alpha5 and v1alpha1.

Sources: Karpenter's migration guides (v1alpha5 to v1beta1 to v1), read backwards.
"""

from __future__ import annotations

from modules.core import names

_CONSOLIDATION = "write consolidation: {enabled: true}, or ttlSecondsAfterEmpty"
_EXPIRY = "write ttlSecondsUntilExpired, in seconds"
_REFERENCE = "write providerRef with the AWSNodeTemplate's name"
_TERMS = "write {} as one mapping of tags; `aws-ids` takes ids"

_PROVISIONER: dict[tuple[str, str], str] = {
    ("", "template"): "write what is in it at the top of the spec",
    ("", "disruption"): f"{_CONSOLIDATION}, and for expireAfter ttlSecondsUntilExpired",
    ("", "consolidationPolicy"): _CONSOLIDATION,
    ("", "consolidateAfter"): "write ttlSecondsAfterEmpty, in seconds",
    ("", "expireAfter"): _EXPIRY,
    ("", "nodeClassRef"): _REFERENCE,
    ("", "kubelet"): "write it as kubeletConfiguration",
    ("", "replicas"): "remove it: static pools need NodePools and Karpenter 1.8.0",
    ("", "budgets"): "remove it: budgets need NodePools and Karpenter 0.34.0",
    **{
        ("limits", key): "write it one level in, as limits.resources"
        for key in ("cpu", "memory", "nodes")
    },
    ("requirements", "minValues"): "remove it: it needs NodePools and Karpenter 0.35.0",
}
_TEMPLATE: dict[tuple[str, str], str] = {
    ("", "subnetSelectorTerms"): _TERMS.format("subnetSelector"),
    ("", "securityGroupSelectorTerms"): _TERMS.format("securityGroupSelector"),
    ("", "amiSelectorTerms"): _TERMS.format("amiSelector"),
    ("", "role"): "write instanceProfile: Karpenter makes none before 0.32",
    ("", "kubelet"): "write it in the Provisioner, as kubeletConfiguration",
    ("", "instanceStorePolicy"): "remove it: it needs an EC2NodeClass",
    ("", "associatePublicIPAddress"): "remove it: it needs an EC2NodeClass",
    ("blockDeviceMappings", "rootVolume"): "remove it: it needs an EC2NodeClass",
}

ALPHA_HINTS = {names.PROVISIONER: _PROVISIONER, names.NODE_TEMPLATE: _TEMPLATE}
"""Kind -> place and key -> what to do."""
