"""Uninstall as Helm does it: which failure keeps the record of the release, and which does not.

No time passes here; what would be waited for is reckoned.
"""

from __future__ import annotations

from typing import Any

from ..errors import ProviderError
from ..kubernetes import HOOK_ANNOTATION, HOOK_POLICY_ANNOTATION, Kubernetes, Release
from .release import brings_crds, kept_crds

_NODE_CLASS = "EC2NodeClass"
_PRE_DELETE = "pre-delete"
_BEFORE_CREATION = "before-hook-creation"
_TIMED_OUT = "context deadline exceeded"


def uninstall(kubernetes: Kubernetes, release: Release) -> None:
    """Remove a release.

    First its pre-delete hooks run. One that fails ends it, and the release stays. Then the objects
    are deleted. Where waiting for that takes too long, the record is purged all the same, and
    only then the error told (helm/helm#9226).

    :raises ProviderError: a hook fails, or NodeClaims hold a class longer than the timeout.
    """
    waited = _run_hooks(kubernetes, release) if release.run_hooks else 0.0
    held = _held(kubernetes, release.objects, waited)
    if held > 0 and not (release.wait and held <= release.timeout):
        kubernetes.terminating.append(release.name)
    kept = kept_crds(release)
    kubernetes.kept += kept
    if brings_crds(release) and not kept:
        kubernetes.crds[release.host] = False
    del kubernetes.releases[release.key]
    if release.wait and held > release.timeout:
        raise _failure(release, f"uninstallation completed with 1 error(s): {_TIMED_OUT}")


def _run_hooks(kubernetes: Kubernetes, release: Release) -> float:
    """Run the pre-delete hooks, one after the other by name; tells how many seconds it took.

    What Helm waits for is the deletion of the object that a hook is about to replace; no kind but
    Job and Pod is waited for once it is made.
    """
    waited = 0.0
    for hook in sorted(_pre_delete(release), key=lambda hook: str(hook["metadata"]["name"])):
        if _BEFORE_CREATION not in _policies(hook):
            if any(_named(hook) == _named(item) for item in release.objects):
                name = hook["metadata"]["name"]
                raise _failure(
                    release, f'warning: Hook {_PRE_DELETE} failed: "{name}" already exists'
                )
            continue
        held = _held(kubernetes, [hook], waited)
        if held > release.timeout:
            raise _failure(release, _TIMED_OUT)
        waited += held
        # Helm saves the release, whose status it has set, when a hook is about to be made.
        release.status = "uninstalling"
    return waited


def _pre_delete(release: Release) -> list[dict[str, Any]]:
    return [
        hook
        for hook in release.hooks
        if _PRE_DELETE in _listed(hook["metadata"]["annotations"][HOOK_ANNOTATION])
    ]


def _policies(hook: dict[str, Any]) -> list[str]:
    """A hook's delete policies; the first of them is Helm's default."""
    return _listed(hook["metadata"]["annotations"].get(HOOK_POLICY_ANNOTATION, _BEFORE_CREATION))


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",")]


def _named(item: dict[str, Any]) -> tuple[str, str]:
    return item["kind"], item["metadata"]["name"]


def _held(kubernetes: Kubernetes, items: list[dict[str, Any]], waited: float) -> float:
    """How many seconds more NodeClaims hold the classes among these."""
    names = [name for kind, name in map(_named, items) if kind == _NODE_CLASS]
    return max((_seconds(kubernetes, name) - waited for name in names), default=0.0)


def _seconds(kubernetes: Kubernetes, name: str) -> float:
    """How long NodeClaims hold a class."""
    seconds = kubernetes.node_claims.get(name, 0.0)
    return float("inf") if seconds is None else seconds


def _failure(release: Release, message: str) -> ProviderError:
    return ProviderError(
        "Error uninstalling release",
        f"Unable to uninstall Helm release {release.name}: {message}",
    )
