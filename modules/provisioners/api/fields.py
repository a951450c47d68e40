"""What the fields of NodePool and EC2NodeClass share: rules on single values.

Sources: the CRDs of Karpenter 0.32 to 1.14 (which field, word or pattern since when),
Kubernetes' rules for names, labels, quantities and durations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from modules.core.rules import Rule, pattern
from modules.provisioners.api import codes
from modules.provisioners.api.marks import dated, stricter

INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1


def size(name: str, low: int, high: int, *, unit: str, fix: str, mapping: bool = False) -> Rule:
    """A rule on lists, or mappings: how many items they may hold."""
    kind = "Properties" if mapping else "Items"
    return Rule(
        name,
        f"{low} to {high} {unit}" if low else f"up to {high} {unit}",
        fix,
        check=lambda value: low <= len(value) <= high,
        condition=f"length({{v}}) >= {low} && length({{v}}) <= {high}",
        json_schema={f"min{kind}": low, f"max{kind}": high},
    )


def at_least(name: str, low: int, *, unit: str, fix: str, high: int = INT32_MAX) -> Rule:
    """A rule on whole numbers that have a lower end only, but for what the API can hold."""
    return Rule(
        name,
        f"a whole number of {unit}, {low} or more",
        fix,
        check=lambda value: low <= value <= high,
        condition=f"{{v}} >= {low} && {{v}} <= {high} && floor({{v}}) == {{v}}",
        json_schema={"minimum": low, "maximum": high},
    )


def open_pattern(name: str, regex: str, *, allowed: str, fix: str) -> Rule:
    """A rule on text: `regex` matches somewhere in it, as the API server reads its patterns.

    Only for what the API server takes; where a pattern is open at its ends, ours is another one.
    """
    compiled = re.compile(regex.replace("$", r"\Z"), re.ASCII)
    return Rule(name, allowed, fix, check=lambda value: compiled.search(value) is not None)


def _scalar(name: str, regex: str, *, allowed: str, fix: str) -> Rule:
    """A rule on text or a whole number (Kubernetes' int-or-string), by its text."""
    text = pattern(name, regex, allowed=allowed, fix=fix)
    compiled = re.compile(regex)

    def check(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | str):
            return False
        return compiled.fullmatch(str(value)) is not None

    return Rule(
        name,
        allowed,
        fix,
        check,
        condition=(text.condition or "").replace("{v}", "tostring({v})"),
        json_schema={"type": ["integer", "string"], **text.json_schema},
    )


def _limited(rule: Rule, longest: int) -> Rule:
    """The same rule on text with a greatest length."""
    check: Callable[[Any], bool] = rule.check
    return Rule(
        rule.id,
        f"{rule.allowed}; up to {longest} characters",
        rule.fix,
        check=lambda value: len(value) <= longest and check(value),
        condition=f"length({{v}}) <= {longest} && {rule.condition}",
        json_schema={**rule.json_schema, "maxLength": longest},
    )


_NUMBER = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)"
_UNIT = rf"([KMGTPE]i|[numkMGTPE]|[eE][+-]?{_NUMBER})?"
_DNS_PART = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_DNS_PART}(\.{_DNS_PART})*"
_PREFIXED = rf"({_SUBDOMAIN}/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_KEY = rf"({_SUBDOMAIN}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{{0,61}}[A-Za-z0-9])?"

