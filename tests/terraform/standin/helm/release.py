"""Install and upgrade, and what the provider tells of a release."""

from __future__ import annotations

import json
import time
from typing import Any

from helm_python import Chart

from ..errors import ProviderError
from ..kubernetes import KEEP_ANNOTATION, Kubernetes, Release
from ..values import UNKNOWN, State
from . import charts

_KARPENTER_GROUPS = ("karpenter.sh/", "karpenter.k8s.aws/")
_CRD_CHART = "karpenter-crd"
_MAIN_CHART = "karpenter"
# Where Helm's provider shows a value that set_sensitive gave.
_CLOAK = "(sensitive value)"


def _is_crd(item: dict[str, Any]) -> bool:
    return item.get("kind") == "CustomResourceDefinition"


def _custom(release: Release) -> list[dict[str, Any]]:
    return [
        item
        for item in release.objects
        if str(item.get("apiVersion", "")).startswith(_KARPENTER_GROUPS)
    ]


def _check_kinds(kubernetes: Kubernetes, release: Release) -> None:
    """Helm builds every object against the API server before it creates any."""
    if kubernetes.crds.get(release.host, True):
        return
    missing = [
        f'resource mapping not found for name: "{item["metadata"]["name"]}" namespace: "" from "": '
        f'no matches for kind "{item["kind"]}" in version "{item["apiVersion"]}"\n'
        "ensure CRDs are installed first"
        for item in _custom(release)
    ]
    if missing:
        raise ProviderError(
            "installation failed",
            "unable to build kubernetes objects from release manifest: " + "\n".join(missing),
        )


def brings_crds(release: Release) -> bool:
    """Whether Karpenter's CRDs come with a release."""
    return release.chart_name == _CRD_CHART or any(map(_is_crd, release.objects))


def kept_crds(release: Release) -> list[str]:
    """CRDs whose annotation tells Helm to leave them behind."""
    if release.chart_name == _CRD_CHART and not release.objects:
        annotations = release.values.get("additionalAnnotations") or {}
        return [_CRD_CHART] if annotations.get(KEEP_ANNOTATION) == "keep" else []
    return [
        item["metadata"]["name"]
        for item in release.objects
        if _is_crd(item) and item["metadata"].get("annotations", {}).get(KEEP_ANNOTATION) == "keep"
    ]


def install(kubernetes: Kubernetes, release: Release) -> None:
    """:raises ProviderError: the name is taken, or the API server lacks a kind or the namespace."""
    if release.key in kubernetes.releases:
        raise ProviderError("installation failed", "cannot re-use a name that is still in use")
    _check_kinds(kubernetes, release)
    if release.create_namespace:
        kubernetes.namespaces.add((release.host, release.namespace))
    elif not kubernetes.has_namespace(release.host, release.namespace):
        raise ProviderError(
            "installation failed",
            f'create: failed to create: namespaces "{release.namespace}" not found',
        )
    kubernetes.releases[release.key] = release
    # What a chart has in its folder `crds` is installed with it, and never removed.
    if brings_crds(release) or (release.chart_name == _MAIN_CHART and not release.skip_crds):
        kubernetes.crds[release.host] = True


def upgrade(kubernetes: Kubernetes, release: Release) -> None:
    """:raises ProviderError: no such release is deployed, or the API server lacks a kind."""
    before = kubernetes.releases.get(release.key)
    if before is None or before.status != "deployed":
        raise ProviderError(
            "Error upgrading chart", f'Upgrade failed: "{release.name}" has no deployed releases'
        )
    _check_kinds(kubernetes, release)
    release.revision = before.revision + 1
    kubernetes.releases[release.key] = release


def _cloaked(state: State, values: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(json.dumps(values))
    for item in state.get("set_sensitive") or []:
        *parents, last = item["name"].split(".")
        place: Any = shown
        for key in parents:
            place = place.get(key, {}) if isinstance(place, dict) else {}
        if isinstance(place, dict) and last in place:
            place[last] = _CLOAK
    return shown


def computed(state: State, release: Release, app_version: str) -> State:
    """The attributes that the provider sets after each install, upgrade and read."""
    now = int(time.time())
    metadata = {
        "name": release.name,
        "namespace": release.namespace,
        "revision": release.revision,
        "chart": release.chart_name,
        "version": release.version,
        "app_version": app_version,
        "values": json.dumps(_cloaked(state, release.values), separators=(",", ":")),
        "first_deployed": now,
        "last_deployed": now,
        "notes": "",
    }
    return {
        "id": release.name,
        "status": release.status,
        "manifest": None,
        "resources": None,
        "description": "" if state.get("description") is UNKNOWN else state.get("description"),
        "metadata": metadata,
    }


def described(state: State, host: str, chart: Chart | None) -> Release:
    """The release that a planned state asks for."""
    name = str(state["chart"]).rstrip("/").rsplit("/", 1)[-1]
    version = state.get("version")
    known = version if isinstance(version, str) else ""
    return Release(
        host=host,
        namespace=state["namespace"],
        name=state["name"],
        chart=state["chart"],
        chart_name=chart.name if chart else name,
        version=chart.version if chart else known,
        repository=state.get("repository") or "",
        values=charts.values(state),
        skip_crds=bool(state.get("skip_crds")),
        wait=bool(state.get("wait")),
        timeout=int(state.get("timeout") or 0),
        create_namespace=bool(state.get("create_namespace")),
    )
