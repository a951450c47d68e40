"""Other add-ons of a cluster that get in Karpenter's way.

Sources: Karpenter's FAQ and migration guide (Cluster Autoscaler, Node Termination Handler); the
EKS blueprints refuse the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modules.core.catalogue import Capability
from modules.core.expressions import is_known
from modules.core.faults import Fault
from stacks.settings import ClusterSettings
from stacks.versions import release_of

KEY = "otherAddOns"


@dataclass(frozen=True)
class Rival:
    """An add-on that does what Karpenter does.

    Args:
        name: how its chart is called.
        problem: what is wrong with having both.
        fix: what to do.
    """

    name: str
    problem: str
    fix: str


AUTOSCALER = Rival(
    "cluster-autoscaler",
    "scales the same nodes as Karpenter, and the two work against each other",
    "scale it to zero and remove it: give its node groups a minimum that runs Karpenter itself, "
    "and let Karpenter launch the rest",
)
TERMINATION_HANDLER = Rival(
    "aws-node-termination-handler",
    "handles the events that Karpenter handles with interruptionHandling",
    "remove it once Karpenter runs, or set interruptionHandling to false",
)


def check(cluster: ClusterSettings) -> Iterator[Fault]:
    """The fault of each add-on that cannot be beside Karpenter."""
    yield from _found(cluster, AUTOSCALER)


def warnings(cluster: ClusterSettings) -> Iterator[Fault]:
    """The fault of each add-on that should not be beside it."""
    release = release_of(cluster)
    can = release is not None and release.has(Capability.INTERRUPTION)
    if can and cluster.interruption_handling is not False:
        yield from _found(cluster, TERMINATION_HANDLER)


def _found(cluster: ClusterSettings, rival: Rival) -> Iterator[Fault]:
    for index, name in enumerate(cluster.other_add_ons):
        if is_known(name) and _plain(name) == _plain(rival.name):
            yield Fault(
                (KEY, index), rival.problem, "add-ons that leave nodes alone", rival.fix, name
            )


def _plain(name: str) -> str:
    """A name without what differs between charts and blueprints: `ClusterAutoScalerAddOn`."""
    return name.replace("-", "").replace("_", "").lower().removesuffix("addon")
