"""Objects of any generation of Karpenter's API, converted to a later one.

A conversion over two generations is the two conversions one after the other, so that both ways
of getting there give the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from modules.core import names
from modules.core.catalogue import Api, Release
from modules.core.faults import Fault
from modules.provisioners.api.judge import judge
from modules.provisioners.migrate import alpha, stable
from modules.provisioners.migrate.given import KEPT_METADATA, faults
from modules.provisioners.migrate.made import Made, Object, Result

OLD: Final = {
    (f"{names.NODE_POOL_GROUP}/v1alpha5", names.PROVISIONER): Api.V1ALPHA5,
    (f"{names.NODE_CLASS_GROUP}/v1alpha1", names.NODE_TEMPLATE): Api.V1ALPHA5,
    (alpha.POOL_VERSION, names.NODE_POOL): Api.V1BETA1,
    (alpha.CLASS_VERSION, names.NODE_CLASS): Api.V1BETA1,
}
"""The objects that a later generation writes differently."""

_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_TOP: Final = ("apiVersion", "kind", "metadata", "spec")
_FIRST_PROFILE: Final = "0.32.2"
"""Classes of 0.32.0 and 0.32.1 know no instanceProfile."""


def is_old(manifest: object, target: Api) -> bool:
    """Whether this is an object that the target generation writes differently."""
    api = _api(manifest)
    return api is not None and list(Api).index(api) < list(Api).index(target)


def convert(manifests: Iterable[Object], release: Release, node_role: str | None = None) -> Result:
    """The objects as a release reads them.

    Args:
        manifests: old ones, all that belong together: a pool is converted with its class.
        release: what is to read them.
        node_role: the role of nodes whose class names neither role nor instance profile.
    """
    result = Result()
    made = [made for manifest in manifests if (made := _prepared(manifest, result))]
    target = release.api
    if target is Api.V1ALPHA5:
        return result
    beta = [m for m in made if _api(m.manifest) is Api.V1BETA1]
    step = Result(faults=result.faults)
    for old in made:
        if _api(old.manifest) is Api.V1ALPHA5:
            before = len(step.objects)
            if _is_pool(old):
                alpha.node_pool(old.manifest, step)
            else:
                alpha.node_class(old.manifest, step)
            for new in step.objects[before:]:
                new.notes += old.notes
    # Classes first, as they have to be there first.
    beta = sorted([*step.objects, *beta], key=_is_pool)
    for one in beta:
        _identify(one, release, node_role, step)
    _refuse_twins(beta, step)
    if target is Api.V1BETA1 or step.faults:
        result.objects = beta
    else:
        stable.convert(
            [m for m in beta if _is_pool(m)], [m for m in beta if not _is_pool(m)], result
        )
    if not result.faults:
        result.faults += _judged(result.objects, release)
    return result


def _api(manifest: object) -> Api | None:
    if not isinstance(manifest, Mapping):
        return None
    return OLD.get((str(manifest.get("apiVersion")), str(manifest.get("kind"))))


def _is_pool(made: Made) -> bool:
    return made.manifest["kind"] in (names.PROVISIONER, names.NODE_POOL)


def _prepared(manifest: Object, result: Result) -> Made | None:
    """The manifest without what the API server writes."""
    metadata, spec = manifest.get("metadata"), manifest.get("spec")
    made = Made(
        {"apiVersion": manifest["apiVersion"], "kind": manifest["kind"], "metadata": {}, "spec": {}}
    )
    if not isinstance(metadata, Mapping) or not metadata.get("name"):
        key = str(manifest["kind"])
        result.refuse(key, ("metadata", "name"), "is missing", "a name", "name the object")
        return None
    key = f"{manifest['kind']} {metadata['name']}"
    api = _api(manifest)
    if found := faults(manifest, api) if api else []:
        result.faults += (fault.under(key) for fault in found)
        return None
    made.manifest["metadata"] = _metadata(metadata, made)
    made.manifest["spec"] = dict(spec or {})
    for key in manifest:
        if key not in _TOP:
            made.note(f"{key} is left out: Karpenter writes it", "metadata")
    return made


def _metadata(given: Mapping[str, Any], made: Made) -> Object:
    kept = {key: given[key] for key in KEPT_METADATA if given.get(key)}
    for key in given:
        if key not in KEPT_METADATA:
            made.note(f"metadata.{key} is left out: the API server writes it", "metadata")
    annotations = dict(kept.get("annotations") or {})
    if annotations.pop(_LAST_APPLIED, None) is not None:
        made.note("kubectl's last-applied-configuration is left out", "metadata")
    if "annotations" in kept:
        kept["annotations"] = annotations
    return {key: value for key, value in kept.items() if value}


def _identify(made: Made, release: Release, node_role: str | None, result: Result) -> None:
    """Gives a class that says nothing of its nodes' identity the role that is named."""
    spec = made.manifest["spec"]
    if _is_pool(made) or spec.get("role"):
        return
    if spec.get("instanceProfile") and release.at_least(_FIRST_PROFILE):
        return
    if node_role is None:
        result.refuse(
            made.key,
            ("spec", "role"),
            "is needed: the controller no longer has an instance profile of its own to give",
            "the name of the nodes' role",
            "pass --node-role with its name",
        )
        return
    if spec.pop("instanceProfile", None):
        text = f"instanceProfile needs Karpenter {_FIRST_PROFILE}; the role takes its place"
        made.note(text, "spec", "role", lossy=True)
    else:
        made.note("the controller's own instance profile stood for it", "spec", "role")
    made.manifest["spec"] = {"amiFamily": spec.pop("amiFamily", None), "role": node_role, **spec}
    if made.manifest["spec"]["amiFamily"] is None:
        del made.manifest["spec"]["amiFamily"]


def _refuse_twins(objects: Iterable[Made], result: Result) -> None:
    seen: set[str] = set()
    for made in objects:
        if made.key in seen:
            result.refuse(
                made.key,
                ("metadata", "name"),
                "would be there twice",
                "one object of this kind and name",
                "rename one of the old objects",
            )
        seen.add(made.key)


def _judged(objects: Iterable[Made], release: Release) -> list[Fault]:
    """What the API server would refuse of the result."""
    return [
        replace(fault, path=(made.key, *fault.path))
        for made in objects
        for fault in judge(made.manifest, release)
    ]
