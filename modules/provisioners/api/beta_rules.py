"""Rules on the specs of v1beta1 that need more than one value, or the release."""

from __future__ import annotations

from modules.core import names
from modules.core.catalogue import Api, Release
from modules.provisioners.api.class_rules import ROLE_OR_PROFILE, restricted_tag
from modules.provisioners.api.instance_rules import disk_rules, kubelet_rules
from modules.provisioners.api.label_rules import REQUIREMENT, label_rules, labels_known
from modules.provisioners.api.pool_rules import BUDGET_WINDOW, FLAT_LIMITS
from modules.provisioners.api.requirement_rules import requirement_rules
from modules.provisioners.api.rules import SpecRule, has
from modules.provisioners.api.term_rules import alone_in_all, needs_one, network_terms

_NEVER, _EMPTY, _UNDERUTILIZED = "Never", "WhenEmpty", "WhenUnderutilized"

_CONSOLIDATION = [
    SpecRule(
        "consolidate_after_underutilized",
        "disruption",
        f"{_UNDERUTILIZED}, the default, takes no consolidateAfter",
        f"consolidateAfter with {_EMPTY}, or consolidateAfter: {_NEVER}",
        f"remove consolidateAfter, or write consolidationPolicy: {_EMPTY}",
        check=lambda d: (
            d.get("consolidateAfter") in (None, _NEVER)
            or d.get("consolidationPolicy", _UNDERUTILIZED) != _UNDERUTILIZED
        ),
        condition="try({v}.consolidateAfter, null) == null ? true : "
        f'{{v}}.consolidateAfter == "{_NEVER}" || try(coalesce({{v}}.consolidationPolicy), '
        f'"{_UNDERUTILIZED}") != "{_UNDERUTILIZED}"',
        reads=("consolidateAfter", "consolidationPolicy"),
        blame="consolidateAfter",
    ),
    SpecRule(
        "consolidate_after_needed",
        "disruption",
        f"{_EMPTY} needs consolidateAfter",
        f"consolidateAfter with {_EMPTY}",
        "say how long a node stays empty, for example 30s",
        check=lambda d: d.get("consolidationPolicy") != _EMPTY or has(d, "consolidateAfter"),
        condition=f'try(coalesce({{v}}.consolidationPolicy), "") != "{_EMPTY}" || '
        "try({v}.consolidateAfter, null) != null",
        reads=("consolidationPolicy",),
        blame="consolidateAfter",
    ),
]
_ROLE_ONLY = SpecRule(
    "role_needed",
    "",
    "needs a role",
    "role",
    "name the nodes' IAM role; instanceProfile needs Karpenter 0.32.2 or later",
    check=lambda spec: has(spec, "role"),
    # The published module fills in role where it is not given.
    condition="true",
    blame="role",
)
_CUSTOM_IMAGES = SpecRule(
    "custom_needs_images",
    "",
    "amiFamily Custom needs amiSelectorTerms",
    "at least one term with Custom",
    "select the images, or name their family",
    check=lambda spec: spec.get("amiFamily") != "Custom" or bool(spec.get("amiSelectorTerms")),
    condition='try(coalesce({v}.amiFamily), "") != "Custom" || '
    "try(length({v}.amiSelectorTerms), 0) > 0",
    reads=("amiFamily", "amiSelectorTerms"),
    blame="amiSelectorTerms",
)
_MANAGED_BY = "karpenter.sh/managed-by"
_PROVISIONER_NAME = "karpenter.sh/provisioner-name"
_MANAGED_SINCE = "0.35.0"


def beta_pool_rules(release: Release) -> list[SpecRule]:
    """The rules on NodePools of this release, in v1beta1."""
    rules = [
        *_CONSOLIDATION,
        FLAT_LIMITS,
        BUDGET_WINDOW,
        *requirement_rules(REQUIREMENT),
        *label_rules(labels_known(release, Api.V1BETA1)),
        *kubelet_rules("template.spec.kubelet"),
    ]
    return [rule for rule in rules if rule.holds_for(release)]


def beta_class_rules(release: Release) -> list[SpecRule]:
    """The rules on EC2NodeClasses of this release, in v1beta1."""
    images = "amiSelectorTerms[]"
    newer = release.at_least(_MANAGED_SINCE)
    tags = (names.NODE_CLAIM_TAG, names.NODE_CLASS_LABEL) if newer else (_PROVISIONER_NAME,)
    rules = [
        ROLE_OR_PROFILE if release.at_least("0.32.2") else _ROLE_ONLY,
        _CUSTOM_IMAGES,
        needs_one(images, "tags", "id", "name"),
        *alone_in_all(images, "id", "tags", "name", "owner"),
        *network_terms(),
        restricted_tag((names.NODE_POOL_LABEL, _MANAGED_BY, *tags)),
        *disk_rules(),
    ]
    return [rule for rule in rules if rule.holds_for(release)]
