"""Judges the spec of a NodePool or EC2NodeClass as one Karpenter release would, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.core.faults import Fault, unknown_key
from modules.core.inputs import Settings, parse
from modules.provisioners.api.class_rules import alias_family, class_rules
from modules.provisioners.api.hints import HINTS
from modules.provisioners.api.kubelet import Kubelet
from modules.provisioners.api.node_class import EC2NodeClassSpec
from modules.provisioners.api.node_pool import NodePoolSpec
from modules.provisioners.api.pool_rules import pool_rules
from modules.provisioners.api.rules import Path, SpecRule, judge
from modules.provisioners.api.shape import Node, at_release, shape
from modules.provisioners.spec_notices import notices

__all__ = ["MODELS", "check_spec", "notices", "rules_of"]

MODELS: dict[str, type[Settings]] = {
    names.NODE_POOL: NodePoolSpec,
    names.NODE_CLASS: EC2NodeClassSpec,
}
"""Kind -> the model of its spec, with all that any release knows."""

OPEN_KUBELET = ("al2023", "AL2023", "Custom")
"""Families whose nodes take any kubelet setting, where the release does."""


def rules_of(kind: str, release: Release) -> list[SpecRule]:
    """The rules on more than one value of this kind's spec, for this release."""
    return pool_rules(release) if kind == names.NODE_POOL else class_rules(release)


def check_spec(kind: str, data: Any, release: Release) -> list[Fault]:
    """Every fault of a spec.

    Args:
        kind: `NodePool` or `EC2NodeClass`.
        data: the value of `spec`, as YAML gives it, complete with what the project adds. A
            null counts as absent, as it does for Kubernetes.
        release: the Karpenter release that is to read it.

    Returns:
        The faults, with paths from the spec down; empty where Karpenter takes it.
    """
    if not is_known(data):
        return []
    known = shape(MODELS[kind])
    clean, faults = _known_keys(known, data, (), kind, release)
    _, more = parse(at_release(MODELS[kind], release), clean)
    faulty = frozenset(fault.path for fault in more)
    emptied = {fault.path[:-1] for fault in faults}
    faults += more
    for rule in rules_of(kind, release):
        # What held nothing but such a key is not to blame for being empty as well.
        faults += (f for f in judge(rule, clean, faulty) if f.path not in emptied or f.value != {})
    if kind == names.NODE_CLASS:
        faults += _closed_kubelet(clean, release)
    return faults


def _known_keys(
    node: Node, data: Any, path: Path, kind: str, release: Release
) -> tuple[Any, list[Fault]]:
    """The data without nulls and without keys that the release does not know, and their faults."""
    faults: list[Fault] = []
    if isinstance(data, Mapping) and node.kind in ("object", "map"):
        clean = {}
        for key, value in data.items():
            child = node.item if node.kind == "map" else node.fields.get(key)
            if value is None:
                continue
            if child is None:
                if node.open_from is not None and release.at_least(node.open_from):
                    clean[key] = value
                else:
                    faults.append(_unknown(node, str(key), value, path, kind, release))
            elif child.since is not None and not release.at_least(child.since):
                faults.append(_too_new(child.since, str(key), value, path, release))
            else:
                clean[key], found = _known_keys(child, value, (*path, key), kind, release)
                faults += found
        return clean, faults
    if isinstance(data, list) and node.kind == "list" and node.item is not None:
        items = []
        for index, value in enumerate(data):
            item, found = _known_keys(node.item, value, (*path, index), kind, release)
            items.append(item)
            faults += found
        return items, faults
    return data, faults


def _unknown(node: Node, key: str, value: Any, path: Path, kind: str, release: Release) -> Fault:
    place = ".".join(step for step in path if isinstance(step, str))
    known = [k for k, n in node.fields.items() if release.at_least(n.since or "1.0.0")]
    fault = unknown_key(key, known, value).under(*path)
    hint = HINTS[kind].get((place, key))
    if hint is None:
        return fault
    return Fault(fault.path, fault.problem, fault.allowed, hint, value)


def _too_new(since: str, key: str, value: Any, path: Path, release: Release) -> Fault:
    return Fault(
        (*path, key),
        f"needs Karpenter {since} or later; this is {release.version}",
        f"no {key} with this release",
        f"upgrade Karpenter to {since} or later, or remove {key}",
        value,
    )


def _closed_kubelet(spec: Any, release: Release) -> list[Fault]:
    """Faults of the kubelet settings where the CRD takes any, but the AMI family does not."""
    kubelet = spec.get("kubelet") if isinstance(spec, Mapping) else None
    node = shape(EC2NodeClassSpec).fields["kubelet"]
    if not isinstance(kubelet, Mapping) or node.open_from is None:
        return []
    family = spec.get("amiFamily", alias_family(spec))
    if not release.at_least(node.open_from) or not is_known(family) or family in OPEN_KUBELET:
        return []
    clean, faults = _known_keys(shape(Kubelet), kubelet, ("kubelet",), names.NODE_CLASS, release)
    _, more = parse(Kubelet, clean, "kubelet")
    return faults + more
