"""Rules on the clusters of a file beside each other: what two of them must not share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from modules.core.expressions import is_known
from modules.core.faults import ABSENT, Fault, Step, dotted
from modules.iam import naming
from stacks.rules import account_of
from stacks.settings import ClusterSettings
from stacks.state import state_key, state_path
from stacks.wiring import iam_settings


@dataclass(frozen=True)
class Neighbour:
    """A cluster among others.

    Args:
        path: where it stands in the file.
        without: its keys that are known to be at fault.
    """

    path: tuple[Step, ...]
    cluster: ClusterSettings
    without: frozenset[str] = frozenset()


class Neighbours:
    """Clusters that get to know each other one by one."""

    def __init__(self) -> None:
        self._first: list[dict[Hashable, Neighbour]] = [{} for _ in _RULES]

    def clashes(self, this: Neighbour) -> Iterator[Fault]:
        """Every fault of a cluster that shares what it must not with one that was added."""
        for (_, keys, tell), first in self._rules(this):
            owners = [first.get(key, this) for key in keys(this.cluster)]
            other = next((owner for owner in owners if owner is not this), None)
            if other and (fault := tell(other, this)):
                yield fault.under(*this.path)

    def add(self, this: Neighbour) -> None:
        """Lets later ones know of a cluster; what an earlier one has stays that one's."""
        for (_, keys, _), first in self._rules(this):
            for key in keys(this.cluster):
                first.setdefault(key, this)

    def _rules(self, this: Neighbour) -> Iterator[tuple[_Rule, dict[Hashable, Neighbour]]]:
        for rule, first in zip(_RULES, self._first, strict=True):
            if not this.without.intersection(rule[0]):
                yield rule, first


def check_neighbours(clusters: Sequence[Neighbour]) -> list[Fault]:
    """Every fault of two clusters that share what they must not; told at the later one."""
    neighbours = Neighbours()
    found: list[Fault] = []
    for cluster in clusters:
        found += neighbours.clashes(cluster)
        neighbours.add(cluster)
    return found


def _id(cluster: ClusterSettings) -> list[Hashable]:
    return [cluster.stack_id.casefold()]


def _same_id(other: Neighbour, this: Neighbour) -> Fault:
    key = "id" if this.cluster.id else "name"
    return Fault(
        (key,),
        f"gives the stack the id of {dotted(other.path)}",
        "an id that no other cluster has, in whatever case",
        "give this cluster an id of its own" if key == "id" else "add an id to this cluster",
        this.cluster.stack_id,
    )


def _state(cluster: ClusterSettings) -> list[Hashable]:
    local, s3 = cluster.backend.local, cluster.backend.s3
    if local and not is_known(local.path):
        return []
    if s3:
        return [("s3", s3.bucket, state_key(s3, cluster.stack_id))]
    return [("local", PurePath(state_path(local, cluster.stack_id)))] if local else []


def _same_state(other: Neighbour, this: Neighbour) -> Fault | None:
    local, s3 = this.cluster.backend.local, this.cluster.backend.s3
    path = ("s3", "key") if s3 else ("local", "path")
    value = s3.key if s3 else local and local.path
    if this.cluster.stack_id == other.cluster.stack_id:
        return None  # Two stacks of one id are a fault of its own.
    return Fault(
        ("backend", *path),
        f"is where the state of {dotted(other.path)} lies",
        "a place that no other cluster's state has",
        "give each cluster a place of its own, or none to have one made from its id",
        ABSENT if value is None else value,
    )


def _iam_names(cluster: ClusterSettings) -> list[Hashable]:
    """The names of what exists once in an account, with what is known of the account."""
    settings = iam_settings(cluster, issuer="https://oidc.eks.example.com/id/0")
    named: list[tuple[str, object]] = [
        ("role", naming.controller_role(settings)),
        ("policy", naming.controller_policy(settings, "")),
    ]
    if settings.create_node_role:
        named.append(("role", naming.node_role(settings)))
    account = _account(cluster)
    return [(account, kind, name) for kind, name in named]


def _account(cluster: ClusterSettings) -> Hashable:
    """What the file says about the account; where it says nothing, the environment decides."""
    if cluster.assume_role and is_known(cluster.assume_role.arn):
        return account_of(cluster.assume_role.arn)
    if len(cluster.allowed_account_ids) == 1:
        return cluster.allowed_account_ids[0]
    return (cluster.profile, frozenset(cluster.allowed_account_ids))


def _same_names(other: Neighbour, this: Neighbour) -> Fault:
    one, two = other.cluster, this.cluster
    where = dotted(other.path)
    if (one.name, one.region) == (two.name, two.region):
        return Fault(
            ("name",),
            f"is the cluster of {where} again, as far as can be told",
            "each cluster once",
            "remove one of the two; or, if they are in different accounts, give both "
            "allowedAccountIds",
            two.name,
        )
    return Fault(
        ("name",),
        f"gives IAM roles or policies the names of {where}'s, and IAM is one for all regions",
        "names that are new in their account",
        f'add iam.nameSuffix: "-{two.region}" to this cluster; or, if they are in different '
        "accounts, give both allowedAccountIds",
        two.name,
    )


Keys = Callable[[ClusterSettings], Sequence[Hashable]]
Tell = Callable[[Neighbour, Neighbour], Fault | None]

_Rule = tuple[set[str], Keys, Tell]

_RULES: tuple[_Rule, ...] = (
    ({"id", "name"}, _id, _same_id),
    ({"backend", "id", "name", "region"}, _state, _same_state),
    (
        {"name", "region", "profile", "assumeRole", "allowedAccountIds", "iam"},
        _iam_names,
        _same_names,
    ),
)
"""Each rule: the keys that it reads, what no two clusters may share, and what is told of it."""
