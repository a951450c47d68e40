"""Every release with one neutral configuration, at the newest Kubernetes that it supports.

Permissions, chart values and manifests are made by the same pure functions as for a stack, and
compared with what Karpenter's own repository has for exactly that release.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import RELEASES, Api, Release, Version
from modules.provisioners import objects
from modules.provisioners.kinds import ObjectKind, generation
from modules.provisioners.settings import ProvisionerSettings
from modules.release.releases import controller_release, crds_release
from modules.release.settings import ReleaseSettings
from stacks.rules import check_cluster
from stacks.settings import ClusterSettings
from tests.iam.baseline import ours, upstream
from tests.provisioners.crd import crd_spec, refusals

REQUIREMENTS = [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]
NEUTRAL: dict[Api, dict[str, Any]] = {
    Api.V1ALPHA5: {
        "node_classes": {"default": {"amiFamily": "Bottlerocket"}},
        "node_pools": {
            "default": {
                "requirements": REQUIREMENTS,
                "limits": {"resources": {"cpu": "100"}},
                "ttlSecondsAfterEmpty": 60,
            }
        },
    },
    Api.V1BETA1: {
        "node_classes": {"default": {"amiFamily": "Bottlerocket"}},
        "node_pools": {
            "default": {
                "template": {"spec": {"requirements": REQUIREMENTS}},
                "limits": {"cpu": "100"},
            }
        },
    },
    Api.V1: {
        "node_classes": {"default": {"amiSelectorTerms": [{"alias": "bottlerocket@v1.49.0"}]}},
        "node_pools": {
            "default": {
                "template": {
                    "spec": {
                        "requirements": REQUIREMENTS,
                        "expireAfter": "720h",
                        "terminationGracePeriod": "1h",
                    }
                },
                "limits": {"cpu": "100"},
            }
        },
    },
}
"""The same intent in each generation of the API."""

COUNT = 214
"""211 releases up to 1.14.1, and three that are younger than the reference."""
CONCEPTS = {
    "clusterName": "demo",
    "clusterEndpoint": "https://demo.example",
    "defaultInstanceProfile": "nodes",
}


def cluster(release: Release) -> ClusterSettings:
    return ClusterSettings(
        name="demo",
        region="us-west-2",
        kubernetes_version=release.kubernetes_max,
        karpenter_version=release.version,
        **NEUTRAL[release.api],
    )


def release_settings(release: Release) -> ReleaseSettings:
    return ReleaseSettings(
        cluster_name="demo",
        karpenter_version=release.version,
        cluster_endpoint="https://demo.example",
        controller_role_arn="arn:aws:iam::111122223333:role/karpenter",
        queue_name="karpenter-demo",
        default_instance_profile="nodes",
    )


def provisioner_settings(release: Release) -> ProvisionerSettings:
    return ProvisionerSettings(
        cluster_name="demo",
        karpenter_version=release.version,
        node_role_name="nodes",
        **NEUTRAL[release.api],
    )


@cache
def reference(folder: Path, name: str) -> Any:
    return json.loads((folder / "karpenter" / name).read_text(encoding="utf-8"))


def test_every_released_version_is_here(reference_dir: Path) -> None:
    known = [
        row["version"]
        for row in reference(reference_dir, "versions.json")["versions"]
        if not row["prerelease"] and Version.of(row["version"]) >= Version.of("0.14.0")
    ]
    assert len(known) == 211
    assert len(RELEASES) == COUNT
    assert set(known) <= set(RELEASES)


def acceptable(release: Release) -> bool:
    """Whether the release is not to be avoided on its newest Kubernetes."""
    return release.reason_to_avoid(release.kubernetes_max) is None


@pytest.mark.parametrize("release", RELEASES.values(), ids=lambda r: r.version)
def test_the_cluster_is_accepted(release: Release) -> None:
    faults = check_cluster(cluster(release))
    assert (faults == []) is acceptable(release), faults


@pytest.mark.parametrize("release", RELEASES.values(), ids=lambda r: r.version)
def test_the_permissions_are_those_of_the_template(release: Release, reference_dir: Path) -> None:
    assert ours(release.version) == upstream(release.version, reference_dir)


@pytest.mark.parametrize("release", RELEASES.values(), ids=lambda r: r.version)
def test_the_chart_reads_every_value(release: Release, reference_dir: Path) -> None:
    charts = reference(reference_dir, "values-keys.json")["charts"]
    chosen = release_settings(release)
    (values,) = (json.loads(text) for text in controller_release(chosen, release)["values"])
    known = _known(charts["karpenter"], release)
    assert [key for key in _flat(values) if not _covered(key, known)] == []
    for document in crds_release(chosen, release).get("values", ()):
        known = _known(charts["karpenter-crd"], release)
        assert [key for key in _flat(json.loads(document)) if not _covered(key, known)] == []


@pytest.mark.parametrize("release", RELEASES.values(), ids=lambda r: r.version)
def test_each_fact_stands_where_the_chart_reads_it(release: Release, reference_dir: Path) -> None:
    ranges = reference(reference_dir, "values.json")["concept_ranges"]
    (text,) = controller_release(release_settings(release), release)["values"]
    values = dict(_flat(json.loads(text)))
    for concept, value in CONCEPTS.items():
        key = _key(ranges[concept], release)
        assert key is None or values[key] == value
    queue = _key(ranges["interruptionQueue"], release)
    told = True if queue == "settings.aws.enableInterruptionHandling" else "karpenter-demo"
    assert queue is None or values[queue] == told


@pytest.mark.parametrize("release", RELEASES.values(), ids=lambda r: r.version)
def test_the_crds_take_the_manifests(release: Release, reference_dir: Path) -> None:
    made = manifests(release)
    assert len(made) == 2
    for kind, spec in made:
        schema = crd_spec(reference_dir, release.crd_line, kind.kind, kind.version)
        assert refusals(schema, spec) == []


def manifests(release: Release) -> list[tuple[ObjectKind, Any]]:
    settings, api = provisioner_settings(release), generation(release)
    classes = objects.node_classes(settings, api, _no_local)
    pools = objects.node_pools(settings, api, _no_local)
    assert isinstance(classes, dict)
    assert isinstance(pools, dict)
    return [
        *((api.node_class, made["spec"]) for made in classes.values()),
        *((api.node_pool, made["spec"]) for made in pools.values()),
    ]


def _no_local(name: str, value: object) -> Any:
    raise AssertionError(f"literal settings need no local {name}: {value}")


def _known(rows: list[dict[str, Any]], release: Release) -> set[str]:
    at = Version.of(release.version)
    row = [r for r in rows if Version.of(r["first"]) <= at][-1]
    return {*row["defaults"], *row["used_by_templates_only"]}


def _covered(pair: tuple[str, Any], known: set[str]) -> bool:
    key, _ = pair
    return any(key == k or key.startswith(f"{k}.") or k.startswith(f"{key}.") for k in known)


def _flat(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        return [
            pair
            for key, inner in value.items()
            for pair in _flat(inner, f"{path}.{key}" if path else key)
        ]
    return [(path, value)]


def _key(rows: list[dict[str, Any]], release: Release) -> str | None:
    at = Version.of(release.version)
    found = [r for r in rows if Version.of(r["first_tag"].removeprefix("v")) <= at][-1]["key"]
    return None if found is None else str(found)
