"""A cluster whose class and pool are written in the add-on's style, as one written in Karpenter's.

The provisioners module translates the block; here it takes its place in the cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from modules.core.catalogue import Release
from modules.core.faults import Fault, Step
from modules.provisioners.add_on import check_add_on, translate
from stacks.settings import ClusterSettings

KEY = "addOn"

_CLASH = "is given beside addOn"


def expanded(cluster: ClusterSettings) -> ClusterSettings:
    """The cluster without the block, and with what it says; itself where it has none."""
    if cluster.add_on is None:
        return cluster
    made = translate(cluster.add_on)
    changes: dict[str, object] = {
        "add_on": None,
        "node_classes": made.node_classes,
        "node_pools": made.node_pools,
    }
    if made.interruption_handling is not None:
        changes["interruption_handling"] = made.interruption_handling
    if made.values:
        changes["release"] = cluster.release.model_copy(update={"values": made.values})
    return cluster.model_copy(update=changes)


def check(cluster: ClusterSettings, release: Release | None) -> Iterator[Fault]:
    """Faults of the block itself, and of what else says the same.

    Args:
        release: None where it is not known, so that the block cannot be judged.
    """
    block = cluster.add_on
    if block is None:
        return
    if release:
        yield from (fault.under(KEY) for fault in check_add_on(block, release))
    for key, given in (("nodeClasses", cluster.node_classes), ("nodePools", cluster.node_pools)):
        if given:
            yield Fault(
                (key,),
                _CLASH,
                "either addOn, or nodeClasses and nodePools",
                "write all classes and pools in Karpenter's own fields, and remove addOn",
            )
    if block.values and cluster.release.values:
        yield Fault(
            ("release", "values"),
            _CLASH,
            "values in one place",
            "move them into addOn.values, or the others here",
        )
    said = "interruption_handling" in cluster.model_fields_set
    if said and block.interruption_handling not in (None, cluster.interruption_handling):
        yield Fault(
            ("interruptionHandling",),
            "is not what addOn.interruptionHandling says",
            "the same in both places",
            "remove one of the two",
            cluster.interruption_handling,
        )


def in_its_words(cluster: ClusterSettings, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Faults of the expanded cluster, told at what the user wrote."""
    block = cluster.add_on
    for fault in faults:
        if block is None:
            yield fault
        elif fault.path[:1] in (("nodeClasses",), ("nodePools",)):
            continue  # `check` tells them in the block's words.
        elif block.values and fault.path[:2] == ("release", "values"):
            yield _moved(fault, "values", fault.path[2:])
        elif fault.path == ("interruptionHandling",) and block.interruption_handling is not None:
            yield _moved(fault, "interruptionHandling", ())
        else:
            yield fault


def _moved(fault: Fault, key: str, rest: tuple[Step, ...]) -> Fault:
    return replace(fault, path=(KEY, key, *rest))
