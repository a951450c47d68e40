"""Provisioners and AWSNodeTemplates (v1alpha5) as NodePools and EC2NodeClasses of v1beta1.

Source: Karpenter's migration guide to v1beta1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from modules.core import names
from modules.provisioners.api.alpha_defaults import added_beside
from modules.provisioners.migrate.made import Made, Object, Result, present
from modules.provisioners.translation import duration, images, terms

POOL_VERSION: Final = f"{names.NODE_POOL_GROUP}/v1beta1"
CLASS_VERSION: Final = f"{names.NODE_CLASS_GROUP}/v1beta1"

_ADDED: Final = "the old webhook added this; without it, other nodes would be launched"
_NEVER: Final = "Never"
_DEFAULT_FAMILY: Final = "AL2"
_HOPS: Final = 2


def node_pool(given: Object, result: Result) -> None:
    """Adds the NodePool of a Provisioner, and the class of one that says itself what nodes are."""
    spec: Mapping[str, Any] = given.get("spec") or {}
    name = str(given["metadata"].get("name", ""))
    key = f"{names.PROVISIONER} {name}"
    class_name = name if spec.get("provider") else (spec.get("providerRef") or {}).get("name")
    if not class_name:
        result.refuse(
            key,
            ("spec", "providerRef"),
            "names no AWSNodeTemplate",
            "providerRef.name, or provider",
            "name the template of the nodes",
        )
        return
    pool = Made(
        {
            "apiVersion": POOL_VERSION,
            "kind": names.NODE_POOL,
            "metadata": given["metadata"],
            "spec": {},
        }
    )
    requirements = _requirements(spec, pool)
    node = {
        **present(taints=spec.get("taints"), startupTaints=spec.get("startupTaints")),
        "requirements": requirements,
        "nodeClassRef": {
            "apiVersion": CLASS_VERSION,
            "kind": names.NODE_CLASS,
            "name": class_name,
        },
        **present(kubelet=_kubelet(spec, pool)),
    }
    metadata = present(labels=spec.get("labels"), annotations=spec.get("annotations"))
    pool.manifest["spec"] = {
        "template": {**present(metadata=metadata), "spec": node},
        "disruption": _disruption(spec, pool),
        **present(
            limits=(spec.get("limits") or {}).get("resources"),
            weight=spec.get("weight"),
        ),
    }
    if inline := spec.get("provider"):
        template = {"metadata": {"name": name}, "spec": inline}
        node_class(template, result, key=key, steps=("spec", "provider"))
        pool.note("spec.provider became the EC2NodeClass of this name", *_REFERENCE)
    result.objects.append(pool)


_REFERENCE: Final = ("spec", "template", "spec", "nodeClassRef")
_REQUIREMENTS: Final = ("spec", "template", "spec", "requirements")


def _requirements(spec: Mapping[str, Any], pool: Made) -> list[Object]:
    given = [dict(r) for r in spec.get("requirements") or ()]
    said = {str(r.get("key")) for r in given} | set(spec.get("labels") or {})
    for row in added_beside(said):
        pool.note(_ADDED, *_REQUIREMENTS, len(given))
        given.append({"key": row.key, "operator": row.operator, "values": list(row.values)})
    return given


def _kubelet(spec: Mapping[str, Any], pool: Made) -> Object:
    kubelet = dict(spec.get("kubeletConfiguration") or {})
    if kubelet.pop("containerRuntime", None) is not None:
        place = ("spec", "template", "spec", *(["kubelet"] if kubelet else []))
        pool.note("containerRuntime is gone: containerd is the only one", *place, lossy=True)
    return kubelet


def _disruption(spec: Mapping[str, Any], pool: Made) -> Object:
    empty, expired = spec.get("ttlSecondsAfterEmpty"), spec.get("ttlSecondsUntilExpired")
    expiry = _NEVER if expired is None else duration(expired)
    if (spec.get("consolidation") or {}).get("enabled"):
        going: Object = {"consolidationPolicy": "WhenUnderutilized"}
    else:
        after = _NEVER if empty is None else duration(empty)
        going = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": after}
        if empty is None:
            text = "without consolidation and ttlSecondsAfterEmpty, nodes were never consolidated"
            pool.note(text, "spec", "disruption", "consolidateAfter")
    if expired is None:
        text = "without ttlSecondsUntilExpired, nodes never expired; the new default is 720h"
        pool.note(text, "spec", "disruption", "expireAfter")
    return {**going, "expireAfter": expiry}


def node_class(
    given: Object, result: Result, *, key: str | None = None, steps: tuple[str, ...] = ("spec",)
) -> None:
    """Adds the EC2NodeClass of an AWSNodeTemplate.

    Args:
        key: who is at fault where it is not the template itself.
        steps: where its spec stands.
    """
    spec: Mapping[str, Any] = given.get("spec") or {}
    key = key or f"{names.NODE_TEMPLATE} {given['metadata'].get('name', '')}"
    if spec.get("launchTemplate") is not None:
        result.refuse(
            key,
            (*steps, "launchTemplate"),
            "cannot be converted: there are no launch templates any more",
            "what the launch template says, in the fields of an EC2NodeClass",
            "write its user data, disks, tags and metadata options into the template's own fields",
        )
        return
    made = Made(
        {
            "apiVersion": CLASS_VERSION,
            "kind": names.NODE_CLASS,
            "metadata": given["metadata"],
            "spec": {},
        }
    )
    family = spec.get("amiFamily")
    if family is None:
        made.note(f"{_DEFAULT_FAMILY} was the default", "spec", "amiFamily")
    options = dict(spec.get("metadataOptions") or {})
    if options.get("httpPutResponseHopLimit") is None:
        options["httpPutResponseHopLimit"] = _HOPS
        text = f"{_HOPS} was the default; from v1 on it is 1, which pods cannot reach through"
        made.note(text, "spec", "metadataOptions", "httpPutResponseHopLimit")
    for field in ("apiVersion", "kind"):
        if field in spec:
            made.note(f"{field} inside the spec was read by nothing, and is left out", "spec")
    made.manifest["spec"] = {
        "amiFamily": family or _DEFAULT_FAMILY,
        **present(
            amiSelectorTerms=images(spec.get("amiSelector") or {}),
            subnetSelectorTerms=list(terms(spec.get("subnetSelector") or {})),
            securityGroupSelectorTerms=list(terms(spec.get("securityGroupSelector") or {})),
            instanceProfile=spec.get("instanceProfile"),
            userData=spec.get("userData"),
            tags=spec.get("tags"),
            blockDeviceMappings=spec.get("blockDeviceMappings"),
            detailedMonitoring=spec.get("detailedMonitoring"),
            context=spec.get("context"),
        ),
        "metadataOptions": options,
    }
    result.objects.append(made)
