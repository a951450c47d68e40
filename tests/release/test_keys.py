"""The table of value keys against the charts themselves."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import RELEASES, Version
from modules.release.keys import keys_of, kinds_of, levels_of

NEW_IN_1_15 = {
    "settings.securityGroupRefreshInterval",
    "settings.legacyNodeRepair",
    "settings.enableDRA",
    "settings.featureGates.podDeletionCostManagement",
    "settings.featureGates.terminateFirstDrift",
    "settings.featureGates.terminateFirstRepair",
    "settings.awsFeatureGates.nodeClassCEL",
    "settings.awsFeatureGates.draNVIDIAGPU",
    "settings.awsFeatureGates.draEFA",
    "settings.awsFeatureGates.rebootForRepair",
}
"""As its chart's documentation lists them; the chart's own values could not be read."""

# The first 16 digits of SHA-256 over each release's key names and kinds, by first release.
DIGESTS = json.loads(Path(__file__).with_name("key_digests.json").read_text())


def names(version: str) -> set[str]:
    return {key.name for key in keys_of(RELEASES[version])}


def digest(version: str) -> str:
    kinds = sorted(
        (".".join(path), kind.pattern) for path, kind in kinds_of(RELEASES[version]).items()
    )
    return hashlib.sha256(json.dumps(kinds).encode()).hexdigest()[:16]


def charts(reference_dir: Path, chart: str, version: str) -> dict[str, Any]:
    """What the reference knows of the newest of its charts up to this version."""
    rows = json.loads((reference_dir / "karpenter" / "values-keys.json").read_text())["charts"][
        chart
    ]
    return [row for row in rows if Version.of(row["first"]) <= Version.of(version)][-1]


def covers(ours: str, theirs: str) -> bool:
    """Theirs are flattened down to the last default; ours stop where a key is free below."""
    return theirs == ours or theirs.startswith(f"{ours}.")


@pytest.mark.parametrize("version", RELEASES)
def test_no_key_of_the_chart_is_missing_and_none_is_too_many(
    reference_dir: Path, version: str
) -> None:
    row = charts(reference_dir, "karpenter", version)
    theirs = {*row["defaults"], *row["used_by_templates_only"]}
    ours = names(version)
    if version.startswith("1.15."):
        ours -= NEW_IN_1_15
    assert {key for key in theirs if not any(covers(our, key) for our in ours)} == set()
    assert {our for our in ours if not any(covers(our, key) for key in theirs)} == set()


@pytest.mark.parametrize("version", RELEASES)
def test_every_default_of_the_chart_is_of_our_kind(reference_dir: Path, version: str) -> None:
    defaults = charts(reference_dir, "karpenter", version)["defaults"]
    # The chart's default of these lists is an empty mapping, which Kubernetes never gets to see.
    defaults = {**defaults, "initContainers": []}
    if defaults.get("controller.sidecarContainer") == {}:
        defaults["controller.sidecarContainer"] = []
    refused = {
        name: defaults[name]
        for path, kind in kinds_of(RELEASES[version]).items()
        if (name := ".".join(path)) in defaults and not kind.accepts(defaults[name])
    }
    assert refused == {}


@pytest.mark.parametrize("version", RELEASES)
def test_the_keys_of_a_release_have_not_changed(version: str) -> None:
    first = [since for since in DIGESTS if RELEASES[version].at_least(since)][-1]
    assert digest(version) == DIGESTS[first]


def test_the_ten_new_keys_of_1_15_are_the_only_ones() -> None:
    assert names("1.15.0") - names("1.14.2") == NEW_IN_1_15
    assert names("1.14.2") - names("1.15.0") == set()
    assert names("1.15.1") == names("1.15.0")


@pytest.mark.parametrize(
    ("key", "below", "at", "above"),
    [
        ("settings.aws.clusterName", "0.18.1", "0.19.0", "0.19.1"),
        ("settings.aws.interruptionQueueName", "0.19.0", "0.19.1", "0.19.2"),
        ("controller.outputPaths", "0.22.0", "0.22.1", "0.23.0"),
        ("controller.metrics.port", "0.23.0", "0.24.0", "0.25.0"),
        ("extraObjects", "0.24.0", "0.25.0", "0.26.0"),
        ("controller.image.repository", "0.25.0", "0.26.0", "0.26.1"),
        ("settings.featureGates.driftEnabled", "0.26.1", "0.27.0", "0.27.1"),
        ("affinity.podAffinity", "0.27.0", "0.27.1", "0.27.2"),
        ("settings.aws.assumeRoleARN", "0.29.2", "0.30.0", "0.31.0"),
        ("settings.interruptionQueue", "0.31.5", "0.32.0", "0.32.1"),
        ("logConfig.logEncoding", "0.31.5", "0.32.0", "0.32.1"),
        ("webhook.enabled", "0.31.5", "0.32.0", "0.32.1"),
        ("settings.featureGates.spotToSpotConsolidation", "0.33.12", "0.34.0", "0.34.1"),
        ("logOutputPaths", "0.37.8", "1.0.0", "1.0.1"),
        ("settings.eksControlPlane", "1.0.14", "1.1.0", "1.1.1"),
        ("schedulerName", "1.1.0", "1.1.1", "1.1.2"),
        ("settings.featureGates.reservedCapacity", "1.2.8", "1.3.0", "1.3.1"),
        ("settings.preferencePolicy", "1.3.8", "1.4.0", "1.4.1"),
        ("controller.securityContext.seccompProfile", "1.4.4", "1.5.0", "1.5.1"),
        ("settings.minValuesPolicy", "1.5.8", "1.6.0", "1.6.1"),
        ("settings.disableDryRun", "1.6.1", "1.6.2", "1.6.3"),
        ("settings.featureGates.nodeOverlay", "1.6.8", "1.7.0", "1.7.1"),
        ("settings.featureGates.staticCapacity", "1.7.6", "1.8.0", "1.8.1"),
        ("serviceMonitor.sampleLimit", "1.8.8", "1.9.0", "1.9.1"),
        ("settings.enableZonalShift", "1.11.3", "1.12.0", "1.12.1"),
        ("settings.amiRefreshInterval", "1.12.2", "1.13.0", "1.13.1"),
        ("settings.featureGates.capacityBuffer", "1.13.1", "1.14.0", "1.14.1"),
        ("settings.enableDRA", "1.14.2", "1.15.0", "1.15.1"),
    ],
)
def test_a_key_begins_with_its_release(key: str, below: str, at: str, above: str) -> None:
    assert [key in names(version) for version in (below, at, above)] == [False, True, True]


@pytest.mark.parametrize(
    ("key", "below", "at", "above"),
    [
        ("clusterName", "0.18.1", "0.19.0", "0.19.1"),
        ("settings.aws.enableInterruptionHandling", "0.19.0", "0.19.1", "0.19.2"),
        ("controller.image", "0.25.0", "0.26.0", "0.26.1"),
        ("extraObjects", "0.27.8", "0.28.0", "0.28.1"),
        ("settings.aws.nodeNameConvention", "0.27.8", "0.28.0", "0.28.1"),
        ("controller.securityContext", "0.29.2", "0.30.0", "0.31.0"),
        ("settings.aws.clusterName", "0.31.5", "0.32.0", "0.32.1"),
        ("settings.aws", "0.32.10", "0.33.0", "0.33.1"),
        ("postInstallHook.image.tag", "0.33.6", "0.33.7", "0.33.8"),
        ("settings.featureGates.drift", "0.37.8", "1.0.0", "1.0.1"),
        ("postInstallHook.image.tag", "1.0.0", "1.0.1", "1.0.2"),
        ("webhook.port", "1.0.14", "1.1.0", "1.1.1"),
        ("settings.featureGates.StaticCapacity", "1.8.0", "1.8.1", "1.8.2"),
    ],
)
def test_a_key_ends_with_its_release(key: str, below: str, at: str, above: str) -> None:
    assert [key in names(version) for version in (below, at, above)] == [True, False, False]


@pytest.mark.parametrize("version", RELEASES)
def test_no_key_lies_below_another(version: str) -> None:
    known = names(version)
    assert [(a, b) for a in known for b in known if a != b and covers(a, b)] == []


def test_the_levels_are_the_inner_steps_of_the_keys() -> None:
    levels = levels_of(RELEASES["1.15.0"])
    assert levels["affinity",] == ["nodeAffinity", "podAffinity", "podAntiAffinity"]
    assert levels["settings", "awsFeatureGates"] == [
        "nodeClassCEL",
        "draNVIDIAGPU",
        "draEFA",
        "rebootForRepair",
    ]
    assert ("settings", "awsFeatureGates") not in levels_of(RELEASES["1.14.2"])


@pytest.mark.parametrize(
    ("version", "keys"),
    [
        (
            "1.0.14",
            {"webhook.enabled", "webhook.serviceName", "webhook.serviceNamespace", "webhook.port"},
        ),
        ("1.2.0", {"additionalAnnotations"}),
        ("1.14.1", {"additionalAnnotations"}),
    ],
)
def test_the_crd_chart_has_the_keys_that_we_write(
    reference_dir: Path, version: str, keys: set[str]
) -> None:
    assert set(charts(reference_dir, "karpenter-crd", version)["defaults"]) == keys
