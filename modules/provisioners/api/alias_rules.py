"""Rules on the images of an EC2NodeClass: its alias and its family."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.provisioners.api import codes
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

NEWER_FAMILIES = {"windows2025": "1.9.0"}
"""Family in an alias -> the first release that has it."""


def alias_family(spec: Any) -> str | None:
    """The family that the spec's alias names, or None."""
    terms = spec.get("amiSelectorTerms")
    for term in terms if isinstance(terms, list) else ():
        alias = term.get("alias") if isinstance(term, Mapping) else None
        if isinstance(alias, str) and is_known(alias):
            return alias.partition("@")[0]
    return None


FAMILY_NEEDED = SpecRule(
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
)


def _list(value: Any, key: str) -> list[Any]:
    items = value.get(key)
    return items if isinstance(items, list) else []


def _on_alias(
    name: str,
    problem: str,
    allowed: str,
    fix: str,
    check: Callable[[str], bool],
    condition: str,
    since: str | None = None,
) -> SpecRule:
    """A rule on the text of each alias; `{a}` in the condition stands for it."""
    return SpecRule(
        name,
        "amiSelectorTerms[]",
        problem,
        allowed,
        fix,
        check=lambda term: not isinstance(term.get("alias"), str) or check(term["alias"]),
        condition="try({v}.alias, null) == null ? true : " + condition.replace("{a}", "{v}.alias"),
        reads=("alias",),
        blame="alias",
        since=since,
    )


_FORM = replace(
    _on_alias(
        "alias_form",
        "is not of the form family@version",
        "family@version, such as al2023@v20250101",
        "write the family in lower case, an @ and the version",
        check=lambda alias: re.fullmatch("[0-9A-Za-z]+@[^@]+", alias) is not None,
        condition='can(regex("^[0-9A-Za-z]+@[^@]+$", {a}))',
    ),
    code=codes.ALIAS_FORM,
)
_FORMS = [
    _FORM,
    *(
        replace(
            _FORM,
            id=f"{_FORM.id}_{name}",
            check=lambda term, form=form: (  # type: ignore[misc]
                not isinstance(term.get("alias"), str) or form.match(term["alias"]) is not None
            ),
            since=since,
            until=until,
            code=None,
            weaker_than=_FORM.id,
        )
        for name, form, since, until in (
            # Neither has an end: a second @ passes.
            ("before_1_0", re.compile(r"[a-zA-Z0-9]*@.*\Z"), None, "1.0.0"),
            ("of_api", re.compile(r"[a-zA-Z0-9]+@.+\Z"), "1.0.0", None),
        )
    ),
]


def alias_rules(release: Release) -> list[SpecRule]:
    """The rules of this release."""
    families = tuple(
        family
        for family in ALIAS_FAMILIES
        if family not in NEWER_FAMILIES or release.at_least(NEWER_FAMILIES[family])
    )
    windows = tuple(family for family in families if family.startswith("windows"))
    aliases = "[for term in {v}.amiSelectorTerms : try(term.alias, null)]"
    family_of = ", ".join(f'{family} = "{ALIAS_FAMILIES[family]}"' for family in families)

    def family_agrees(spec: dict[str, Any]) -> bool:
        family = alias_family(spec)
        expected = ALIAS_FAMILIES.get(family) if family is not None else None
        return expected is None or spec.get("amiFamily", expected) in (expected, "Custom")

    later = [f"{f} needs Karpenter {v}" for f, v in NEWER_FAMILIES.items() if f not in families]
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
        *_FORMS,
        _on_alias(
            "alias_family",
            "names no family of EKS images",
            f"one of {', '.join(families)}{newer} before the @",
            "name one of these families, or select images by id, name, tags or ssmParameter",
            check=lambda alias: "@" not in alias or alias.partition("@")[0] in families,
            condition='!can(regex("@", {a})) || '
            f'contains({listed(families)}, split("@", {{a}})[0])',
        ),
        _on_alias(
            "alias_windows",
            "Windows images have no pinned versions",
            f"{', '.join(f'{family}@latest' for family in windows)}",
            "write latest after the @",
            check=lambda alias: (
                alias.partition("@")[0] not in windows
                or alias.split("@")[1:2] in ([], [""], ["latest"])
            ),
            condition=f'!contains({listed(windows)}, split("@", {{a}})[0]) || '
            'can(regex("@latest$", {a}))',
            since="1.0.0",
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
