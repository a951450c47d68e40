"""What is allowed in a NodePool or EC2NodeClass and still worth a word.

Sources: the EKS best-practices guide and Karpenter's issues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.core.inputs import PLACEHOLDER
from modules.provisioners.api.alias_rules import alias_family

_LIMITS_NODES = "1.11.0"
"""First release that holds every pool to limits.nodes."""

_BOTTLEROCKET_DEVICES = {"/dev/xvda", "/dev/xvdb"}


def notices(kind: str, data: Any, release: Release) -> list[str]:
    """What to tell the user about a valid spec, one sentence or two each.

    Args:
        kind: `NodePool` or `EC2NodeClass`.
        data: a spec that `check_spec` finds no fault in.
        release: the Karpenter release that is to read it.
    """
    if not isinstance(data, Mapping):
        return []
    return _pool(data, release) if kind == names.NODE_POOL else _class(data)


def _pool(spec: Mapping[str, Any], release: Release) -> list[str]:
    found = []
    limits = spec.get("limits") or {}
    if not limits and spec.get("replicas") is None:
        found.append("limits: there are none, so the pool may grow without end. Set cpu at least.")
    if "nodes" in limits and not release.at_least(_LIMITS_NODES):
        found.append(
            f"limits.nodes: Karpenter holds to it from {_LIMITS_NODES} on; this is "
            f"{release.version}. Limit cpu as well."
        )
    budgets = (spec.get("disruption") or {}).get("budgets") or []
    if any(_blocks_drift(budget) for budget in budgets if isinstance(budget, Mapping)):
        found.append(
            "disruption.budgets: a budget of 0 nodes without a schedule holds back every new "
            "image and every change of the pool for ever. Give it a schedule and a duration."
        )
    return found


def _blocks_drift(budget: Mapping[str, Any]) -> bool:
    reasons = budget.get("reasons")
    always = budget.get("schedule") is None
    return always and budget.get("nodes") in ("0", "0%") and (not reasons or "Drifted" in reasons)


def _class(spec: Mapping[str, Any]) -> list[str]:
    found = [
        f"{path}: {value} is taken as it stands. Nothing fills in what stands in {PLACEHOLDER}}}."
        for field, given in spec.items()
        if field != "userData"
        for path, value in _texts(given, field)
        if PLACEHOLDER in value
    ]
    terms = spec.get("amiSelectorTerms")
    for index, term in enumerate(terms if isinstance(terms, list) else ()):
        alias = term.get("alias") if isinstance(term, Mapping) else None
        if isinstance(alias, str) and alias.endswith("@latest") and not alias.startswith("windows"):
            found.append(
                f"amiSelectorTerms[{index}].alias: {alias} replaces every node when AWS releases "
                "an image. Pin the version in production."
            )
    if (spec.get("amiFamily") or alias_family(spec) or "").lower() == "bottlerocket":
        found += _bottlerocket(spec)
    return found


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Each literal text in a value, and where it is."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{index}]")
    elif isinstance(value, str) and is_known(value):
        yield path, value


def _bottlerocket(spec: Mapping[str, Any]) -> list[str]:
    found = []
    mappings = spec.get("blockDeviceMappings") or []
    devices = {m.get("deviceName") for m in mappings if isinstance(m, Mapping)}
    missing = sorted(_BOTTLEROCKET_DEVICES - devices)
    if mappings and missing:
        found.append(
            f"blockDeviceMappings: Bottlerocket has two disks, and {', '.join(missing)} is not "
            "among these mappings, which replace the default ones. Add it."
        )
    if (spec.get("kubelet") or {}).get("podsPerCore") is not None:
        found.append("kubelet.podsPerCore: Bottlerocket ignores it. Use maxPods.")
    return found
