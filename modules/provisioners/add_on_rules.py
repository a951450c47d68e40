"""Rules on an add-on block itself: which of its words go together, and with which release.

Sources: the add-on's own checks and documentation; Karpenter's upgrade guide (when fields came).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic.alias_generators import to_camel

from modules.core import names
from modules.core.catalogue import NEWEST_KNOWN, Api, Release
from modules.core.expressions import is_known
from modules.core.faults import ABSENT, Fault, Step
from modules.provisioners.add_on_objects import pool_words
from modules.provisioners.add_on_settings import AddOnSettings, Consolidation, PoolWords
from modules.provisioners.kinds import generation

POOL_SPEC, CLASS_SPEC = "nodePoolSpec", "ec2NodeClassSpec"

_CLASS_WORDS = (
    *("subnet_tags", "security_group_tags", "ami_alias", "ami_family", "ami_selector"),
    "tags",
)
_POOL_WORDS = (*PoolWords.model_fields, "provisioner_specs")


@dataclass(frozen=True)
class Dated:
    """A word about the pool that only some releases understand.

    Args:
        word: the setting.
        since: the first release that does.
        fix: what to do before.
    """

    word: str
    since: str
    fix: str


DATED = (
    Dated(
        "consolidation",
        "0.15.0",
        "use 0.15.0 or later, or ttlSecondsAfterEmpty, which removes empty nodes",
    ),
    Dated("weight", "0.16.0", "use 0.16.0 or later, or remove it"),
    Dated(
        "disruption",
        "0.32.0",
        "use 0.32.0 or later, or write consolidation, ttlSecondsAfterEmpty and "
        "ttlSecondsUntilExpired",
    ),
    Dated("expire_after", "0.32.0", "use 0.32.0 or later, or write ttlSecondsUntilExpired"),
    Dated("termination_grace_period", "1.0.0", "use 1.0.0 or later, or remove it"),
)

_RESERVED = (
    f"{names.NODE_POOL_GROUP}/",
    f"{names.NODE_CLASS_GROUP}/",
    names.CLUSTER_TAG_PREFIX,
)
"""Where tags begin that Karpenter sets, and finds its instances by."""


def rules(add_on: AddOnSettings, release: Release) -> list[Fault]:
    """Every fault of the block that its class and pool do not show."""
    found: tuple[Callable[[AddOnSettings, Release], Iterator[Fault]], ...] = (
        _forms,
        _selectors,
        _dated,
        _twice,
        _images,
        _labels,
        _tags,
    )
    return [fault for rule in found for fault in rule(add_on, release)]


def pool_path(add_on: AddOnSettings, *steps: Step) -> tuple[Step, ...]:
    """Where something about the pool stands in the block."""
    return steps if add_on.node_pool_spec is None else (POOL_SPEC, *steps)


def _forms(add_on: AddOnSettings, _: Release) -> Iterator[Fault]:
    """The forms of the block are not mixed."""
    if add_on.node_pool_spec is not None:
        for word in _given(add_on, _POOL_WORDS):
            yield _beside(word, POOL_SPEC, f"move it into {POOL_SPEC}")
        if add_on.ec2_node_class_spec is None and not _given(add_on, _CLASS_WORDS):
            yield Fault(
                (CLASS_SPEC,),
                f"is missing beside {POOL_SPEC}",
                "the class of the pool's nodes, in Karpenter's own fields",
                f"add it, with image, subnets and security groups; or remove {POOL_SPEC}",
            )
    elif add_on.provisioner_specs and add_on.requirements:
        yield _beside("provisioner_specs", "requirements", "move it into requirements")
    if add_on.ec2_node_class_spec is not None:
        for word in _given(add_on, _CLASS_WORDS):
            yield _beside(word, CLASS_SPEC, f"move it into {CLASS_SPEC}")


def _selectors(add_on: AddOnSettings, release: Release) -> Iterator[Fault]:
    """A class in Karpenter's own fields selects both, as the add-on asks for."""
    spec = add_on.ec2_node_class_spec
    for field in generation(release).selectors if spec is not None else ():
        if is_known(spec) and not (spec or {}).get(field):
            yield Fault(
                (CLASS_SPEC, field),
                "is missing",
                "both subnets and security groups selected",
                f"add it: the tags of the cluster's own, such as {names.DISCOVERY_TAG}",
            )


