"""The verdict on a whole manifest, as the API server of one Karpenter release would give it.

Sources: the CRDs of each release; for what surrounds the spec, Kubernetes' API conventions and
the validation of object metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from modules.core.catalogue import RELEASES, Release
from modules.core.faults import Fault, nearest, unknown_key
from modules.core.inputs import missing, wrong_type
from modules.provisioners.api import verdict
from modules.provisioners.api.alpha import ALPHA_KINDS
from modules.provisioners.api.beta import BETA_KINDS
from modules.provisioners.api.defaults import filled
from modules.provisioners.api.kind import Judged, Kind, Sort
from modules.provisioners.api.metadata import ObjectMeta
from modules.provisioners.api.stable import STABLE_KINDS

KINDS: dict[tuple[str, str], Kind] = {
    (k.api_version, k.kind): k for k in (*STABLE_KINDS, *BETA_KINDS, *ALPHA_KINDS)
}
"""`apiVersion` and `kind` -> what is known of such objects; every generation has a tuple."""

_TOP = ("apiVersion", "kind", "metadata", "spec", "status")


def judge(manifest: Mapping[str, Any], release: Release) -> list[Fault]:
    """Why the API server of a release would refuse a manifest; empty where it would take it.

    Unknown fields are refused, as kubectl and Helm ask for.

    Args:
        manifest: plain data, as YAML or JSON give it.
        release: the Karpenter release whose CRDs are installed.

    Returns:
        The faults, with paths from the top of the manifest.
    """
    return [judged.fault for judged in refusals(manifest, release)]


def refusals(manifest: Mapping[str, Any], release: Release) -> list[Judged]:
    """The same, with the sort of each fault and the id of the rule."""
    return [judged for judged in everything(manifest, release) if judged.code is None]


def stricter(manifest: Mapping[str, Any], release: Release) -> list[Judged]:
    """What only we refuse in a manifest, each with its code; `refusals` tells the rest."""
    found = everything(manifest, release)
    told = {(j.fault.problem, j.fault.path) for j in found if j.code is None}
    return [j for j in found if j.code is not None and not _told(j.fault, told)]


def everything(manifest: Any, release: Release) -> list[Judged]:
    """What the API server and what only we refuse."""
    if not isinstance(manifest, Mapping):
        return [Judged(wrong_type("dict_type", (), manifest), Sort.TYPE)]
    kind = kind_of(manifest, release)
    if isinstance(kind, Judged):
        return [kind]
    found = [
        Judged(unknown_key(str(key), _TOP, value), Sort.UNKNOWN)
        for key, value in manifest.items()
        if key not in _TOP
    ]
    metadata = manifest.get("metadata")
    found += (
        judged.under("metadata")
        for judged in verdict.of_value(
            ObjectMeta, {} if metadata is None else metadata, release, {}
        )
    )
    if not isinstance(metadata, Mapping) or not (
        metadata.get("name") or metadata.get("generateName")
    ):
        found.append(Judged(missing(("metadata", "name")), Sort.MISSING))
    spec = manifest.get("spec")
    if spec is not None:
        found += (judged.under("spec") for judged in verdict.of_spec(kind, spec, release))
    elif kind.needs_spec is not None and release.at_least(kind.needs_spec):
        found.append(Judged(missing(("spec",)), Sort.MISSING))
    return found


def kind_of(manifest: Mapping[str, Any], release: Release) -> Kind | Judged:
    """The kind of a manifest, or why this release does not serve it."""
    version, name = manifest.get("apiVersion"), manifest.get("kind")
    for key, value in (("apiVersion", version), ("kind", name)):
        if not isinstance(value, str) or not value:
            absent = value in (None, "")
            fault = missing((key,)) if absent else wrong_type("string_type", (key,), value)
            return Judged(fault, Sort.MISSING if absent else Sort.TYPE)
    kind = KINDS.get((str(version), str(name)))
    if kind is not None and kind.served_by(release):
        return kind
    return Judged(_not_served(str(version), str(name), kind, release), Sort.NOT_SERVED)


def defaulted(manifest: Mapping[str, Any], release: Release) -> dict[str, Any]:
    """A manifest with what the API server of a release fills in.

    Args:
        manifest: a manifest that `judge` finds no fault in; one of another kind stays as it is.
    """
    kind = kind_of(manifest, release)
    spec = manifest.get("spec")
    if isinstance(kind, Judged) or not isinstance(spec, Mapping):
        return dict(manifest)
    return {**manifest, "spec": filled(verdict.known(kind.model, release), spec, release)}


def _told(fault: Fault, told: set[tuple[str, tuple[Any, ...]]]) -> bool:
    return any((fault.problem, fault.path[:n]) in told for n in range(len(fault.path) + 1))


def _not_served(version: str, name: str, kind: Kind | None, release: Release) -> Fault:
    served = [k for k in KINDS.values() if k.served_by(release)]
    allowed = ", ".join(f"{k.kind} ({k.api_version})" for k in served)
    if kind is not None:
        problem = f"is not served by Karpenter {release.version}: {_spans(kind)} serve it"
        other = next((k for k in served if k.kind == name), None)
        fix = f"write apiVersion: {other.api_version}" if other else "use a kind that is served"
        return Fault(("apiVersion",), problem, allowed, fix, version)
    if others := [k for k in served if k.kind == name]:
        fix = f"write apiVersion: {others[-1].api_version}"
        problem = f"is no version of {name} that Karpenter has"
        return Fault(("apiVersion",), problem, allowed, fix, version)
    like = nearest(name, (k.kind for k in served))
    fix = f"did you mean {like}?" if like else "give a kind that Karpenter reads"
    return Fault(("kind",), "is no kind of Karpenter", allowed, fix, name)


def _spans(kind: Kind) -> str:
    """The releases that serve a kind, as runs of releases that follow one another."""
    runs = (
        [release.version for release in run]
        for serves, run in groupby(RELEASES.values(), key=kind.served_by)
        if serves
    )
    return ", ".join(f"{run[0]} to {run[-1]}" for run in runs)
