"""Where value keys of older charts went; people paste values that once worked.

Source: the differences between the values of successive chart releases. A key stands here
only until a chart knows it again: `successor` is asked for keys that a chart lacks, and for
those that it lists without reading.
"""

from __future__ import annotations

from typing import Final

_GONE: Final = "remove it: Karpenter has no such setting any more"
_OWNED: Final = "remove it: this module sets it, as settings"
_CLASS: Final = "remove it and write it into the node class"

_MOVED: Final = {
    "webhook": "remove it: from 1.1 Karpenter has no webhook",
    "postInstallHook": "remove it: from 1.0.1 the chart has no such hook",
    "logConfig": _GONE,
    "logConfig.logLevel": "write it as logLevel",
    "logConfig.outputPaths": "write it as logOutputPaths",
    "logConfig.errorOutputPaths": "write it as logErrorOutputPaths",
    "logEncoding": _GONE,
    "clusterName": f"{_OWNED}.clusterName",
    "clusterEndpoint": f"{_OWNED}.clusterEndpoint",
    "aws": _GONE,
    "aws.defaultInstanceProfile": f"{_CLASS}, as role or instanceProfile",
    "extraObjects": "remove it: from 0.28 the chart has no such key",
    "resources": "write it as controller.resources",
    "env": "write it as controller.env",
    "envFrom": "write it as controller.envFrom",
    "image": "write it as controller.image",
    "controller.logLevel": "write it as logLevel",
    "controller.logEncoding": _GONE,
    "controller.outputPaths": "write it as logOutputPaths",
    "controller.errorOutputPaths": "write it as logErrorOutputPaths",
    "controller.batchMaxDuration": "write it as settings.batchMaxDuration",
    "controller.batchIdleDuration": "write it as settings.batchIdleDuration",
    "settings.assumeRoleARN": _GONE,
    "settings.assumeRoleDuration": _GONE,
    "settings.interruptionQueueName": f"{_OWNED}.interruptionQueue",
    "settings.featureGates.drift": "remove it: from 1.0 drift is always on",
    "settings.featureGates.driftEnabled": "remove it: from 1.0 drift is always on",
    "settings.featureGates.StaticCapacity": "write it as settings.featureGates.staticCapacity",
    "settings.aws": _GONE,
    "settings.aws.clusterName": f"{_OWNED}.clusterName",
    "settings.aws.clusterEndpoint": f"{_OWNED}.clusterEndpoint",
    "settings.aws.clusterCABundle": "write it as settings.clusterCABundle",
    "settings.aws.defaultInstanceProfile": f"{_CLASS}, as role or instanceProfile",
    "settings.aws.interruptionQueueName": f"{_OWNED}.interruptionQueue",
    "settings.aws.isolatedVPC": "write it as settings.isolatedVPC",
    "settings.aws.vmMemoryOverheadPercent": "write it as settings.vmMemoryOverheadPercent",
    "settings.aws.tags": f"{_CLASS}, as tags",
}

UNREAD: Final = frozenset({"settings.featureGates.StaticCapacity"})
"""Listed among a chart's values, but read by none of its templates."""


def successor(name: str) -> str | None:
    """What to do about a key that charts once had, or None where none had it.

    Args:
        name: the steps to it, joined by dots.
    """
    while name:
        if name in _MOVED:
            return _MOVED[name]
        name = name.rpartition(".")[0]
    return None
