"""A whole upgrade: every stop with what to do before, what the apply changes, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from modules.core.catalogue import Release, Version
from stacks.upgrade.notes import Step, rollback, steps
from stacks.upgrade.route import Stop, route

KUBERNETES_FIRST = "UPG201"
"""The code of an upgrade of Kubernetes between two stops."""
KUBERNETES_UNTESTED = "UPG202"
"""The code of a stop that was not tested with so new a Kubernetes."""


@dataclass(frozen=True)
class Change:
    """What the apply changes.

    Args:
        area: `charts`, `policy`, `values` or `manifests`.
        text: the change, one line.
    """

    area: str
    text: str


@dataclass(frozen=True)
class Leg:
    """The way from one stop to the next.

    Args:
        kubernetes: the cluster's Kubernetes version while Karpenter is upgraded.
        kubernetes_step: what to do about it first, or to know; None where nothing is.
    """

    before: Release
    stop: Stop
    kubernetes: str
    kubernetes_step: Step | None
    steps: tuple[Step, ...]
    changes: tuple[Change, ...]
    rollback: str


@dataclass(frozen=True)
class Plan:
    """The way of one cluster from the release it runs to another one."""

    cluster: str
    running: Release
    target: Release
    legs: tuple[Leg, ...]


def plan(
    cluster: str,
    running: Release,
    target: Release,
    kubernetes: str,
    names: Mapping[str, str],
    changes: Callable[[Release, Release], list[Change]],
) -> Plan:
    """The plan of an upgrade.

    Args:
        kubernetes: the cluster's Kubernetes version now.
        names: what stands in commands; see `notes.steps`.
        changes: tells what an apply changes between two releases.
    """
    legs, here = [], running
    for stop in route(running, target):
        step, kubernetes = _kubernetes(here, stop.release, kubernetes)
        legs.append(
            Leg(
                here,
                stop,
                kubernetes,
                step,
                tuple(steps(here, stop.release, names)),
                tuple(changes(here, stop.release)),
                rollback(here, stop.release),
            )
        )
        here = stop.release
    return Plan(cluster, running, target, tuple(legs))


def _kubernetes(before: Release, after: Release, version: str) -> tuple[Step | None, str]:
    """What to do about Kubernetes before this leg, and its version from then on."""
    if Version.of(version) > Version.of(after.kubernetes_max):
        text = (
            f"Karpenter {after.version} was tested with Kubernetes {after.kubernetes_min} to "
            f"{after.kubernetes_max}, and this cluster has {version}. Stay here as briefly as "
            "the steps allow."
        )
        return Step(KUBERNETES_UNTESTED, True, "Newer Kubernetes than tested", text, ()), version
    if Version.of(version) >= Version.of(after.kubernetes_min):
        return None, version
    wanted = after.kubernetes_min
    tested = "both releases were tested with it"
    if not before.supports(wanted):
        tested = f"Karpenter {before.version} was tested up to {before.kubernetes_max} only"
    text = (
        f"Karpenter {after.version} needs Kubernetes {wanted} or later, and this cluster has "
        f"{version}: upgrade it, one minor version at a time; {tested}."
    )
    return Step(KUBERNETES_FIRST, True, f"Upgrade Kubernetes to {wanted}", text, ()), wanted
