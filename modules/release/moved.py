"""Where value keys of other charts went; people paste values that work elsewhere.

Source: the differences between the values of successive chart releases. Keys that only moved are
found through their concept; what stands here is what cannot be said so.
"""

from __future__ import annotations

from typing import Final

from modules.core.catalogue import Release
from modules.release import concepts
from modules.release.owned import OF_CONCEPTS

_GONE: Final = "remove it: Karpenter has no such setting any more"
_CLASS: Final = "remove it and write it into the node class"

_MOVED: Final[dict[str, tuple[str, str]]] = {
    "webhook": ("1.1.0", "remove it: from 1.1 Karpenter has no webhook"),
    "postInstallHook": ("1.0.1", "remove it: from 1.0.1 the chart has no such hook"),
    "logConfig": ("1.0.0", _GONE),
    "logConfig.logLevel": ("1.0.0", "write it as logLevel"),
    "logEncoding": ("1.0.0", _GONE),
    "logConfig.logEncoding": ("1.0.0", _GONE),
    "aws": ("0.19.0", _GONE),
    "aws.defaultInstanceProfile": ("0.32.0", f"{_CLASS}, as role or instanceProfile"),
    "settings.aws.defaultInstanceProfile": ("0.32.0", f"{_CLASS}, as role or instanceProfile"),
    "extraObjects": ("0.28.0", "remove it: from 0.28 the chart has no such key"),
    "resources": ("0.14.0", "write it as controller.resources"),
    "env": ("0.14.0", "write it as controller.env"),
    "envFrom": ("0.26.0", "write it as controller.envFrom"),
    "image": ("0.14.0", "write it as controller.image"),
    "controller.logLevel": ("0.33.0", "write it as logLevel"),
    "controller.logEncoding": ("0.32.0", _GONE),
    "settings.assumeRoleARN": ("1.0.0", _GONE),
    "settings.assumeRoleDuration": ("1.0.0", _GONE),
    "settings.featureGates.drift": ("1.0.0", "remove it: from 1.0 drift is always on"),
    "settings.featureGates.driftEnabled": ("1.0.0", "remove it: from 1.0 drift is always on"),
    "settings.featureGates.StaticCapacity": (
        "1.8.0",
        "write it as settings.featureGates.staticCapacity",
    ),
    "settings.aws": ("0.33.0", _GONE),
    # Neither the old key nor the new one, but often written.
    "settings.interruptionQueueName": (
        "0.32.0",
        "remove it: this module sets it, as settings.interruptionQueue",
    ),
    "settings.aws.tags": ("0.32.0", f"{_CLASS}, as tags"),
}
"""By name: the first release from which on this is so, and what to do."""

UNREAD: Final = frozenset({"settings.featureGates.StaticCapacity"})
"""Listed among a chart's values, but read by none of its templates."""


def successor(name: str, release: Release) -> str | None:
    """What to do about a key that other charts have, or None where none has it.

    Args:
        name: the steps to it, joined by dots.
        release: whose chart does not read the key.
    """
    if fix := _by_concept(name, release):
        return fix
    while name:
        since, fix = _MOVED.get(name, ("", ""))
        if fix and release.at_least(since):
            return fix
        name = name.rpartition(".")[0]
    return None


def _by_concept(name: str, release: Release) -> str | None:
    concept = concepts.concept_of(name)
    key = None if concept is None else concepts.key_of(concept, release)
    if key is None:
        return None
    owned = concept in OF_CONCEPTS
    return f"remove it: this module sets it, as {key}" if owned else f"write it as {key}"