def _dated(add_on: AddOnSettings, release: Release) -> Iterator[Fault]:
    words = pool_words(add_on)
    for dated in DATED:
        if _given(words, (dated.word,)) and not release.at_least(dated.since):
            yield Fault(
                pool_path(add_on, to_camel(dated.word)),
                f"is nothing that Karpenter {release.version} understands",
                f"from Karpenter {dated.since} on",
                f"{dated.fix}; {NEWEST_KNOWN}",
                _plain(getattr(words, dated.word)),
            )


def _twice(add_on: AddOnSettings, _: Release) -> Iterator[Fault]:
    """One thing is said in one way."""
    words = pool_words(add_on)
    inner = words.disruption or {}
    for word, here in (
        ("consolidation", words.disruption is not None),
        ("ttl_seconds_after_empty", words.disruption is not None),
        ("ttl_seconds_until_expired", words.expire_after is not None or "expireAfter" in inner),
        ("expire_after", "expireAfter" in inner),
    ):
        if here and _given(words, (word,)):
            yield Fault(
                pool_path(add_on, to_camel(word)),
                "is said twice, in older and in newer words",
                "each thing once",
                "remove it, or what says the same in Karpenter's newer words",
                _plain(getattr(words, word)),
            )


def _images(add_on: AddOnSettings, release: Release) -> Iterator[Fault]:
    if add_on.ami_alias is None:
        return
    if release.api is not Api.V1:
        yield Fault(
            ("amiAlias",),
            f"is nothing that Karpenter {release.version} understands",
            "from Karpenter 1.0.0 on",
            f"write amiFamily, and amiSelector where one image is meant; {NEWEST_KNOWN}",
            add_on.ami_alias,
        )
    elif add_on.ami_selector:
        yield _beside("ami_selector", "amiAlias", "remove one of the two")


def _labels(add_on: AddOnSettings, _: Release) -> Iterator[Fault]:
    for key, value in pool_words(add_on).labels.items():
        if key.startswith(f"{names.AUTO_MODE_GROUP}/"):
            yield Fault(
                pool_path(add_on, "labels", key),
                "is a label of EKS Auto Mode, which gives it to the nodes that it makes itself",
                "labels of your own, and Karpenter's",
                f"remove it: Karpenter's own labels begin with {names.NODE_CLASS_GROUP}/",
                value,
            )


def _tags(add_on: AddOnSettings, _: Release) -> Iterator[Fault]:
    inner = (add_on.ec2_node_class_spec or {}).get("tags")
    at: tuple[Step, ...] = ("tags",) if inner is None else (CLASS_SPEC, "tags")
    tags = add_on.tags if inner is None else inner
    for key in tags if isinstance(tags, dict) and is_known(tags) else ():
        if isinstance(key, str) and f"{key}/".startswith(_RESERVED):
            yield Fault(
                (*at, key),
                "is a tag that Karpenter sets itself",
                f"any tags, Name too, but those in {', '.join(p.rstrip('/') for p in _RESERVED)}",
                "remove the tag, or rename it",
                tags[key],
            )


def _given(words: PoolWords, fields: tuple[str, ...]) -> list[str]:
    return [name for name in fields if getattr(words, name) not in (None, [], {})]


def _beside(word: str, other: str, fix: str) -> Fault:
    return Fault(
        (to_camel(word),),
        f"is given beside {other}",
        "what is said, said in one place",
        fix,
        ABSENT,
    )


def _plain(value: object) -> object:
    return {"enabled": value.enabled} if isinstance(value, Consolidation) else value
