"""What an add-on block becomes where Karpenter's own words differ, told line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from modules.core.catalogue import Api
from modules.provisioners.add_on_objects import disruption, expiry_of, pool_words, requirements
from modules.provisioners.add_on_settings import AddOnSettings, PoolWords

_SELECTORS = (
    ("subnet_tags", "subnetTags", "subnetSelectorTerms"),
    ("security_group_tags", "securityGroupTags", "securityGroupSelectorTerms"),
    ("ami_selector", "amiSelector", "amiSelectorTerms"),
)


def told(add_on: AddOnSettings, api: Api, node_class: dict[str, Any]) -> Iterator[str]:
    """What was translated, and into what.

    Args:
        node_class: the class that the block becomes.
    """
    if add_on.provisioner_specs:
        yield _line("provisionerSpecs", None, "requirements", requirements(add_on))
    if api is Api.V1ALPHA5:
        return
    words = pool_words(add_on)
    prefix = "" if words is add_on else "nodePoolSpec."
    yield from _pool(add_on, words, prefix, api)
    for field, name, place in _SELECTORS:
        if getattr(add_on, field):
            yield _line(name, None, place, node_class.get(place, []))
    alone = api is Api.V1 and add_on.ami_alias is None and not add_on.ami_selector
    if add_on.ami_family and alone:
        yield _line(
            "amiFamily", add_on.ami_family, "amiSelectorTerms", node_class["amiSelectorTerms"]
        )


def _pool(add_on: AddOnSettings, words: PoolWords, prefix: str, api: Api) -> Iterator[str]:
    going = disruption(words, api)
    if words.consolidation is not None:
        enabled = {"enabled": words.consolidation.enabled}
        yield _line(f"{prefix}consolidation", enabled, "disruption", going)
    if words.ttl_seconds_after_empty is not None:
        yield _line(
            f"{prefix}ttlSecondsAfterEmpty", words.ttl_seconds_after_empty, "disruption", going
        )
    if words.disruption is not None and not going.items() <= words.disruption.items():
        yield _line(f"{prefix}disruption", None, "disruption", going)
    expiry = {Api.V1BETA1: "disruption", Api.V1: "template.spec"}[api]
    in_disruption = words.disruption is not None and "expireAfter" in words.disruption
    for name, given, moves in (
        ("ttlSecondsUntilExpired", words.ttl_seconds_until_expired, True),
        ("expireAfter", words.expire_after, True),
        ("disruption.expireAfter", in_disruption or None, api is Api.V1),
    ):
        if given is not None and moves:
            value = None if given is True else given
            yield _line(f"{prefix}{name}", value, f"{expiry}.expireAfter", expiry_of(add_on))
    if "resources" in words.limits:
        yield _line(f"{prefix}limits.resources", None, "limits", words.limits["resources"])


def _line(name: str, given: object, place: str, value: object) -> str:
    was = name if given is None else f"{name}: {_text(given)}"
    return f"addOn.{was} is written as {place}: {_text(value)}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
