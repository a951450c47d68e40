"""The verdict on a change of an object: rules that compare the new manifest with the old one.

Source: the CEL rules with `oldSelf` in the CRDs of Karpenter 0.32 to 1.14.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from modules.core import names
from modules.core.catalogue import Api, Release
from modules.core.faults import ABSENT, Fault
from modules.provisioners.api.judge import defaulted, kind_of
from modules.provisioners.api.kind import Judged, Kind, Sort
from modules.provisioners.api.rules import Path

_REFERENCE = ("template", "spec", "nodeClassRef")
_RECREATE = "delete the object and make a new one, or give the new one another name"


@dataclass(frozen=True)
class UpdateRule:
    """A rule on what may change.

    Args:
        id: a plain name, unique within its kind.
        kind: of which objects.
        at: the place in the spec that is told.
        problem: what is wrong with the change.
        allowed: what may stand there.
        fix: what to do.
        check: whether the change of the spec is allowed; it is given the old and the new spec.
        spans: by generation, the releases with the rule.
    """

    id: str
    kind: str
    at: Path
    problem: str
    allowed: str
    fix: str
    check: Callable[[Any, Any], bool]
    spans: Mapping[Api, tuple[str, str | None]]

    def holds_for(self, kind: Kind, release: Release) -> bool:
        """Whether the rule is one of this release's on such objects."""
        if kind.kind != self.kind or kind.api is None or kind.api not in self.spans:
            return False
        return release.within(*self.spans[kind.api])


def _same_where_both(*steps: str) -> Callable[[Any, Any], bool]:
    """A rule of the CRD at a place that one of the two lacks says nothing."""

    def check(old: Any, new: Any) -> bool:
        before, after = _at(old, steps), _at(new, steps)
        return ABSENT in (before, after) or before == after

    return check


def _same_presence(key: str) -> Callable[[Any, Any], bool]:
    return lambda old, new: (_at(old, (key,)) is ABSENT) == (_at(new, (key,)) is ABSENT)


def _same_identity(old: Any, new: Any) -> bool:
    keys = ("role", "instanceProfile")
    return any(_at(old, (k,)) is not ABSENT and _at(new, (k,)) is not ABSENT for k in keys)


_UNTIL_MUTABLE = {Api.V1BETA1: ("0.32.2", None), Api.V1: ("0.33.6", "1.7.0")}

RULES = (
    UpdateRule(
        "static_for_ever",
        names.NODE_POOL,
        ("replicas",),
        "a pool cannot begin or cease to be static",
        "replicas as before: there, or not there",
        _RECREATE,
        _same_presence("replicas"),
        {Api.V1: ("1.8.0", None)},
    ),
    *(
        UpdateRule(
            f"class_{key}_for_ever",
            names.NODE_POOL,
            (*_REFERENCE, key),
            f"the {key} of a pool's class cannot change",
            "the value that the pool was made with",
            _RECREATE,
            _same_where_both(*_REFERENCE, key),
            {Api.V1: ("1.1.0", None)},
        )
        for key in ("group", "kind")
    ),
    UpdateRule(
        "role_for_ever",
        names.NODE_CLASS,
        ("role",),
        "the role of a class cannot change before Karpenter 1.7.0",
        "the role that the class was made with",
        _RECREATE,
        _same_where_both("role"),
        {**_UNTIL_MUTABLE, Api.V1BETA1: ("0.32.0", None)},
    ),
    UpdateRule(
        "identity_for_ever",
        names.NODE_CLASS,
        ("role",),
        "a class cannot change between role and instanceProfile before Karpenter 1.7.0",
        "the one of the two that the class was made with",
        _RECREATE,
        _same_identity,
        _UNTIL_MUTABLE,
    ),
)
"""Every rule on changes."""


def judge_update(old: Mapping[str, Any], new: Mapping[str, Any], release: Release) -> list[Fault]:
    """Why the API server of a release would refuse to change one manifest into another.

    Args:
        old: the manifest as it is in the cluster, which `judge` finds no fault in.
        new: the manifest that takes its place, likewise; of the same kind and name.
        release: the Karpenter release whose CRDs are installed.

    Returns:
        The faults of the change alone, with paths from the top of the new manifest.
    """
    return [judged.fault for judged in update_refusals(old, new, release)]


def update_refusals(
    old: Mapping[str, Any], new: Mapping[str, Any], release: Release
) -> list[Judged]:
    """The same, with the id of each rule."""
    kind = kind_of(new, release)
    if isinstance(kind, Judged) or kind_of(old, release) != kind:
        return []
    before, after = defaulted(old, release).get("spec"), defaulted(new, release).get("spec")
    found = []
    for rule in RULES:
        if rule.holds_for(kind, release) and not rule.check(before, after):
            fault = Fault(
                ("spec", *rule.at), rule.problem, rule.allowed, rule.fix, _at(after, rule.at)
            )
            found.append(Judged(fault, Sort.RULE, rule.id))
    return found


def _at(value: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(value, Mapping) or value.get(str(step)) is None:
            return ABSENT
        value = value[str(step)]
    return value
