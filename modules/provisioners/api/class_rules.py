"""Rules on an EC2NodeClass's spec that need more than one value, or the release."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.provisioners.api.instance_rules import disk_rules, interface_rules, kubelet_rules
from modules.provisioners.api.rules import SpecRule, has, listed

ALIAS_FAMILIES = {
    "al2": "AL2",
    "al2023": "AL2023",
    "bottlerocket": "Bottlerocket",
    "windows2019": "Windows2019",
    "windows2022": "Windows2022",
    "windows2025": "Windows2025",
}
"""Family in an alias -> amiFamily."""

_NEWER_FAMILIES = {"windows2025": "1.9.0"}

_RESTRICTED_TAGS = (
    names.EKS_CLUSTER_TAG,
    names.NODE_POOL_LABEL,
    names.NODE_CLAIM_TAG,
    names.NODE_CLASS_LABEL,
)
_CLUSTER_TAG = names.CLUSTER_TAG_PREFIX.rstrip("/")


RESTRICTED_TAG = SpecRule(
    "restricted_tag",
    "tags{}",
    "is a tag that Karpenter sets itself",
    f"any tag but {', '.join(_RESTRICTED_TAGS)} and {names.CLUSTER_TAG_PREFIX}*",
    "remove it: Karpenter puts it on whatever it makes",
    check=lambda key: key not in _RESTRICTED_TAGS and not key.startswith(_CLUSTER_TAG),
    condition=f"!contains({listed(_RESTRICTED_TAGS)}, {{v}}) && "
    f'!startswith({{v}}, "{_CLUSTER_TAG}")',
    kind=str,
)


def class_rules(release: Release) -> list[SpecRule]:
    """The rules of this release."""
    families = tuple(f for f in ALIAS_FAMILIES if release.at_least(_NEWER_FAMILIES.get(f, "1.0.0")))
    criteria = ("instanceMatchCriteria",) if release.at_least("1.8.0") else ()
    ssm = ("ssmParameter",) if release.at_least("1.4.0") else ()
    rules = [
        *_identity_rules(),
        *_alias_rules(families),
        _needs_one("amiSelectorTerms[]", "tags", "id", "name", "alias", *ssm),
        _alone("amiSelectorTerms[]", "id"),
        _alone("amiSelectorTerms[]", "alias"),
        _needs_one("subnetSelectorTerms[]", "tags", "id"),
        _alone("subnetSelectorTerms[]", "id"),
        _needs_one("securityGroupSelectorTerms[]", "tags", "id", "name"),
        _alone("securityGroupSelectorTerms[]", "id"),
        _alone("securityGroupSelectorTerms[]", "name"),
        _needs_one("capacityReservationSelectorTerms[]", "tags", "id", *criteria),
        _alone("capacityReservationSelectorTerms[]", "id"),
        _needs_one("placementGroupSelector", "name", "id"),
        _alone("placementGroupSelector", "id"),
        _needs_one("connectionTracking", "tcpEstablishedTimeout", "udpStreamTimeout", "udpTimeout"),
        RESTRICTED_TAG,
        *disk_rules(),
        *interface_rules(),
        *kubelet_rules(),
    ]
    return [rule for rule in rules if rule.holds_for(release)]


def alias_family(spec: Any) -> str | None:
    """The family that the spec's alias names, or None."""
    terms = spec.get("amiSelectorTerms")
    for term in terms if isinstance(terms, list) else ():
        alias = term.get("alias") if isinstance(term, Mapping) else None
        if isinstance(alias, str) and is_known(alias):
            return alias.partition("@")[0]
    return None


def _plain(at: str) -> str:
    return at.rstrip("[]")


def _needs_one(at: str, *keys: str) -> SpecRule:
    return SpecRule(
        f"{_plain(at)}_needs_one",
        at,
        "selects nothing" if "Select" in at else "sets nothing",
        f"at least one of {', '.join(keys)}",
        "add one of them, or remove the whole",
        check=lambda value: has(value, *keys),
        condition=f"length([for key in {listed(keys)} : "
        "key if lookup({v}, key, null) != null]) > 0",
    )


def _alone(at: str, key: str) -> SpecRule:
    return SpecRule(
        f"{_plain(at)}_{key}_alone",
        at,
        f"{key} stands alone",
        f"{key} and nothing else",
        "make two terms of it, or remove the other keys",
        check=lambda value: key not in value or len(value) == 1,
        condition=f'lookup({{v}}, "{key}", null) == null || '
        "length([for key, value in {v} : key if value != null]) == 1",
    )


