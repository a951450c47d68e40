"""Everything that is wrong with a value of a known shape, and who refuses it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import Expr, is_known
from modules.core.faults import Fault, unknown_key
from modules.core.inputs import Settings, missing, refused, wrong_type
from modules.core.rules import Rule
from modules.provisioners.api.defaults import filled
from modules.provisioners.api.kind import Hints, Judged, Kind, Sort
from modules.provisioners.api.marks import Stricter
from modules.provisioners.api.rules import Path, SpecRule, broken
from modules.provisioners.api.shape import Node, at_release, shape

_WITH_NUMBERS = ("number", "scalar")
_TYPES: dict[str, tuple[type[Any] | tuple[type[Any], ...], str]] = {
    "object": (Mapping, "dict_type"),
    "map": (Mapping, "dict_type"),
    "list": (list, "list_type"),
    "text": (str, "string_type"),
    "number": (int, "int_type"),
    "bool": (bool, "bool_type"),
}
"""Kind of place -> type of the values, and pydantic's name of the fault of another type."""


def of_spec(kind: Kind, spec: Any, release: Release) -> list[Judged]:
    """What is wrong with a spec, with paths from the spec down.

    Args:
        kind: the kind of the object.
        spec: plain data; a null counts as absent, as it does for Kubernetes.
        release: the Karpenter release that is to read it.
    """
    walk = _Walk(release, kind.hints)
    clean = walk.value(known(kind.model, release), spec, (), shape(kind.model))
    faults = [j for j in walk.found if j.sort is not Sort.UNKNOWN]
    faulty = frozenset(j.fault.path for j in faults)
    refused_by_api = frozenset(j.fault.path for j in faults if j.code is None)
    emptied = {j.fault.path[:-1] for j in walk.found if j.sort is Sort.UNKNOWN}
    found = list(walk.found)
    complete = filled(known(kind.model, release), clean, release)
    for rule in _rules(kind, release):
        for fault in broken(rule, complete, refused_by_api if rule.code is None else faulty):
            # What held nothing but an unknown key is not to blame for being empty as well.
            if fault.path not in emptied or fault.value != {}:
                found.append(Judged(fault, Sort.RULE, rule.id, rule.code, rule.webhook))
    if kind.further is not None and isinstance(clean, Mapping):
        found += kind.further(clean, release)
    return found


@cache
def _rules(kind: Kind, release: Release) -> list[SpecRule]:
    return kind.rules(release)


def of_value(model: type[Settings], data: Any, release: Release, hints: Hints) -> list[Judged]:
    """What is wrong with a value by itself: its keys, types and single values."""
    walk = _Walk(release, hints)
    walk.value(known(model, release), data, (), shape(model))
    return walk.found


def known(model: type[Settings], release: Release) -> Node:
    """The shape of a model as one release knows it."""
    return shape(at_release(model, release))


@dataclass
class _Walk:
    """Goes through a value along its shape, notes the faults, and gives back what is known of it.

    Left out of what it gives back: nulls, and keys that the release does not know.
    """

    release: Release
    hints: Hints
    found: list[Judged] = field(default_factory=list)

    def value(self, node: Node, value: Any, path: Path, full: Node) -> Any:
        """The value without what the release does not know.

        Args:
            full: the place as all releases together know it.
        """
        if not is_known(value) or node.kind == "any":
            return value
        if node.kind in _WITH_NUMBERS and isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON has one kind of number; a whole one is an integer.
        if node.kind != "scalar":
            expected, error = _TYPES[node.kind]
            if not isinstance(value, expected) or (
                isinstance(value, bool) and error != "bool_type"
            ):
                self.found.append(Judged(wrong_type(error, path, value), Sort.TYPE))
                return value
        before = len(self.found)
        if isinstance(value, Mapping):
            clean: Any = dict(self._keys(node, value, path, full))
        elif node.item is not None and full.item is not None:
            clean = [
                self.value(node.item, item, (*path, index), full.item)
                for index, item in enumerate(value)
            ]
        else:
            clean = value
        if len(self.found) == before or node.kind in ("list", "map"):
            self._judge(node.rules, clean, path)
        return clean

    def _keys(
        self, node: Node, value: Mapping[Any, Any], path: Path, full: Node
    ) -> Iterator[tuple[Any, Any]]:
        for given, inner in value.items():
            # In JSON every key is text.
            key = given if isinstance(given, str | Expr) else json.dumps(given)
            here = (*path, str(key))
            if node.kind == "map":
                if isinstance(key, str) and is_known(key):
                    self._judge(node.key_rules, key, here)
                child, wide = node.item, full.item
            else:
                child, wide = node.fields.get(str(key)), full.fields.get(str(key))
            if inner is None:
                continue
            if child is not None:
                yield key, self.value(child, inner, here, wide or child)
            elif wide is not None:
                self._unknown(_of_other_release(wide, here, inner, self.release))
            else:
                self._unknown(self._not_known(node, str(key), inner, path))
        for key in node.required:
            if value.get(key) is None:
                self.found.append(Judged(missing((*path, key)), Sort.MISSING))

    def _unknown(self, fault: Fault) -> None:
        self.found.append(Judged(fault, Sort.UNKNOWN))

    def _judge(self, rules: tuple[Rule, ...], value: Any, path: Path) -> None:
        """Notes the first rule that refuses the value, and the API server's where that is laxer."""
        for rule in rules:
            if rule.check(value):
                continue
            code, webhook = None, False
            if isinstance(rule, Stricter) and (rule.api is None or rule.api.check(value)):
                code, webhook = rule.code, rule.webhook
            fault = refused(rule.allowed, rule.fix, path, value)
            self.found.append(Judged(fault, Sort.VALUE, rule.id, code, webhook))
            return

    def _not_known(self, node: Node, key: str, value: Any, path: Path) -> Fault:
        place = ".".join(step for step in path if isinstance(step, str))
        fault = unknown_key(key, node.fields, value).under(*path)
        hint = self.hints.get((place, key))
        if hint is None:
            return fault
        return Fault(fault.path, fault.problem, fault.allowed, hint, value)


def _of_other_release(wide: Node, path: Path, value: Any, release: Release) -> Fault:
    """The fault of a field that a later release brought, or an earlier one had."""
    key = path[-1]
    if wide.since is not None and not release.at_least(wide.since):
        problem = f"needs Karpenter {wide.since} or later; this is {release.version}"
        fix = f"upgrade Karpenter to {wide.since} or later, or remove {key}"
    else:
        assert wide.until is not None
        problem = f"is gone since Karpenter {wide.until.version}; this is {release.version}"
        fix = wide.until.instead
    return Fault(path, problem, f"no {key} with this release", fix, value)
