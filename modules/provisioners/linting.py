"""Pools and classes of a cluster's settings, as lint rules read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.core.faults import Step
from modules.provisioners import manifests
from modules.provisioners.kinds import ObjectKind, generation
from modules.provisioners.lint.finding import Manifest
from modules.provisioners.settings import ProvisionerSettings


def manifests_of(
    settings: ProvisionerSettings, release: Release, *above: Step, source: object = None
) -> Iterator[Manifest]:
    """Each pool and class, complete with what the project adds, for lint.

    The API server's verdict on them is `checks.check`'s, so that they carry no document.

    Args:
        settings: with the cluster's facts.
        release: the Karpenter release that is to read the manifests.
        above: where the settings stand in their document.
        source: whatever the caller tells documents apart by.
    """
    api = generation(release)
    classes = settings.node_classes if is_known(settings.node_classes) else {}
    for kind, given in ((api.node_class, classes), (api.node_pool, settings.node_pools)):
        for name, value in given.items() if is_known(given) else ():
            if not isinstance(value, Mapping) or not manifests.has_spec(value):
                continue
            if kind == api.node_class:
                whole = manifests.complete_class(value, settings, api)
            else:
                default = manifests.class_of(name, classes)
                whole = manifests.complete_pool(value, default, api)
            inner = ("spec",) if manifests.is_manifest(value) else ()
            where = (*above, kind.setting, name, *inner)
            yield _manifest(kind, name, whole, where, source)


def _manifest(
    kind: ObjectKind, name: str, whole: Mapping[str, Any], where: tuple[Step, ...], source: object
) -> Manifest:
    metadata = {key: value for key, value in whole.items() if key != "spec"}
    return Manifest(
        kind.kind, kind.api_version, name, {"name": name, **metadata}, whole["spec"], where, source
    )
