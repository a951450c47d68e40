"""Which of several pools wins where more than one fits a pod.

Karpenter tries pools by weight, the heaviest first; of equal weights, the name that sorts last
comes first (`OrderByWeight`, as of 1.14.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.instances import data
from modules.provisioners.instances.selection import TELLING, conditions, select
from modules.provisioners.lint import look
from modules.provisioners.lint.allowed import Allowed, allowed
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import POOLS, Requirement, is_static, taints

_NO_WEIGHT: Final = 0
_FULL: Final = ("NoSchedule", "NoExecute")


def weight(pool: Manifest) -> int:
    """The weight that Karpenter reckons with."""
    found = look.number(pool.spec, "weight")
    return _NO_WEIGHT if found is None else found


def first(pools: Sequence[Manifest]) -> Manifest:
    """The pool that is tried first."""
    return max(pools, key=lambda pool: (weight(pool), pool.name))


def overlapping(pools: Iterable[Manifest]) -> Iterator[tuple[Manifest, Manifest]]:
    """Every two pools that fit some pod alike: of the same taints, and of labels and types in
    common."""
    alike: dict[frozenset[tuple[str, str, str]], list[_View]] = {}
    for pool in pools:
        if not is_static(pool):
            view = _View(pool, _types(tuple(conditions(pool))), _of_pools(pool))
            alike.setdefault(_marks(pool), []).append(view)
    for views in alike.values():
        for one, other in combinations(views, 2):
            if one.types & other.types and _meet(one.labels, other.labels):
                yield one.pool, other.pool


@dataclass(frozen=True)
class _View:
    """What is compared of a pool.

    Args:
        types: the types that it can launch, each a bit.
        labels: what it leaves of the labels that types do not have one value of.
    """

    pool: Manifest
    types: int
    labels: Mapping[str, Allowed]


def _of_pools(pool: Manifest) -> dict[str, Allowed]:
    return {
        key: rule
        for key, rule in allowed(pool).items()
        if key not in TELLING or key == names.CAPACITY_TYPE_LABEL
    }


def _marks(pool: Manifest) -> frozenset[tuple[str, str, str]]:
    """What keeps pods away: pods that tolerate one pool's taints may not tolerate another's."""
    return frozenset(
        (
            look.text(taint, "key") or "",
            look.text(taint, "value") or "",
            look.text(taint, "effect") or "",
        )
        for _, taint in taints(pool)
        if look.text(taint, "effect") in _FULL
    )


def _meet(one: Mapping[str, Allowed], other: Mapping[str, Allowed]) -> bool:
    """Whether some node may have labels that both allow."""
    for key in one.keys() & other.keys():
        both = one[key]
        for requirement in other[key].by:
            both = both.and_also(requirement)
        if both.impossible or (other[key].listed is not None and not _common(both, other[key])):
            return False
    return True


def _common(both: Allowed, other: Allowed) -> bool:
    """Whether a value is left that the other lists; defaults of the webhook have no requirement."""
    values = both.values
    if values is None:
        return any(both.admits(value) for value in other.listed or ())
    return any(other.admits(value) for value in values)


@lru_cache(maxsize=512)
def _types(given: tuple[Requirement, ...]) -> int:
    """The types that requirements leave, each a bit; that of its place among all."""
    left = {t.name for t in select(given).types}
    return sum(1 << at for at, name in enumerate(data.types()) if name in left)


def _equal_weights(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    pools = list(context.of_kinds(*POOLS))
    rivals: dict[int, list[Manifest]] = {}
    for one, other in overlapping(pools):
        if weight(one) == weight(other) and one.name != other.name:
            loser = other if first([one, other]) is one else one
            rivals.setdefault(id(loser), []).append(one if loser is other else other)
    for pool in pools:
        if winners := rivals.get(id(pool)):
            winner = first(winners)
            at = "weight" if "weight" in pool.spec else "metadata"
            path = ("weight",) if at == "weight" else ("metadata", "name")
            yield (
                pool,
                Fault(
                    path,
                    f"has the weight of {', '.join(p.name for p in winners)}, and fits the same "
                    f"pods: {winner.name} is tried first, since its name sorts last",
                    "pools that exclude one another, or different weights",
                    "give the pool that is to be tried first the greater weight, or keep them "
                    "apart by requirements or taints",
                    weight(pool) or pool.name,
                ),
            )


def _never_used(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    """A pool all of whose types another pool has too, which is tried before it and has no limit."""
    pools = list(context.of_kinds(*POOLS))
    for one, other in overlapping(pools):
        winner = first([one, other])
        loser = other if winner is one else one
        if weight(winner) == weight(loser) or look.mapping(winner.spec, "limits"):
            continue
        if _covers(winner, loser):
            yield (
                loser,
                Fault(
                    ("weight",) if "weight" in loser.spec else ("metadata", "name"),
                    f"is never used: {winner.name} is tried first, allows all that this pool "
                    "allows, and has no limits",
                    "a pool that allows something that those before it do not",
                    f"give {winner.name} limits, or another weight",
                    weight(loser) or loser.name,
                ),
            )


def _covers(winner: Manifest, loser: Manifest) -> bool:
    if _types(tuple(conditions(loser))) & ~_types(tuple(conditions(winner))):
        return False
    theirs = allowed(loser)
    for key, rule in allowed(winner).items():
        other = theirs.get(key)
        values = None if other is None else other.values
        if values is None or not all(rule.admits(value) for value in values):
            return key in TELLING and values is None and other is not None and rule.listed is None
    return True


RULES = (
    LintRule(
        "KPT331",
        "pools of one weight that fit the same pods",
        Severity.WARNING,
        "Which of them launches the node depends on their names, not on what they are for.",
        "kubernetes-sigs/karpenter#2976",
        check_all=_equal_weights,
    ),
    LintRule(
        "KPT332",
        "a pool that another one always comes before",
        Severity.WARNING,
        "It launches no node as long as the heavier pool can, which nothing ends.",
        "kubernetes-sigs/karpenter#1829",
        check_all=_never_used,
    ),
)
