"""Rules on an EC2NodeClass's spec that need more than one value, or the release."""

from __future__ import annotations

from modules.core import names
from modules.core.catalogue import Release
from modules.provisioners.api.alias_rules import FAMILY_NEEDED, alias_rules
from modules.provisioners.api.instance_rules import disk_rules, interface_rules, kubelet_rules
from modules.provisioners.api.rules import SpecRule, has, listed
from modules.provisioners.api.term_rules import (
    alone,
    alone_in_all,
    alone_in_any,
    needs_one,
    network_terms,
)

_RESTRICTED_TAGS = (
    names.EKS_CLUSTER_TAG,
    names.NODE_POOL_LABEL,
    names.NODE_CLAIM_TAG,
    names.NODE_CLASS_LABEL,
)
_CLUSTER_TAG = names.CLUSTER_TAG_PREFIX.rstrip("/")

ROLE_OR_PROFILE = SpecRule(
    "role_or_profile",
    "",
    "needs exactly one of role and instanceProfile",
    "role (Karpenter makes the instance profile) or instanceProfile (made by you)",
    "give one of them and remove the other",
    check=lambda spec: has(spec, "role") != has(spec, "instanceProfile"),
    # The published module fills in role where neither is given.
    condition="try({v}.role, null) == null || try({v}.instanceProfile, null) == null",
    blame="role",
)


def restricted_tag(keys: tuple[str, ...]) -> SpecRule:
    """The rule that keeps these tags, and those that tell the cluster, to Karpenter."""
    return SpecRule(
        "restricted_tag",
        "tags{}",
        "is a tag that Karpenter sets itself",
        f"any tag but {', '.join(keys)} and {names.CLUSTER_TAG_PREFIX}*",
        "remove it: Karpenter puts it on whatever it makes",
        check=lambda key: key not in keys and not key.startswith(_CLUSTER_TAG),
        condition=f'!contains({listed(keys)}, {{v}}) && !startswith({{v}}, "{_CLUSTER_TAG}")',
        kind=str,
    )


RESTRICTED_TAG = restricted_tag(_RESTRICTED_TAGS)


def class_rules(release: Release) -> list[SpecRule]:
    """The rules of this release, in v1."""
    criteria = ("instanceMatchCriteria",) if release.at_least("1.8.0") else ()
    ssm = ("ssmParameter",) if release.at_least("1.4.0") else ()
    ami, reservations = "amiSelectorTerms[]", "capacityReservationSelectorTerms[]"
    rules = [
        ROLE_OR_PROFILE,
        FAMILY_NEEDED,
        *alias_rules(release),
        needs_one(ami, "tags", "id", "name", "alias", *ssm),
        *alone_in_any(ami, "id", "alias", "tags", "name", "owner"),
        *alone_in_any(ami, "alias", "id", "tags", "name", "owner"),
        *network_terms(),
        needs_one(reservations, "tags", "id", *criteria),
        *alone_in_all(reservations, "id", "tags", "ownerID", *criteria),
        needs_one("placementGroupSelector", "name", "id"),
        alone("placementGroupSelector", "id"),
        needs_one("connectionTracking", "tcpEstablishedTimeout", "udpStreamTimeout", "udpTimeout"),
        RESTRICTED_TAG,
        *disk_rules(),
        *interface_rules(),
        *kubelet_rules("kubelet"),
    ]
    return [rule for rule in rules if rule.holds_for(release)]
