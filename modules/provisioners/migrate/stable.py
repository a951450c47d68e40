"""NodePools and EC2NodeClasses of v1beta1 as those of v1.

The kubelet's settings move from the pool to its class, so that pools and classes are converted
together. Source: Karpenter's migration guide to v1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, Final

from modules.core import names
from modules.provisioners.migrate.made import Made, Object, Result, present

POOL_VERSION: Final = f"{names.NODE_POOL_GROUP}/v1"
CLASS_VERSION: Final = f"{names.NODE_CLASS_GROUP}/v1"

_EXPIRY: Final = "720h"
_POLICY: Final = "WhenEmptyOrUnderutilized"
_HOPS: Final = 2
_ALIASES: Final = {
    "AL2": "al2",
    "AL2023": "al2023",
    "Bottlerocket": "bottlerocket",
    "Windows2019": "windows2019",
    "Windows2022": "windows2022",
}
"""Family -> its name in an alias."""
_UBUNTU: Final = "Ubuntu"
_NOT_SET: Final = "null"


_OLD_HOLDS: Final = (names.DO_NOT_CONSOLIDATE_ANNOTATION, names.DO_NOT_EVICT_ANNOTATION)
"""Annotations that kept nodes and pods in place, which v1 reads no more."""


def convert(pools: Iterable[Made], classes: Iterable[Made], result: Result) -> None:
    """Adds the v1 forms of pools and classes; what was noted before stays at its field."""
    pools, classes = list(pools), list(classes)
    kubelets = _kubelets(pools)
    taken = {made.name for made in classes}
    variants = {made.name: _variants(made.name, kubelets, taken) for made in classes}
    for made in classes:
        for name, kubelet in variants[made.name].items():
            _class(made, name, kubelet, result)
    for made in pools:
        _pool(made, variants, result)


def _kubelets(pools: Iterable[Made]) -> dict[str, list[str]]:
    """By class: the different kubelet settings of its pools, as JSON, in the order of the pools."""
    found: dict[str, list[str]] = {}
    for made in pools:
        node = _node(made.manifest)
        wanted = found.setdefault(str((node.get("nodeClassRef") or {}).get("name")), [])
        text = _settings(node.get("kubelet"))
        if text not in wanted:
            wanted.append(text)
    return found


def _settings(kubelet: object) -> str:
    """Kubelet settings as JSON; empty ones are none."""
    return json.dumps(kubelet or None, sort_keys=True)


def _variants(name: str, kubelets: Mapping[str, list[str]], taken: set[str]) -> dict[str, str]:
    """The classes that one becomes: their names, and the kubelet settings of each as JSON.

    The first keeps the name; the others get numbers that no class has, and take them.
    """
    first, *others = kubelets.get(name, [_NOT_SET])
    found = {name: first}
    for text in others:
        copy = next(f"{name}-{n}" for n in count(2) if f"{name}-{n}" not in taken)
        taken.add(copy)
        found[copy] = text
    return found


def _held(template: Mapping[str, Any], made: Made) -> Mapping[str, Any]:
    """The template with the annotation that v1 reads in place of the older ones."""
    metadata = template.get("metadata") or {}
    annotations = dict(metadata.get("annotations") or {})
    for old in _OLD_HOLDS:
        if old in annotations:
            value = annotations.pop(old)
            annotations.setdefault(names.DO_NOT_DISRUPT_ANNOTATION, value)
            path = ("spec", "template", "metadata", "annotations")
            made.note(f"v1 has {names.DO_NOT_DISRUPT_ANNOTATION} for {old}", *path)
    if not annotations:
        return template
    return {**template, "metadata": {**metadata, "annotations": annotations}}


def _node(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    node: Mapping[str, Any] = manifest["spec"].get("template", {}).get("spec", {})
    return node


def _pool(given: Made, variants: Mapping[str, Mapping[str, str]], result: Result) -> None:
    spec, node = given.manifest["spec"], dict(_node(given.manifest))
    made = Made({**given.manifest, "apiVersion": POOL_VERSION}, list(given.notes))
    kubelet = node.pop("kubelet", None)
    reference = node.pop("nodeClassRef", None) or {}
    name = str(reference.get("name"))
    if name in variants:
        text = _settings(kubelet)
        name = next(variant for variant, wanted in variants[name].items() if wanted == text)
    elif kubelet:
        result.refuse(
            given.key,
            ("spec", "template", "spec", "kubelet"),
            f"moves to the EC2NodeClass {name}, which is not among these files",
            "the class beside its pools",
            "give the class as well; pools with different kubelet settings need classes of their "
            "own",
        )
    if node.pop("resources", None) is not None:
        made.note("resources is left out: Karpenter read it nowhere", *_SPEC, lossy=True)
    disruption = dict(spec.get("disruption") or {})
    expiry = disruption.pop("expireAfter", None)
    if expiry is None:
        made.note(f"{_EXPIRY} was the default", *_SPEC, "expireAfter")
    if disruption.get("budgets"):
        made.note("from v1 on, budgets do not hold expiry back", *_SPEC, "expireAfter")
    going = _going(disruption, made)
    made.manifest["spec"] = {
        **spec,
        "template": {
            **_held(spec.get("template", {}), made),
            "spec": {
                **node,
                "nodeClassRef": {
                    "group": names.NODE_CLASS_GROUP,
                    "kind": names.NODE_CLASS,
                    "name": name,
                },
                "expireAfter": expiry or _EXPIRY,
            },
        },
        "disruption": going,
    }
    made.notes = [_moved(note) for note in made.notes]
    result.objects.append(made)


_SPEC: Final = ("spec", "template", "spec")


def _moved(note: Any) -> Any:
    """A note at the place that its field has in v1."""
    if note.path == ("spec", "disruption", "expireAfter"):
        return type(note)((*_SPEC, "expireAfter"), note.text, note.lossy)
    if note.path[:4] == (*_SPEC, "kubelet"):
        return type(note)(_SPEC, note.text, note.lossy)
    return note


def _going(disruption: Object, made: Made) -> Object:
    """When nodes are consolidated; v1 wants both the policy and the time."""
    policy = disruption.pop("consolidationPolicy", None)
    after = disruption.pop("consolidateAfter", None)
    place = ("spec", "disruption")
    if policy == "WhenEmpty":
        return {"consolidationPolicy": policy, "consolidateAfter": after, **disruption}
    if policy is None:
        made.note("consolidation of underused nodes was the default", *place, "consolidationPolicy")
    else:
        made.note(f"{policy} has this name in v1", *place, "consolidationPolicy")
    if after is None:
        made.note("at once, as before; v1 wants it said", *place, "consolidateAfter")
    return {"consolidationPolicy": _POLICY, "consolidateAfter": after or "0s", **disruption}


def _class(given: Made, name: str, kubelet: str, result: Result) -> None:
    spec = dict(given.manifest["spec"])
    metadata = {**given.manifest["metadata"], "name": name}
    made = Made(
        {**given.manifest, "apiVersion": CLASS_VERSION, "metadata": metadata}, list(given.notes)
    )
    if name != given.name:
        made.note(
            f"a copy of {given.name}: its pools had different kubelet settings, which now stand "
            "in the class",
            "metadata",
            "name",
        )
    family = spec.get("amiFamily")
    if family == _UBUNTU:
        if not spec.get("amiSelectorTerms"):
            result.refuse(
                given.key,
                ("spec", "amiFamily"),
                "Ubuntu is no family of v1",
                "amiSelectorTerms that select the Ubuntu images",
                "select the images; their user data is written like that of AL2",
            )
            return
        spec["amiFamily"] = "AL2"
        text = "v1 has no Ubuntu: the images stay, and get user data like those of AL2"
        made.note(text, "spec", "amiFamily", lossy=True)
    if not spec.get("amiSelectorTerms") and family in _ALIASES:
        alias = f"{_ALIASES[family]}@latest"
        spec = _before(spec, "subnetSelectorTerms", amiSelectorTerms=[{"alias": alias}])
        text = "the newest image, as before; pin it, or each new one replaces every node"
        made.note(text, "spec", "amiSelectorTerms")
    options = dict(spec.pop("metadataOptions", None) or {})
    if options.get("httpPutResponseHopLimit") is None:
        options["httpPutResponseHopLimit"] = _HOPS
        text = f"{_HOPS} was the default; v1's is 1, which pods cannot reach through"
        made.note(text, "spec", "metadataOptions", "httpPutResponseHopLimit")
    settings = json.loads(kubelet)
    if settings:
        made.note("moved here from the pools", "spec", "kubelet")
    made.manifest["spec"] = {**spec, "metadataOptions": options, **present(kubelet=settings)}
    result.objects.append(made)


def _before(spec: Object, field: str, **added: Any) -> Object:
    """The spec with fields added before another one, or at its end."""
    if field not in spec:
        return {**spec, **added}
    at = list(spec).index(field)
    items = list(spec.items())
    return {**dict(items[:at]), **added, **dict(items[at:])}
