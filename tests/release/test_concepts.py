"""One setting, whatever the key of a release's chart; and the keys that this module sets itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import RELEASES, Capability, Version
from modules.core.faults import dotted
from modules.release import concepts
from modules.release.checks import check
from modules.release.controller_settings import ControllerSettings, values_of
from modules.release.releases import controller_release, crds_release
from modules.release.settings import ReleaseOptions, ReleaseSettings
from modules.release.values import controller_values
from tests.release.test_checks import settings

# The concepts by the reference's names of them.
NAMES = {
    "cluster_name": "clusterName",
    "cluster_endpoint": "clusterEndpoint",
    "cluster_ca_bundle": "clusterCABundle",
    "default_instance_profile": "defaultInstanceProfile",
    "interruption": "interruptionQueue",
    "global_tags": "globalTags",
    "assume_role_arn": "assumeRoleARN",
    "assume_role_duration": "assumeRoleDuration",
    "replicas": "replicas",
    "log_level": "logLevel",
    "log_encoding": "logEncoding",
    "log_output_paths": "logOutputPaths",
    "log_error_output_paths": "logErrorOutputPaths",
    "gate_drift": "gate.drift",
    "gate_spotToSpotConsolidation": "gate.spotToSpotConsolidation",
    "gate_nodeRepair": "gate.nodeRepair",
    "gate_reservedCapacity": "gate.reservedCapacity",
    "gate_nodeOverlay": "gate.nodeOverlay",
    "gate_staticCapacity": "gate.staticCapacity",
    "gate_capacityBuffer": "gate.capacityBuffer",
    "webhook": "webhook.enabled",
    "webhook_port": "webhook.port",
    "webhook_metrics_port": "webhook.metrics.port",
    "dns_policy": "dnsPolicy",
    "batch_max_duration": "batchMaxDuration",
    "batch_idle_duration": "batchIdleDuration",
    "vm_memory_overhead_percent": "vmMemoryOverheadPercent",
    "isolated_vpc": "isolatedVPC",
    "reserved_enis": "reservedENIs",
    "eks_control_plane": "eksControlPlane",
    "enable_pod_eni": "enablePodENI",
    "enable_eni_limited_pod_density": "enableENILimitedPodDensity",
    "node_name_convention": "nodeNameConvention",
    "preference_policy": "preferencePolicy",
    "min_values_policy": "minValuesPolicy",
    "host_network": "hostNetwork",
    "metrics_port": "metricsPort",
}
READ_AS = {"settings.featureGates.StaticCapacity": "settings.featureGates.staticCapacity"}
"""1.8.0 lists the first spelling and reads the second."""

ONLY_IN_1_15 = {
    "gate_podDeletionCostManagement",
    "gate_terminateFirstDrift",
    "gate_terminateFirstRepair",
}


def test_every_concept_is_compared() -> None:
    assert set(concepts.concepts()) == {*NAMES, *ONLY_IN_1_15}


@pytest.mark.parametrize("concept", NAMES)
def test_a_concept_has_the_key_and_default_of_every_chart(
    concept: str, reference_dir: Path
) -> None:
    text = (reference_dir / "karpenter" / "values.json").read_text(encoding="utf-8")
    rows = json.loads(text)["concept_ranges"][NAMES[concept]]
    for version, release in RELEASES.items():
        at = Version.of(version)
        found = [r for r in rows if Version.of(r["first_tag"].removeprefix("v")) <= at]
        key, default = found[-1]["key"], found[-1]["default"]
        assert concepts.key_of(concept, release) == READ_AS.get(key, key), version
        assert concepts.default_of(concept, release) == (None if key is None else default), version


# A concept, and its key below, at and above each release in which it moves.
MOVES = [
    ("cluster_name", [("0.18.1", "clusterName"), ("0.19.0", "settings.aws.clusterName")]),
    ("cluster_name", [("0.31.5", "settings.aws.clusterName"), ("0.32.0", "settings.clusterName")]),
    ("interruption", [("0.18.1", None), ("0.19.0", "settings.aws.enableInterruptionHandling")]),
    ("interruption", [("0.19.1", "settings.aws.interruptionQueueName")]),
    ("interruption", [("0.31.5", "settings.aws.interruptionQueueName")]),
    ("interruption", [("0.32.0", "settings.interruptionQueue")]),
    ("default_instance_profile", [("0.18.1", "aws.defaultInstanceProfile")]),
    ("default_instance_profile", [("0.31.5", "settings.aws.defaultInstanceProfile")]),
    ("default_instance_profile", [("0.32.0", None)]),
    ("log_encoding", [("0.31.5", "logEncoding"), ("0.32.0", "logConfig.logEncoding")]),
    ("log_encoding", [("0.37.8", "logConfig.logEncoding"), ("1.0.0", None)]),
    ("log_output_paths", [("0.22.0", None), ("0.22.1", "controller.outputPaths")]),
    ("log_output_paths", [("0.32.0", "logConfig.outputPaths"), ("1.0.0", "logOutputPaths")]),
    ("gate_drift", [("0.26.1", None), ("0.27.0", "settings.featureGates.driftEnabled")]),
    ("gate_drift", [("0.32.0", "settings.featureGates.drift"), ("1.0.0", None)]),
    ("batch_max_duration", [("0.18.1", "controller.batchMaxDuration")]),
    ("batch_max_duration", [("0.19.0", "settings.batchMaxDuration")]),
    ("reserved_enis", [("0.31.5", None), ("0.32.0", "settings.reservedENIs")]),
]


@pytest.mark.parametrize(("concept", "keys"), MOVES)
def test_a_concept_moves_with_its_release(concept: str, keys: list[tuple[str, str | None]]) -> None:
    for version, key in keys:
        assert concepts.key_of(concept, RELEASES[version]) == key


def test_settings_become_the_keys_of_the_release() -> None:
    chosen = ControllerSettings(
        replicas=1,
        batch_max_duration="20s",
        isolated_vpc=True,
        feature_gates={"drift": True},
        log_encoding="json",
    )
    assert values_of(chosen, RELEASES["0.31.5"]) == {
        "replicas": 1,
        "logEncoding": "json",
        "settings": {
            "batchMaxDuration": "20s",
            "aws": {"isolatedVPC": True},
            "featureGates": {"driftEnabled": True},
        },
    }
    assert values_of(chosen, RELEASES["0.37.8"]) == {
        "replicas": 1,
        "logConfig": {"logEncoding": "json"},
        "settings": {
            "batchMaxDuration": "20s",
            "isolatedVPC": True,
            "featureGates": {"drift": True},
        },
    }
    assert values_of(ControllerSettings(reserved_enis=1), RELEASES["1.14.2"]) == {
        "settings": {"reservedENIs": "1"}
    }


@pytest.mark.parametrize(
    ("version", "given", "fix"),
    [
        ("0.18.1", {"isolated_vpc": True}, "upgrade Karpenter: releases from 0.19.0 on have it"),
        ("0.19.0", {"isolated_vpc": True}, None),
        ("0.31.5", {"reserved_enis": 1}, "upgrade Karpenter: releases from 0.32.0 on have it"),
        ("0.32.0", {"reserved_enis": 1}, None),
        ("0.37.8", {"log_encoding": "json"}, None),
        ("1.0.0", {"log_encoding": "json"}, "releases from 1.0.0 on do not have it"),
        ("0.37.8", {"feature_gates": {"drift": True}}, None),
        ("1.0.0", {"feature_gates": {"drift": True}}, "releases from 1.0.0 on do not have it"),
        ("1.13.1", {"feature_gates": {"capacityBuffer": True}}, "releases from 1.14.0 on have it"),
        ("1.14.0", {"feature_gates": {"capacityBuffer": True}}, None),
        ("1.14.2", {"feature_gates": {"capacityBufer": True}}, "did you mean capacityBuffer?"),
    ],
)
def test_a_setting_that_a_release_lacks_is_refused_with_the_release_that_has_it(
    version: str, given: dict[str, Any], fix: str | None
) -> None:
    options = ReleaseOptions(settings=ControllerSettings(**given))
    faults = check(options, RELEASES[version])
    assert bool(faults) is (fix is not None)
    if fix is not None:
        [fault] = faults
        assert fix in fault.fix
        assert "the newest known is 1.15.1" in fault.allowed


def test_a_setting_is_given_in_one_way() -> None:
    options = ReleaseOptions(
        settings=ControllerSettings(batch_max_duration="20s"),
        values={"settings": {"batchMaxDuration": "30s"}},
    )
    [fault] = check(options, RELEASES["1.14.2"])
    assert dotted(fault.path) == "settings.batchMaxDuration"
    assert fault.fix == "remove settings.batchMaxDuration from values"


def facts_of(version: str, **changes: object) -> dict[str, Any]:
    chosen: ReleaseSettings = settings(karpenter_version=version, **changes)
    [document] = controller_values(chosen, RELEASES[version])
    document.pop("controller")
    document.pop("serviceAccount")
    return dict(document)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            "0.18.1",
            {
                "clusterName": "demo",
                "clusterEndpoint": "https://demo.example",
                "aws": {"defaultInstanceProfile": "nodes"},
            },
        ),
        (
            "0.19.0",
            {
                "settings": {
                    "aws": {
                        "clusterName": "demo",
                        "clusterEndpoint": "https://demo.example",
                        "defaultInstanceProfile": "nodes",
                        "enableInterruptionHandling": True,
                    }
                }
            },
        ),
        (
            "0.19.1",
            {
                "settings": {
                    "aws": {
                        "clusterName": "demo",
                        "clusterEndpoint": "https://demo.example",
                        "defaultInstanceProfile": "nodes",
                        "interruptionQueueName": "karpenter-demo",
                    }
                }
            },
        ),
        (
            "0.32.0",
            {
                "settings": {
                    "clusterName": "demo",
                    "clusterEndpoint": "https://demo.example",
                    "interruptionQueue": "karpenter-demo",
                }
            },
        ),
    ],
)
def test_the_facts_stand_at_the_keys_of_the_release(version: str, expected: dict[str, Any]) -> None:
    assert facts_of(version, default_instance_profile="nodes") == expected


@pytest.mark.parametrize(
    ("version", "switched_on"),
    [
        ("0.33.5", False),
        ("0.33.6", True),
        ("0.33.7", True),
        ("0.33.8", False),
        ("0.37.0", False),
        ("0.37.1", True),
        ("0.37.2", True),
        ("0.37.3", False),
        ("1.0.0", False),
        ("1.1.0", False),
    ],
)
def test_a_webhook_that_the_crds_call_is_switched_on_where_the_chart_leaves_it_off(
    version: str, switched_on: bool
) -> None:
    assert (facts_of(version).get("webhook") == {"enabled": True}) is switched_on


@pytest.mark.parametrize("version", ["0.16.3", "0.17.0", "0.20.0", "0.21.0", "0.21.1", "0.35.0"])
def test_crds_come_with_a_chart_of_their_own_where_there_is_one(version: str) -> None:
    release = RELEASES[version]
    chosen = settings(karpenter_version=version, namespace="karpenter")
    controller = controller_release(chosen, release)
    own = release.has(Capability.CRD_CHART)
    assert controller["skip_crds"] is own
    assert controller.get("create_namespace") is (None if own else True)
    assert (controller["repository"], controller["version"]) == (
        release.chart_repository,
        release.chart_version,
    )
    if own:
        assert crds_release(chosen, release)["create_namespace"] is True


@pytest.mark.parametrize(
    ("version", "delete_crds", "fix"),
    [
        ("0.20.0", True, "delete the CRDs by hand"),
        ("0.20.0", False, None),
        ("0.20.0", None, None),
        ("0.21.0", True, None),
        ("0.21.0", False, "upgrade Karpenter to 1.2.0 or later"),
        ("1.1.10", False, "upgrade Karpenter to 1.2.0 or later"),
        ("1.2.0", False, None),
        ("1.2.0", True, None),
    ],
)
def test_what_becomes_of_the_crds_is_what_the_charts_can_do(
    version: str, delete_crds: bool | None, fix: str | None
) -> None:
    faults = check(ReleaseOptions(delete_crds=delete_crds), RELEASES[version])
    assert [fault.path for fault in faults] == ([] if fix is None else [("deleteCrds",)])
    assert all(fix is not None and fix in fault.fix for fault in faults)
