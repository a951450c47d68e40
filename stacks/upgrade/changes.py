"""What an apply changes on the way from one Karpenter release to the next.

Both releases are rendered for the same cluster, and the results compared: nothing is listed here
by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from modules.core.catalogue import Capability, Release
from modules.iam import events, node, policy
from modules.iam.facts import Facts
from modules.provisioners.kinds import node_class_kind, node_pool_kind
from modules.release.releases import controller_release, crds_release
from stacks.settings import ClusterSettings
from stacks.upgrade.plan import Change
from stacks.wiring import release_settings

_FACTS = Facts("CLUSTER", "aws", "REGION", "ACCOUNT")
_ROLE_ARN = "arn:aws:iam::000000000000:role/node"
_QUEUE_ARN = "arn:aws:sqs:REGION:ACCOUNT:queue"

Flat = dict[str, Any]


def changes(cluster: ClusterSettings, before: Release, after: Release) -> list[Change]:
    """The changes of one leg, area by area."""
    return [
        *(Change("charts", text) for text in _charts(before, after)),
        *(Change("policy", text) for text in policy_changes(before, after)),
        *(Change("values", text) for text in _values(cluster, before, after)),
        *(Change("manifests", text) for text in _manifests(cluster, before, after)),
    ]


def _charts(before: Release, after: Release) -> Iterator[str]:
    yield f"controller: chart {before.chart_version} becomes {after.chart_version}"
    if before.chart_repository != after.chart_repository:
        yield f"charts: from {after.chart_repository} instead of {before.chart_repository}"
    if not after.has(Capability.CRD_CHART):
        yield "CRDs: not changed; Helm never upgrades those of the controller's chart"
    elif before.has(Capability.CRD_CHART):
        yield f"CRDs: chart {before.chart_version} becomes {after.chart_version}"
    else:
        yield f"CRDs: a release of their own, chart {after.chart_version}"


def policy_changes(before: Release, after: Release) -> Iterator[str]:
    """What changes in the controller's permissions, the nodes' policies and the event rules."""
    old, new = _statements(before), _statements(after)
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in new:
            yield f"- {name}"
        elif name not in old:
            yield f"+ {name}: {', '.join(new[name]['Action'])}"
        elif parts := list(_parts(old[name], new[name])):
            yield f"~ {name}: {'; '.join(parts)}"
    had, has = _names(before), _names(after)
    yield from (f"- {name}" for name in had if name not in has)
    yield from (f"+ {name}" for name in has if name not in had)


def _statements(release: Release) -> dict[str, dict[str, Any]]:
    """Every statement by its sid, or by its policy and place."""
    groups = policy.groups(release, _FACTS, _ROLE_ARN)
    groups.append(policy.interruption(release, _QUEUE_ARN))
    return {
        str(statement.get("Sid", f"{group.phrase} {index}")): dict(statement)
        for group in groups
        if isinstance(group.statements, list)
        for index, statement in enumerate(group.statements, 1)
    }


def _parts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for part in ("Action", "Resource"):
        had, has = old[part], new[part]
        yield from (f"{part.lower()} {item} goes" for item in had if item not in has)
        yield from (f"{part.lower()} {item} comes" for item in has if item not in had)
    if old.get("Condition") != new.get("Condition"):
        yield "another condition"


def _names(release: Release) -> list[str]:
    """What else the permissions consist of."""
    return [
        *(f"node role: {managed.name}" for managed in node.managed_policies(release)),
        *(f"event rule: {rule.detail_type}" for rule in events.rules(release)),
    ]


def _values(cluster: ClusterSettings, before: Release, after: Release) -> Iterator[str]:
    for chart in (controller_release, crds_release):
        old, new = (_rendered(chart, cluster, release) for release in (before, after))
        for key in sorted({*old, *new}):
            if key not in new:
                yield f"- {key}"
            elif key not in old:
                yield f"+ {key}: {json.dumps(new[key])}"
            elif old[key] != new[key]:
                yield f"~ {key}: {json.dumps(old[key])} becomes {json.dumps(new[key])}"


def _rendered(chart: Any, cluster: ClusterSettings, release: Release) -> Flat:
    settings = release_settings(
        cluster.model_copy(update={"karpenter_version": release.version}),
        endpoint="https://endpoint",
        controller_role_arn="arn:aws:iam::000000000000:role/controller",
        queue_name="queue",
        default_instance_profile="profile",
    )
    if chart is crds_release and not release.has(Capability.CRD_CHART):
        return {}
    found: Flat = {}
    for document in chart(settings, release).get("values", ()):
        found |= _flat(json.loads(document))
    return found


def _flat(value: Any, path: str = "") -> Flat:
    if isinstance(value, Mapping) and value:
        flat: Flat = {}
        for key, inner in value.items():
            flat |= _flat(inner, f"{path}.{key}" if path else key)
        return flat
    return {path: value}


def _manifests(cluster: ClusterSettings, before: Release, after: Release) -> Iterator[str]:
    for kind_of, objects in (
        (node_class_kind, cluster.node_classes),
        (node_pool_kind, cluster.node_pools),
    ):
        old, new = kind_of(before), kind_of(after)
        if (old.kind, old.api_version) == (new.kind, new.api_version):
            continue
        for name in objects:
            yield (
                f"{name}: {old.kind} ({old.api_version}) becomes {new.kind} ({new.api_version}); "
                "`pipenv run migrate` writes it"
            )
