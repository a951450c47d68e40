"""One class and one pool in the style of the EKS blueprints' add-on, as Karpenter's own fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from modules.core.catalogue import Release
from modules.core.faults import Fault, Step
from modules.provisioners.add_on_objects import node_class, node_pool, pool_words
from modules.provisioners.add_on_rules import CLASS_SPEC, pool_path, rules
from modules.provisioners.add_on_settings import AddOnSettings, PoolWords
from modules.provisioners.add_on_told import told as lines_of
from modules.provisioners.checks import check
from modules.provisioners.settings import ProvisionerOptions

NAME = "default"
"""The name of the class and of the pool."""

_CLASS_WORDS = {
    "amiSelectorTerms": "amiAlias",
    "securityGroupSelectorTerms": "securityGroupTags",
    "subnetSelectorTerms": "subnetTags",
    "securityGroupSelector": "securityGroupTags",
    "subnetSelector": "subnetTags",
}
"""Karpenter's fields of a class that stand here under another name, and made another way."""

_IN_TEMPLATE = (("template", "metadata"), ("template", "spec"))


@dataclass(frozen=True)
class Translated:
    """What an add-on block says, in the words of the cluster file.

    Args:
        node_classes: the class, by name; none where the block does not select its place.
        node_pools: the pool, by name; likewise.
        told: what became what, line by line.
    """

    node_classes: dict[str, Any]
    node_pools: dict[str, Any]
    told: tuple[str, ...]


def translate(add_on: AddOnSettings, release: Release) -> Translated:
    """The same in Karpenter's fields, as a release has them."""
    api = release.api
    if not makes_pool(add_on):
        return Translated({}, {}, ())
    made = node_class(add_on, api)
    return Translated(
        {NAME: made}, {NAME: node_pool(add_on, api)}, tuple(lines_of(add_on, api, made))
    )


def makes_pool(add_on: AddOnSettings) -> bool:
    """Whether the block says enough for a pool: where its nodes are, and in the last form what."""
    if add_on.ec2_node_class_spec is not None:
        return add_on.node_pool_spec is not None or _speaks_of_pool(add_on)
    return bool(add_on.subnet_tags and add_on.security_group_tags)


def warnings(add_on: AddOnSettings) -> Iterator[Fault]:
    """What is allowed, and may not be what is meant."""
    about_nodes = add_on.model_fields_set - _ABOUT_INSTALLATION
    if makes_pool(add_on) or not about_nodes:
        return
    if add_on.ec2_node_class_spec is not None:
        missing, lacks = "nodePoolSpec", "nodePoolSpec"
    else:
        given = {"subnetTags": add_on.subnet_tags, "securityGroupTags": add_on.security_group_tags}
        lacks = " and ".join(name for name, tags in given.items() if not tags)
        missing = "subnetTags and securityGroupTags"
    yield Fault(
        (),
        f"makes no class and no pool, because it has no {lacks}: Karpenter is installed alone",
        f"{missing}, or nothing about nodes",
        f"add {lacks}, or remove what is about nodes",
    )


def check_add_on(add_on: AddOnSettings, release: Release) -> list[Fault]:
    """Every fault of the block and of what it becomes, with paths as in the block."""
    own = rules(add_on, release)
    told_of = {fault.path for fault in own}
    options = ProvisionerOptions(
        node_classes={NAME: node_class(add_on, release.api)},
        node_pools={NAME: node_pool(add_on, release.api)},
    )
    # What is said about a pool is judged even where none is made.
    settings = ("nodeClasses", "nodePools") if makes_pool(add_on) else ("nodePools",)
    found = (fault for fault in check(options, release) if fault.path[0] in settings)
    told = (placed(fault, add_on) for fault in found)
    return [*own, *(fault for fault in told if not _is_at(fault.path, told_of))]


_ABOUT_INSTALLATION = {
    *("interruption_handling", "values", "version", "namespace", "release", "repository"),
    *("helm_chart_timeout", "install_crds", "pod_identity"),
}
"""Fields that say nothing about nodes."""


def _speaks_of_pool(add_on: AddOnSettings) -> bool:
    return bool(add_on.model_fields_set & {*PoolWords.model_fields, "provisioner_specs"})


def _is_at(path: tuple[Step, ...], places: set[tuple[Step, ...]]) -> bool:
    return any(path[: len(place)] == place for place in places)


def placed(fault: Fault, add_on: AddOnSettings) -> Fault:
    """A fault of what the block becomes, told in the block's own words."""
    setting, _, *steps = fault.path
    if setting == "nodePools":
        older = steps[:1] == ["disruption"] and pool_words(add_on).disruption is None
        fix = f"write disruption in Karpenter's words instead: {fault.fix}" if older else fault.fix
        return replace(fault, path=_pool_path(tuple(steps), add_on), fix=fix)
    if add_on.ec2_node_class_spec is not None:
        return replace(fault, path=(CLASS_SPEC, *steps))
    field = str(steps[0]) if steps else ""
    return replace(
        fault,
        path=(_CLASS_WORDS[field],) if field in _CLASS_WORDS else tuple(steps),
        problem=_in_our_words(fault.problem),
        allowed=_in_our_words(fault.allowed),
        fix=_in_our_words(fault.fix),
    )


def _in_our_words(text: str) -> str:
    for theirs, ours in _CLASS_WORDS.items():
        text = text.replace(theirs, ours)
    return text


def _pool_path(steps: tuple[Step, ...], add_on: AddOnSettings) -> tuple[Step, ...]:
    """Where something stands that is at `steps` in the pool that was made."""
    words = pool_words(add_on)
    if steps[:2] in _IN_TEMPLATE:
        steps = steps[2:]
    if steps[:2] == ("limits", "resources") and "resources" not in words.limits:
        steps = ("limits", *steps[2:])
    if steps[:1] == ("requirements",):
        return _requirement_path(steps, add_on)
    if steps[-1:] == ("expireAfter",) and words.expire_after is None and not words.disruption:
        steps = ("ttlSecondsUntilExpired",)
    elif steps[-1:] == ("expireAfter",):
        steps = ("expireAfter",) if words.expire_after is not None else ("disruption", *steps[-1:])
    if steps[:1] == ("disruption",) and words.disruption is None:
        older = {
            "consolidation": words.consolidation,
            "ttlSecondsAfterEmpty": words.ttl_seconds_after_empty,
        }
        steps = tuple(name for name, given in older.items() if given is not None)
    return pool_path(add_on, *steps)


def _requirement_path(steps: tuple[Step, ...], add_on: AddOnSettings) -> tuple[Step, ...]:
    given = pool_words(add_on).requirements
    _, *rest = steps
    index = rest[0] if rest else None
    if add_on.provisioner_specs:
        key = list(add_on.provisioner_specs)[index] if isinstance(index, int) else None
        return ("provisionerSpecs",) if key is None else ("provisionerSpecs", key)
    one = given[index] if isinstance(index, int) and index < len(given) else None
    ours = {
        "operator": "op" if one is not None and one.op is not None else "operator",
        "values": "values" if one is not None and one.values is not None else "vals",
    }
    return pool_path(add_on, "requirements", *(ours.get(str(s), s) for s in rest))