def _identity_rules() -> list[SpecRule]:
    return [
        SpecRule(
            "role_or_profile",
            "",
            "needs exactly one of role and instanceProfile",
            "role (Karpenter makes the instance profile) or instanceProfile (made by you)",
            "give one of them and remove the other",
            check=lambda spec: has(spec, "role") != has(spec, "instanceProfile"),
            # The published module fills in role where neither is given.
            condition="try({v}.role, null) == null || try({v}.instanceProfile, null) == null",
            blame="role",
        ),
        SpecRule(
            "family_needed",
            "",
            "amiFamily is needed where no term has an alias",
            "amiFamily, or a term with an alias",
            "name the family that the images belong to, or Custom",
            check=lambda spec: (
                has(spec, "amiFamily")
                or any(has(term, "alias") for term in _list(spec, "amiSelectorTerms"))
            ),
            condition="try({v}.amiFamily, null) != null || "
            "anytrue([for term in {v}.amiSelectorTerms : try(term.alias, null) != null])",
            reads=("amiSelectorTerms",),
            blame="amiFamily",
        ),
    ]


def _list(value: Any, key: str) -> list[Any]:
    items = value.get(key)
    return items if isinstance(items, list) else []


def _alias_rules(families: tuple[str, ...]) -> list[SpecRule]:
    windows = tuple(family for family in families if family.startswith("windows"))
    aliases = "[for term in {v}.amiSelectorTerms : try(term.alias, null)]"
    family_of = ", ".join(f'{family} = "{ALIAS_FAMILIES[family]}"' for family in families)

    def on_alias(
        name: str, problem: str, allowed: str, fix: str, check: Callable[[str], bool], cond: str
    ) -> SpecRule:
        return SpecRule(
            name,
            "amiSelectorTerms[]",
            problem,
            allowed,
            fix,
            check=lambda term: not isinstance(term.get("alias"), str) or check(term["alias"]),
            condition="try({v}.alias, null) == null ? true : " + cond.replace("{a}", "{v}.alias"),
            reads=("alias",),
            blame="alias",
        )

    def family_agrees(spec: dict[str, Any]) -> bool:
        family = alias_family(spec)
        expected = ALIAS_FAMILIES.get(family) if family is not None else None
        return expected is None or spec.get("amiFamily", expected) in (expected, "Custom")

    later = [f"{f} needs Karpenter {v}" for f, v in _NEWER_FAMILIES.items() if f not in families]
    newer = f" ({', '.join(later)} or later)" if later else ""
    return [
        SpecRule(
            "alias_only_term",
            "amiSelectorTerms",
            "a term with an alias is the only term",
            "one term with an alias, or terms without",
            "remove the other terms",
            check=lambda terms: len(terms) == 1 or not any(has(term, "alias") for term in terms),
            condition="length({v}) == 1 || "
            "alltrue([for term in {v} : try(term.alias, null) == null])",
            kind=list,
        ),
        on_alias(
            "alias_form",
            "is not of the form family@version",
            "family@version, such as al2023@v20250101",
            "write the family in lower case, an @ and the version",
            check=lambda alias: (
                alias.count("@") == 1
                and alias.partition("@")[0].isalnum()
                and alias.partition("@")[2] != ""
            ),
            cond='can(regex("^[0-9A-Za-z]+@[^@]+$", {a}))',
        ),
        on_alias(
            "alias_family",
            "names no family of EKS images",
            f"one of {', '.join(families)}{newer} before the @",
            "name one of these families, or select images by id, name, tags or ssmParameter",
            check=lambda alias: "@" not in alias or alias.partition("@")[0] in families,
            cond=f'!can(regex("@", {{a}})) || contains({listed(families)}, split("@", {{a}})[0])',
        ),
        on_alias(
            "alias_windows",
            "Windows images have no pinned versions",
            f"{', '.join(f'{family}@latest' for family in windows)}",
            "write latest after the @",
            check=lambda alias: (
                alias.partition("@")[0] not in windows or alias.partition("@")[2] in ("latest", "")
            ),
            cond=f'!contains({listed(windows)}, split("@", {{a}})[0]) || '
            'can(regex("@latest$", {a}))',
        ),
        SpecRule(
            "family_agrees",
            "",
            "amiFamily does not agree with the alias",
            "the alias's own family, or Custom",
            "leave amiFamily out: the alias names it",
            check=family_agrees,
            condition="try({v}.amiFamily, null) == null ? true : alltrue([for alias in "
            f'{aliases} : alias == null ? true : contains(["Custom", lookup({{ {family_of} }}, '
            'split("@", alias)[0], {v}.amiFamily)], {v}.amiFamily)])',
            reads=("amiFamily",),
            blame="amiFamily",
        ),
    ]
