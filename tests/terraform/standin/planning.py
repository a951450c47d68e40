"""What a provider plans: unknowns, defaults, tags_all, suppressed differences, replacements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import facts, schema
from .documents import equivalent
from .schema import Block
from .values import UNKNOWN, State, has_unknown


@dataclass(frozen=True)
class Plan:
    planned: State
    replace: list[str]


def _fill_defaults(type_name: str, planned: State) -> None:
    for name, value in facts.DEFAULTS.get(type_name, {}).items():
        if planned.get(name) is None:
            planned[name] = value


def _suppress_equivalents(planned: State, prior: State) -> None:
    for name in facts.JSON_POLICIES | facts.JSON_DOCUMENTS:
        if equivalent(name, planned.get(name), prior.get(name)):
            planned[name] = prior[name]


def all_tags(planned: State, default_tags: dict[str, str]) -> Any:
    """``tags_all``: the provider's default tags and over them the resource's own."""
    tags = planned.get("tags")
    if has_unknown(tags):
        return UNKNOWN
    return {**default_tags, **(tags or {})}


def plan_create(
    type_name: str, block: Block, planned: State, default_tags: dict[str, str], region: str
) -> State:
    """Null computed attributes become unknown, unless the provider knows them already."""
    _fill_defaults(type_name, planned)

    def computed(_name: str, attribute: Block, value: Any) -> Any:
        return UNKNOWN if value is None and attribute.get("computed") else value

    schema.walk(block, planned, computed)
    _settle(block, planned, default_tags, region)
    return planned


def _settle(block: Block, planned: State, default_tags: dict[str, str], region: str) -> None:
    if "tags_all" in block["attributes"]:
        planned["tags_all"] = all_tags(planned, default_tags)
    if "region" in block["attributes"] and planned.get("region") in (None, UNKNOWN):
        planned["region"] = region


def plan_update(
    type_name: str,
    block: Block,
    prior: State,
    planned: State,
    default_tags: dict[str, str],
    region: str,
) -> Plan:
    """Plan against what is there; names the attributes that force a replacement."""
    _fill_defaults(type_name, planned)
    _suppress_equivalents(planned, prior)
    _settle(block, planned, default_tags, region)
    changed = [
        name
        for name in facts.FORCE_NEW.get(type_name, ())
        if planned.get(name) is UNKNOWN or planned.get(name) != prior.get(name)
    ]
    return Plan(planned, changed)
