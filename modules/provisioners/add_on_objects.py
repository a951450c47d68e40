"""The class and the pool of an add-on block, in the fields of each generation of Karpenter's API.

What generations say differently is translated as Karpenter's migration guides do (v1alpha5 to
v1beta1 to v1); everything else is Karpenter's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.core.catalogue import Api
from modules.provisioners.add_on_settings import AddOnSettings, PoolWords, Requirement
from modules.provisioners.translation import duration, images, terms

NEVER = "Never"

_UNDERUTILIZED = {Api.V1BETA1: "WhenUnderutilized", Api.V1: "WhenEmptyOrUnderutilized"}
_AT_ONCE = "0s"


def requirements(add_on: AddOnSettings) -> list[dict[str, Any]]:
    """What nodes must be, from the first or a later form."""
    given = [Requirement(key=k, op="In", vals=v) for k, v in add_on.provisioner_specs.items()]
    return [
        _given(key=r.key, operator=r.op or r.operator, values=list(r.vals or r.values or ()))
        for r in (given or pool_words(add_on).requirements)
    ]


def pool_words(add_on: AddOnSettings) -> PoolWords:
    """Where the block speaks of the pool."""
    return add_on if add_on.node_pool_spec is None else add_on.node_pool_spec


def node_class(add_on: AddOnSettings, api: Api) -> dict[str, Any]:
    """The spec of the class."""
    if add_on.ec2_node_class_spec is not None:
        return dict(add_on.ec2_node_class_spec)
    if api is Api.V1ALPHA5:
        return _given(
            amiFamily=add_on.ami_family,
            amiSelector=dict(add_on.ami_selector),
            subnetSelector=dict(add_on.subnet_tags),
            securityGroupSelector=dict(add_on.security_group_tags),
            tags=dict(add_on.tags),
        )
    return _given(
        amiFamily=add_on.ami_family,
        amiSelectorTerms=_images(add_on, api),
        subnetSelectorTerms=list(terms(add_on.subnet_tags)),
        securityGroupSelectorTerms=list(terms(add_on.security_group_tags)),
        tags=dict(add_on.tags),
    )


def node_pool(add_on: AddOnSettings, api: Api) -> dict[str, Any]:
    """The spec of the pool."""
    words = pool_words(add_on)
    node: dict[str, Any] = {
        "taints": list(words.taints),
        "startupTaints": list(words.startup_taints),
    }
    metadata = _given(labels=dict(words.labels), annotations=dict(words.annotations))
    rest = {"limits": limits(words), "weight": words.weight}
    if api is Api.V1ALPHA5:
        consolidation = words.consolidation and {"enabled": words.consolidation.enabled}
        return _given(
            requirements=requirements(add_on),
            **metadata,
            **node,
            consolidation=consolidation,
            ttlSecondsAfterEmpty=words.ttl_seconds_after_empty,
            ttlSecondsUntilExpired=words.ttl_seconds_until_expired,
            limits=rest["limits"] and {"resources": rest["limits"]},
            weight=words.weight,
        )
    if api is Api.V1:
        node["terminationGracePeriod"] = words.termination_grace_period
    going, expiry = disruption(words, api), expiry_of(add_on)
    if api is Api.V1BETA1:
        going = _given(**going, expireAfter=expiry)
        expiry = None
    # Requirements are asked for, even where there are none.
    spec = {**_given(**node, expireAfter=expiry), "requirements": requirements(add_on)}
    template = _given(metadata=metadata, spec=spec)
    return _given(template=template, disruption=going, **rest)


def disruption(words: PoolWords, api: Api) -> dict[str, Any]:
    """When nodes go before they expire; empty where that is left to Karpenter."""
    if words.disruption is not None:
        given = {key: value for key, value in words.disruption.items() if key != "expireAfter"}
        if api is Api.V1 and given.get("consolidationPolicy") == _UNDERUTILIZED[Api.V1BETA1]:
            policy = _UNDERUTILIZED[Api.V1]
            return {"consolidateAfter": _AT_ONCE, **given, "consolidationPolicy": policy}
        return given
    if words.ttl_seconds_after_empty is not None:
        after = duration(words.ttl_seconds_after_empty)
        return {"consolidationPolicy": "WhenEmpty", "consolidateAfter": after}
    if words.consolidation is None and not isinstance(words, AddOnSettings):
        return {}
    if words.consolidation is not None and words.consolidation.enabled:
        at_once = {} if api is Api.V1BETA1 else {"consolidateAfter": _AT_ONCE}
        return {"consolidationPolicy": _UNDERUTILIZED[api], **at_once}
    if api is Api.V1BETA1:
        return {"consolidationPolicy": "WhenEmpty", "consolidateAfter": NEVER}
    return {"consolidationPolicy": _UNDERUTILIZED[api], "consolidateAfter": NEVER}


def expiry_of(add_on: AddOnSettings) -> str | None:
    """When nodes expire; None where that is left to Karpenter."""
    words = pool_words(add_on)
    if words.expire_after is not None:
        return words.expire_after
    if words.disruption is not None and (given := words.disruption.get("expireAfter")) is not None:
        return str(given)
    if words.ttl_seconds_until_expired is not None:
        return duration(words.ttl_seconds_until_expired)
    return NEVER if words is add_on and words.disruption is None else None


def limits(words: PoolWords) -> dict[str, Any]:
    """What all nodes may have together, also where it is written as Provisioners had it."""
    inner = words.limits.get("resources")
    return (
        dict(inner)
        if set(words.limits) == {"resources"} and isinstance(inner, Mapping)
        else (dict(words.limits))
    )


def _images(add_on: AddOnSettings, api: Api) -> list[dict[str, Any]]:
    """The terms that select images; from 1.0 on, a family alone stands for its newest one."""
    if add_on.ami_selector:
        return images(add_on.ami_selector)
    alias = add_on.ami_alias
    if alias is None and add_on.ami_family and api is Api.V1:
        alias = f"{add_on.ami_family.lower()}@latest"
    return [] if alias is None else [{"alias": alias}]


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, [], {})}
