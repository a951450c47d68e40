"""A cluster whose class and pool are written in the add-on's style, as one written in Karpenter's.

The provisioners module translates what is about nodes; here the rest takes its place in the
cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from modules.core.catalogue import NEWEST_VERSION, RELEASES, Release
from modules.core.faults import ABSENT, Fault, Step
from modules.core.inputs import Settings
from modules.provisioners import add_on as nodes
from modules.provisioners.add_on_settings import AddOnSettings
from stacks.add_on_chart import chart_repository, check_chart
from stacks.settings import ClusterSettings
from stacks.versions import release_of

KEY = "addOn"

_MADE: tuple[tuple[Step, ...], ...] = (("nodeClasses",), ("nodePools",))

_CLASH = "is given beside addOn"

_MOVED: dict[tuple[Step, ...], str] = {
    ("release", "values"): "values",
    ("release", "namespace"): "namespace",
    ("release", "chartRepository"): "repository",
    ("release", "timeoutSeconds"): "helm_chart_timeout",
    ("karpenterVersion",): "version",
    ("interruptionHandling",): "interruption_handling",
}
"""Where a setting of the cluster may stand in the block instead."""


def expanded(cluster: ClusterSettings) -> ClusterSettings:
    """The cluster without the block, and with what it says; itself where it has none."""
    block = cluster.add_on
    if block is None:
        return cluster
    named = cluster if block.version is None else _with(cluster, karpenter_version=block.version)
    release = _release(named)
    made = nodes.translate(block, release)
    options = {
        "values": block.values or None,
        "namespace": block.namespace,
        "chart_repository": chart_repository(block, release),
        "timeout_seconds": block.helm_chart_timeout,
    }
    given = {name: value for name, value in options.items() if value is not None}
    whole = _with(
        named,
        add_on=None,
        node_classes=made.node_classes,
        node_pools=made.node_pools,
        release=cluster.release.model_copy(update=given),
    )
    said = block.interruption_handling
    return whole if said is None else _with(whole, interruption_handling=said)


def told(cluster: ClusterSettings) -> Iterator[str]:
    """What of the block was translated, and into what."""
    if block := cluster.add_on:
        yield from nodes.translate(block, _release(expanded(cluster))).told


def warnings(cluster: ClusterSettings) -> Iterator[Fault]:
    """What is allowed in the block, and may not be what is meant."""
    if block := cluster.add_on:
        yield from (fault.under(KEY) for fault in nodes.warnings(block))


def check(cluster: ClusterSettings, release: Release | None) -> Iterator[Fault]:
    """Faults of the block itself, and of what else says the same.

    Args:
        release: None where it is not known, so that the block cannot be judged.
    """
    block = cluster.add_on
    if block is None:
        return
    if release:
        found = [*nodes.check_add_on(block, release), *check_chart(block, release)]
        yield from (fault.under(KEY) for fault in found)
    for key, given in (("nodeClasses", cluster.node_classes), ("nodePools", cluster.node_pools)):
        if given:
            yield Fault(
                (key,),
                _CLASH,
                "either addOn, or nodeClasses and nodePools",
                "write all classes and pools in Karpenter's own fields, and remove addOn",
            )
    yield from _twice(cluster, block)


def in_its_words(cluster: ClusterSettings, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Faults of the expanded cluster, told at what the user wrote."""
    block = cluster.add_on
    for fault in faults:
        if block is None:
            yield fault
        elif fault.path[:1] in _MADE:
            continue  # `check` tells them in the block's words.
        else:
            yield _moved(fault, block)


def placed(cluster: ClusterSettings, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Faults of the expanded cluster's class and pool, told at what the user wrote."""
    block = cluster.add_on
    for fault in faults:
        made_here = block is not None and fault.path[:1] in _MADE
        yield nodes.placed(fault, block).under(KEY) if block and made_here else fault


def _twice(cluster: ClusterSettings, block: AddOnSettings) -> Iterator[Fault]:
    """What the cluster and the block both say, and say differently; of values one has all."""
    if block.values and cluster.release.values:
        yield Fault(
            ("release", "values"),
            _CLASH,
            "values in one place",
            "move them into addOn.values, or the others here",
        )
    for path, word in _MOVED.items():
        here, there = _said(cluster, path), getattr(block, word)
        if (
            word not in ("values", "repository")
            and there is not None
            and here not in (ABSENT, there)
        ):
            yield Fault(
                path,
                f"is not what addOn.{_key(word)} says",
                "the same in both places",
                "remove one of the two",
                here,
            )


def _said(cluster: ClusterSettings, path: tuple[Step, ...]) -> object:
    """What the user wrote at a place of the cluster; `ABSENT` where nothing."""
    around: Settings = cluster.release if path[0] == "release" else cluster
    name = next(n for n, f in type(around).model_fields.items() if f.alias == path[-1])
    return getattr(around, name) if name in around.model_fields_set else ABSENT


def _moved(fault: Fault, block: AddOnSettings) -> Fault:
    for path, word in _MOVED.items():
        rest = fault.path[len(path) :]
        if fault.path[: len(path)] == path and getattr(block, word) not in (None, {}):
            return replace(fault, path=(KEY, _key(word), *rest))
    return fault


def _key(word: str) -> str:
    return str(AddOnSettings.model_fields[word].alias)


def _release(cluster: ClusterSettings) -> Release:
    """The cluster's release; where it has none, which is told elsewhere, the newest."""
    return release_of(cluster) or RELEASES[NEWEST_VERSION]


def _with(cluster: ClusterSettings, **changes: object) -> ClusterSettings:
    return cluster.model_copy(update=changes)