QUANTITY = _scalar(
    "quantity",
    rf"[+-]?{_NUMBER}{_UNIT}",
    allowed='a Kubernetes quantity, such as 100, "500m" or "64Gi"',
    fix="write a number with a unit that Kubernetes knows (m, k, M, G, T, Ki, Mi, Gi, Ti)",
)
RESERVED_QUANTITY = pattern(
    "reserved_quantity",
    rf"\+?{_NUMBER}{_UNIT}",
    allowed='a Kubernetes quantity in quotes that is not negative, such as "200m" or "100Mi"',
    fix="write a number with a unit that Kubernetes knows (m, Ki, Mi, Gi)",
)
_EVICTION = pattern(
    "eviction_value",
    rf"([0-9]{{1,2}}(\.[0-9]{{1,2}})?|100(\.0{{1,2}})?)%|[+-]?{_NUMBER}{_UNIT}",
    allowed='a percentage such as "5%" or a quantity such as "500Mi", in quotes',
    fix="write a percentage up to 100% or a quantity",
)
EVICTION_VALUE = stricter(
    _EVICTION,
    codes.EVICTION_THRESHOLD,
    # A branch of the CRD's pattern is empty.
    Rule(
        _EVICTION.id,
        _EVICTION.allowed,
        _EVICTION.fix,
        check=lambda value: value == "" or _EVICTION.check(value),
    ),
)
_DURATION_OR_NEVER = pattern(
    "duration_or_never",
    r"([0-9]+[smh])+|Never",
    allowed='a duration of hours, minutes and seconds, such as "720h" or "1h30m", or Never',
    fix="write whole numbers with h, m or s; there is no unit for days",
)
DURATION_OR_NEVER = dated(
    (
        "0.32.0",
        stricter(
            _DURATION_OR_NEVER,
            codes.OPEN_DURATION,
            open_pattern(
                _DURATION_OR_NEVER.id,
                r"^(([0-9]+(s|m|h))+)|(Never)$",
                allowed=_DURATION_OR_NEVER.allowed,
                fix=_DURATION_OR_NEVER.fix,
            ),
        ),
    ),
    ("1.4.0", _DURATION_OR_NEVER),
)
DURATION = pattern(
    "duration",
    r"([0-9]+[smh])+",
    allowed='a duration of hours, minutes and seconds, such as "48h" or "1h30m"',
    fix="write whole numbers with h, m or s; there is no unit for days",
)
BUDGET_DURATION = pattern(
    "budget_duration",
    r"([0-9]+[hm]|[0-9]+h[0-9]+m)(0s)?",
    allowed='a duration of hours and minutes, such as "8h" or "1h30m"',
    fix="write whole hours and minutes; seconds are not possible here",
)
GO_DURATION = stricter(
    pattern(
        "go_duration",
        r"([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+",
        allowed='a duration such as "2m" or "1m30s"',
        fix="write numbers with h, m or s",
    ),
    codes.GRACE_PERIOD,
)
SUBDOMAIN_253 = _limited(
    pattern(
        "object_name",
        _SUBDOMAIN,
        allowed="a Kubernetes object name: lower-case letters, digits, hyphens and dots, "
        "each part beginning and ending with a letter or digit",
        fix="write it in lower case, with hyphens between words",
    ),
    253,
)
LABEL_KEY = _limited(
    pattern(
        "label_key",
        _LABEL_KEY,
        allowed="a Kubernetes key: an optional DNS prefix with a slash, then up to 63 letters, "
        "digits, hyphens, underscores and dots",
        fix="write it like example.com/team",
    ),
    316,
)
ANNOTATION_KEY = _limited(
    pattern(
        "annotation_key",
        _LABEL_KEY.replace("a-z0-9", "A-Za-z0-9"),
        allowed="a Kubernetes key: an optional DNS prefix with a slash, then up to 63 letters, "
        "digits, hyphens, underscores and dots",
        fix="write it like example.com/team",
    ),
    316,
)
_KEY_FORM = pattern("key_form", _PREFIXED, allowed=LABEL_KEY.allowed, fix=LABEL_KEY.fix)
REQUIREMENT_KEY = stricter(LABEL_KEY, codes.LABEL_KEY, _limited(_KEY_FORM, 316))
TAINT_KEY = stricter(LABEL_KEY, codes.LABEL_KEY, _KEY_FORM)
TEMPLATE_KEY = stricter(LABEL_KEY, codes.LABEL_KEY)
LABEL_VALUE = pattern(
    "label_value",
    r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?",
    allowed="a label value: up to 63 letters, digits, hyphens, underscores and dots, "
    "beginning and ending with a letter or digit",
    fix="shorten it, or keep it as an annotation",
)
REQUIREMENT_VALUE = stricter(LABEL_VALUE, codes.LABEL_VALUE)
TAINT_VALUE = pattern(
    "taint_value",
    _PREFIXED,
    allowed="letters, digits, hyphens, underscores and dots, not empty",
    fix="leave the key out where the taint has no value",
)
TIMESTAMP = pattern(
    "timestamp",
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3])(:[0-5][0-9]){2}"
    r"(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})",
    allowed='a time such as "2030-01-31T12:00:00Z"',
    fix="write it in quotes, or leave it out: Kubernetes fills it",
)
NOT_EMPTY = Rule(
    "not_empty",
    "text that is not empty",
    "give a value, or leave the key out",
    check=lambda value: value != "",
    condition='{v} != ""',
    json_schema={"minLength": 1},
)

ANY_TEXT = Rule("any_text", "any text", "write text", check=lambda _: True)

Quantity = Annotated[Any, QUANTITY]
LabelKey = Annotated[str, TEMPLATE_KEY]
LabelValue = Annotated[str, LABEL_VALUE]
Tags = dict[Annotated[str, NOT_EMPTY], str]
SelectorTags = Annotated[
    dict[Annotated[str, NOT_EMPTY], Annotated[str, NOT_EMPTY]],
    size("selector_tags", 0, 20, unit="tags", fix="select by fewer tags", mapping=True),
]
"""Tags to select by; a value of `*` stands for any value."""
