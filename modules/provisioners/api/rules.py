"""Rules that need more than one value of a spec, or a list that changes with the release.

Sources: the CEL rules of the CRDs of Karpenter 0.32 to 1.14. Some of those let bad input
through (a rule on all terms where each was meant; a pattern that is not anchored); ours
refuse it, because Karpenter or EC2 would later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.core.faults import ABSENT, Fault, Step

Path = tuple[Step, ...]


@dataclass(frozen=True)
class SpecRule:
    """A rule on a place in a spec.

    Args:
        id: a plain name, unique within its kind.
        at: the places judged: `a.b`, `a.b[]` (each item), `a.b{}` (each key of a mapping); ""
            is the whole spec.
        problem: what is wrong where it is broken, one phrase.
        allowed: what is allowed.
        fix: what to do.
        check: whether what stands there is allowed; it is given a value of type `kind`.
        condition: the same in Terraform; `{v}` stands for the value. It may fail on odd
            input, which counts as broken. Terraform evaluates both sides of `||`, but reports the
            errors of the chosen side alone of `? :`: what may be absent stands behind the latter.
        kind: the type that the rule is about; other values are left to the type checks.
        reads: keys there whose values it compares; it is left out while one of them has a
            fault of its own or is a Terraform expression.
        blame: the key to point at, where it is one.
        since: first release with the rule, or None for all that have the place.
        until: first release without it, or None.
        code: None for the API server's own rule; the stable code of a stricter one of ours.
        weaker_than: of a rule of the API server: the id of the rule of ours that refuses whatever
            this one does and more; it stands for this one wherever both would be told.
        webhook: whether Karpenter's admission webhook has the rule, and the CRD has not.
    """

    id: str
    at: str
    problem: str
    allowed: str
    fix: str
    check: Callable[[Any], bool]
    condition: str
    kind: type[Any] = dict
    reads: tuple[str, ...] = ()
    blame: str | None = None
    since: str | None = None
    until: str | None = None
    code: str | None = None
    weaker_than: str | None = None
    webhook: bool = False

    def holds_for(self, release: Release) -> bool:
        """Whether the rule is one of this release's."""
        begun = self.since is None or release.at_least(self.since)
        return begun and not (self.until is not None and release.at_least(self.until))

    @property
    def message(self) -> str:
        """What a published module says of a spec that breaks it."""
        return f"{self.problem}. Allowed: {self.allowed}. Fix: {self.fix}."


def broken(rule: SpecRule, spec: Any, faulty: frozenset[Path]) -> Iterator[Fault]:
    """The faults that a rule finds in a spec.

    Args:
        faulty: places that have a fault of their own already.
    """
    for path, value in places(spec, rule.at):
        if not isinstance(value, rule.kind) or not _sound(rule, path, value, faulty):
            continue
        if not rule.check(value):
            shown = value if rule.blame is None else value.get(rule.blame, ABSENT)
            where = path if rule.blame is None else (*path, rule.blame)
            yield Fault(where, rule.problem, rule.allowed, rule.fix, shown)


def places(value: Any, at: str) -> Iterator[tuple[Path, Any]]:
    """Where a rule's place is in a given spec, and what stands there."""
    return _places(value, _steps(at), ())


@cache
def _steps(at: str) -> tuple[tuple[str, str], ...]:
    """The keys on the way to a place, each with what is behind it: nothing, `[]` or `{}`."""
    steps = at.split(".") if at else []
    return tuple((step.rstrip("[]{}"), step[-2:] if step[-1] in "]}" else "") for step in steps)


def _places(
    value: Any, steps: tuple[tuple[str, str], ...], path: Path
) -> Iterator[tuple[Path, Any]]:
    if not steps:
        yield path, value
        return
    (key, each), rest = steps[0], steps[1:]
    if not isinstance(value, Mapping) or key not in value:
        return
    child, here = value[key], (*path, key)
    if each == "[]":
        for index, item in enumerate(child if isinstance(child, list) else ()):
            yield from _places(item, rest, (*here, index))
    elif each == "{}":
        for name in child if isinstance(child, Mapping) else ():
            yield (*here, name), name
    else:
        yield from _places(child, rest, here)


def _sound(rule: SpecRule, path: Path, value: Any, faulty: frozenset[Path]) -> bool:
    for key in rule.reads:
        given = value.get(key)
        if not _known(given):
            return False
        where = (*path, key)
        if faulty and any(fault[: len(where)] == where for fault in faulty):
            return False
    return True


def _known(value: Any) -> bool:
    if isinstance(value, list):
        return all(_known(item) for item in value)
    return is_known(value)


def has(value: Any, *keys: str) -> bool:
    """Whether this is a mapping with any of the keys."""
    return isinstance(value, Mapping) and any(key in value for key in keys)


def listed(values: Iterable[str]) -> str:
    """Words as a Terraform list."""
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"
