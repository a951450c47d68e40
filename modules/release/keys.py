"""Which value keys each release of Karpenter's chart reads.

The charts ship no schema and Helm ignores a key that a chart does not read, so that a
misspelt one is lost silently. This table is what we judge by instead. Where the chart
hands a value on to Kubernetes as it is (labels, affinity terms, security contexts), the
key is free below. Source: the chart's values and templates at each release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from modules.core.catalogue import Release
from modules.release.kinds import (
    BOOL,
    COUNT,
    COUNT_TEXT,
    DURATION,
    FRACTION,
    INTERVAL,
    LIST,
    MAP,
    PORT,
    SHARE,
    TEXT,
    TEXT_LIST,
    TEXT_MAP,
    Kind,
    one_of,
)

Path = tuple[str, ...]


@dataclass(frozen=True)
class Key:
    """A key that the chart reads.

    Args:
        name: the steps to it, joined by dots.
        since: the first release with it; empty where the oldest known has it.
        until: the first release without it again; empty where the newest known has it.
    """

    name: str
    kind: Kind
    since: str = ""
    until: str = ""

    @property
    def path(self) -> Path:
        """The steps to it."""
        return tuple(self.name.split("."))

    def is_in(self, release: Release) -> bool:
        """Whether the chart of this release has it."""
        begun = not self.since or release.at_least(self.since)
        return begun and not (self.until and release.at_least(self.until))


KEYS: Final = (
    # Names and metadata of every object
    Key("nameOverride", TEXT),
    Key("fullnameOverride", TEXT),
    Key("additionalLabels", TEXT_MAP),
    Key("additionalAnnotations", TEXT_MAP),
    # Objects around the controller
    Key("additionalClusterRoleRules", LIST),
    Key("podDisruptionBudget.name", TEXT),
    Key("podDisruptionBudget.maxUnavailable", SHARE),
    Key("service.annotations", TEXT_MAP, since="1.1.0"),
    Key("serviceAccount.create", BOOL),
    Key("serviceAccount.name", TEXT),
    Key("serviceAccount.annotations", TEXT_MAP),
    Key("serviceMonitor.enabled", BOOL),
    Key("serviceMonitor.additionalLabels", TEXT_MAP),
    Key("serviceMonitor.endpointConfig", MAP),
    Key("serviceMonitor.relabelings", LIST, since="1.5.0"),
    Key("serviceMonitor.metricRelabelings", LIST, since="1.5.0"),
    Key("serviceMonitor.sampleLimit", COUNT, since="1.9.0"),
    Key("postInstallHook.image.repository", TEXT, until="1.0.1"),
    Key("postInstallHook.image.tag", TEXT, until="1.0.1"),
    Key("postInstallHook.image.digest", TEXT, until="1.0.1"),
    Key("webhook.enabled", BOOL, until="1.1.0"),
    Key("webhook.port", PORT, until="1.1.0"),
    Key("webhook.metrics.port", PORT, until="1.1.0"),
    # The deployment and its pods
    Key("replicas", COUNT),
    Key("revisionHistoryLimit", COUNT),
    Key("strategy", MAP),
    Key("podLabels", TEXT_MAP),
    Key("podAnnotations", TEXT_MAP),
    Key("podSecurityContext", MAP),
    Key("imagePullPolicy", one_of("Always", "IfNotPresent", "Never")),
    Key("imagePullSecrets", LIST),
    Key("priorityClassName", TEXT),
    Key("schedulerName", TEXT, since="1.1.1"),
    Key("terminationGracePeriodSeconds", COUNT),
    Key("hostNetwork", BOOL),
    Key("dnsPolicy", one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")),
    Key("dnsConfig", MAP),
    Key("initContainers", LIST, since="1.4.0"),
    Key("nodeSelector", TEXT_MAP),
    Key("affinity.nodeAffinity", MAP),
    Key("affinity.podAffinity", MAP),
    Key("affinity.podAntiAffinity", MAP),
    Key("topologySpreadConstraints", LIST),
    Key("tolerations", LIST),
    Key("extraVolumes", LIST),
    # The controller's container
    Key("controller.containerName", TEXT, since="1.1.1"),
    Key("controller.image.repository", TEXT),
    Key("controller.image.tag", TEXT),
    Key("controller.image.digest", TEXT),
    Key("controller.env", LIST),
    Key("controller.envFrom", LIST),
    Key("controller.securityContext.appArmorProfile", MAP, since="1.5.0"),
    Key("controller.securityContext.seLinuxOptions", MAP, since="1.5.0"),
    Key("controller.securityContext.seccompProfile", MAP, since="1.5.0"),
    Key("controller.resources", MAP),
    Key("controller.extraVolumeMounts", LIST),
    Key("controller.sidecarContainer", LIST),
    Key("controller.sidecarVolumeMounts", LIST),
    Key("controller.metrics.port", PORT),
    Key("controller.healthProbe.port", PORT),
    Key("logLevel", one_of("debug", "info", "error")),
    Key("logOutputPaths", TEXT_LIST),
    Key("logErrorOutputPaths", TEXT_LIST),
    # Karpenter's own settings
    Key("settings.batchMaxDuration", DURATION),
    Key("settings.batchIdleDuration", DURATION),
    Key("settings.preferencePolicy", one_of("Respect", "Ignore"), since="1.4.0"),
    Key("settings.minValuesPolicy", one_of("Strict", "BestEffort"), since="1.6.0"),
    Key("settings.clusterCABundle", TEXT),
    Key("settings.clusterName", TEXT),
    Key("settings.clusterEndpoint", TEXT),
    Key("settings.isolatedVPC", BOOL),
    Key("settings.eksControlPlane", BOOL, since="1.1.0"),
    Key("settings.vmMemoryOverheadPercent", FRACTION),
    Key("settings.interruptionQueue", TEXT),
    Key("settings.enableZonalShift", BOOL, since="1.12.0"),
    Key("settings.reservedENIs", COUNT_TEXT),
    Key("settings.ignoreDRARequests", BOOL, since="1.8.0"),
    Key("settings.enableDRA", BOOL, since="1.15.0"),
    Key("settings.disableClusterStateObservability", BOOL, since="1.8.0"),
    Key("settings.disableDryRun", BOOL, since="1.6.2"),
    Key("settings.legacyNodeRepair", BOOL, since="1.15.0"),
    Key("settings.amiRefreshInterval", INTERVAL, since="1.13.0"),
    Key("settings.subnetRefreshInterval", INTERVAL, since="1.13.0"),
    Key("settings.securityGroupRefreshInterval", INTERVAL, since="1.15.0"),
    Key("settings.featureGates.nodeRepair", BOOL, since="1.1.0"),
    Key("settings.featureGates.nodeOverlay", BOOL, since="1.7.0"),
    Key("settings.featureGates.reservedCapacity", BOOL, since="1.3.0"),
    Key("settings.featureGates.spotToSpotConsolidation", BOOL),
    # 1.8.0 lists the first spelling and reads the second.
    Key("settings.featureGates.StaticCapacity", BOOL, since="1.8.0", until="1.8.1"),
    Key("settings.featureGates.staticCapacity", BOOL, since="1.8.0"),
    Key("settings.featureGates.capacityBuffer", BOOL, since="1.14.0"),
    Key("settings.featureGates.podDeletionCostManagement", BOOL, since="1.15.0"),
    Key("settings.featureGates.terminateFirstDrift", BOOL, since="1.15.0"),
    Key("settings.featureGates.terminateFirstRepair", BOOL, since="1.15.0"),
    Key("settings.awsFeatureGates.nodeClassCEL", BOOL, since="1.15.0"),
    Key("settings.awsFeatureGates.draNVIDIAGPU", BOOL, since="1.15.0"),
    Key("settings.awsFeatureGates.draEFA", BOOL, since="1.15.0"),
    Key("settings.awsFeatureGates.rebootForRepair", BOOL, since="1.15.0"),
)


def keys_of(release: Release) -> Iterator[Key]:
    """The keys that the chart of this release has."""
    return (key for key in KEYS if key.is_in(release))


def kinds_of(release: Release) -> dict[Path, Kind]:
    """The kind of every key of this release's chart, by its path."""
    return {key.path: key.kind for key in keys_of(release)}


def levels_of(release: Release) -> dict[Path, list[str]]:
    """The names at each closed level of this release's chart, the top being `()`."""
    levels: dict[Path, list[str]] = {}
    for key in keys_of(release):
        for depth, name in enumerate(key.path):
            names = levels.setdefault(key.path[:depth], [])
            if name not in names:
                names.append(name)
    return levels
