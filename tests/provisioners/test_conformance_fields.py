"""Our field table, and what each single field takes, next to the CRDs of every line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import Api, Release
from modules.provisioners.api.judge import KINDS
from modules.provisioners.api.kind import Judged, Kind, Sort
from modules.provisioners.api.shape import Node, paths
from modules.provisioners.api.verdict import known, of_spec
from tests.provisioners.crd import Schema, crd_spec, refusals
from tests.provisioners.differential.generate import seeds
from tests.provisioners.differential.judges import SERVED, named

DATA = Path(__file__).parent / "cases"
DIGESTS = json.loads((DATA / "field_digests.json").read_text())
PROBES = yaml.safe_load((DATA / "probes.yaml").read_text())

EACH = pytest.mark.parametrize("served", SERVED, ids=named)
Served = tuple[Release, Kind]


def our_table(kind: Kind, release: Release) -> dict[str, list[str]]:
    """Path -> the keys that must be there."""
    return {
        path: sorted(node.required)
        for path, node in paths(known(kind.model, release))
        if node.kind != "any"
    }


def places(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    """The same of a CRD's schema: every path with its schema."""
    yield path, schema
    for key, inner in schema.get("properties", {}).items():
        yield from places(inner, f"{path}.{key}" if path else key)
    if "items" in schema:
        yield from places(schema["items"], f"{path}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from places(schema["additionalProperties"], path + "{*}")


def their_table(schema: Schema) -> dict[str, list[str]]:
    """Path -> the keys that must be there and have no default."""
    return {
        path: sorted(k for k in s.get("required", []) if "default" not in s["properties"][k])
        for path, s in places(schema)
    }


def digest(table: dict[str, list[str]]) -> str:
    return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()


@EACH
def test_our_field_table_has_the_committed_digest(served: Served) -> None:
    line, kind = served
    assert digest(our_table(kind, line)) == DIGESTS[named(served)]


def test_the_digests_are_of_the_kinds_and_lines_that_there_are() -> None:
    assert DIGESTS.keys() == set(map(named, SERVED))


@EACH
def test_our_fields_are_those_of_the_crd(served: Served, reference_dir: Path) -> None:
    line, kind = served
    theirs = their_table(crd_spec(reference_dir, line.version, kind.kind, kind.version))
    assert our_table(kind, line) == theirs
    assert digest(theirs) == DIGESTS[named(served)]


REASONS = "disruption.budgets[].reasons"
"""Each reason may stand once, so that there are never as many as the CRD's limit."""


@EACH
def test_our_lists_and_maps_hold_as_many_items(served: Served, reference_dir: Path) -> None:
    line, kind = served
    ours = dict(paths(known(kind.model, line)))
    for path, schema in places(crd_spec(reference_dir, line.version, kind.kind, kind.version)):
        node = ours[path]
        if node.kind in ("list", "map") and path != REASONS:
            assert _most(node) == schema.get("maxItems", schema.get("maxProperties")), path


@EACH
def test_our_defaults_are_those_of_the_crd(served: Served, reference_dir: Path) -> None:
    line, kind = served
    ours = dict(paths(known(kind.model, line)))
    for path, schema in places(crd_spec(reference_dir, line.version, kind.kind, kind.version)):
        held = [d.value for d in ours[path].defaults if d.holds_for(line)]
        assert held[-1:] == ([schema["default"]] if "default" in schema else []), path


def _most(node: Node) -> int | None:
    """The greatest number of items that every rule of the place takes, looked for up to 200."""
    items: list[Any] = [[str(n) for n in range(count)] for count in range(201)]
    if node.kind == "map":
        items = [dict.fromkeys(item, "x") for item in items]
    taken = [len(item) for item in items if all(rule.check(item) for rule in node.rules)]
    return max(taken) if max(taken) < 200 else None


STRICTER = {
    "amiSelectorTerms[].id": "KPT271",
    "blockDeviceMappings[].ebs.volumeSize": "KPT273",
    "disruption.budgets[].schedule": "KPT171",
    "disruption.consolidateAfter": "KPT172",
    "disruption.expireAfter": "KPT172",
    "instanceProfile": "KPT272",
    "kubelet.evictionHard{*}": "KPT274",
    "kubelet.evictionSoft{*}": "KPT274",
    "kubelet.evictionSoftGracePeriod{*}": "KPT275",
    "requirements[].key": "KPT175",
    "requirements[].values[]": "KPT176",
    "role": "KPT272",
    "securityGroupSelectorTerms[].id": "KPT271",
    "subnetSelectorTerms[].id": "KPT271",
    "template.spec.expireAfter": "KPT172",
    "template.spec.kubelet.evictionHard{*}": "KPT274",
    "template.spec.kubelet.evictionSoft{*}": "KPT274",
    "template.spec.kubelet.evictionSoftGracePeriod{*}": "KPT275",
    "template.spec.nodeClassRef.apiVersion": "KPT173",
    "template.spec.nodeClassRef.group": "KPT173",
    "template.spec.nodeClassRef.kind": "KPT173",
    "template.spec.nodeClassRef.name": "KPT174",
    "template.spec.requirements[].key": "KPT175",
    "template.spec.requirements[].values[]": "KPT176",
    "template.spec.startupTaints[].key": "KPT175",
    "template.spec.taints[].key": "KPT175",
}
"""Place -> the code of what we refuse there though the CRD takes it, from v1beta1 on."""

ON_THE_MAPPING = ("tags{*}", "kubeReserved{*}", "systemReserved{*}")
"""How places end whose values a rule on the mapping around them judges in the CRD."""

LEAVES = [
    (kind, path)
    for kind in KINDS.values()
    for path in {
        path: None
        for line, served in SERVED
        if served is kind
        for path, node in paths(known(kind.model, line))
        if node.kind in ("text", "number", "bool", "scalar")
    }
]


@pytest.mark.parametrize(
    ("kind", "path"), LEAVES, ids=[f"{k.kind} {k.version}.{p}" for k, p in LEAVES]
)
def test_each_place_takes_what_the_crd_takes(kind: Kind, path: str, reference_dir: Path) -> None:
    codes = set()
    for release, schema, node in distinct(kind, path, reference_dir):
        for probe in probes(node):
            where, spec = placed(seeds(kind)[0], path, probe)
            ours = [
                judged
                for judged in of_spec(kind, spec, release)
                if judged.fault.path[: len(where)] == where
                and (judged.sort is not Sort.RULE or _has_rule(schema, judged))
            ]
            codes |= {judged.code for judged in ours}
            by_us = any(judged.code is None and not judged.webhook for judged in ours)
            by_crd = bool(refusals(schema, probe))
            if not path.endswith(ON_THE_MAPPING) or by_crd:
                assert by_us == by_crd, f"{release.version}: {probe!r}"
    codes_there = {STRICTER[path]} if path in STRICTER and kind.api is not Api.V1ALPHA5 else set()
    assert codes - {None} == codes_there


def _has_rule(schema: Schema, judged: Judged) -> bool:
    """Whether a rule's fault can come from the place alone, as it has rules in the CRD."""
    return judged.code is None and "x-kubernetes-validations" in schema


def distinct(kind: Kind, path: str, reference_dir: Path) -> Iterator[tuple[Release, Schema, Node]]:
    """The newest release with each distinct form of a place, theirs and ours."""
    seen = set()
    for release in reversed([line for line, served in SERVED if served is kind]):
        root = crd_spec(reference_dir, release.version, kind.kind, kind.version)
        schema = dict(places(root)).get(path)
        node = dict(paths(known(kind.model, release))).get(path)
        if schema is None or node is None:
            continue
        form = (json.dumps(schema, sort_keys=True), tuple(rule.allowed for rule in node.rules))
        if form not in seen:
            seen.add(form)
            yield release, schema, node


def probes(node: Node) -> list[Any]:
    """Values to try: all that could be right by their type, and a few of each other type."""
    text = [*PROBES["text"], *("a" * length for length in PROBES["lengths"])]
    numbers = PROBES["numbers"]
    if node.kind in ("number", "bool"):
        text = text[:3]
    if node.kind in ("text", "bool"):
        numbers = [0, 1]
    return [*text, *numbers, True, False, [], {}]


def placed(spec: Any, path: str, value: Any) -> tuple[tuple[str | int, ...], Any]:
    """Where a place is in a spec, and a copy with a value there; what is on the way is made."""
    step, _, rest = path.partition(".")
    key = step.rstrip("[]{}*")
    spec = dict(spec)
    if step.endswith("[]"):
        items = list(spec.get(key) or [{}])
        below, items[0] = placed(items[0], rest, value) if rest else ((), value)
        spec[key] = items
        return (key, 0, *below), spec
    if step.endswith("{*}"):
        inner = dict(spec.get(key) or {"x": ""})
        name = next(iter(inner))
        spec[key] = {**inner, name: value}
        return (key, name), spec
    if not rest:
        spec[key] = value
        return (key,), spec
    below, spec[key] = placed(spec.get(key) or {}, rest, value)
    return (key, *below), spec
