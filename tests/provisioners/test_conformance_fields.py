"""Our field table, and what each single field takes, next to the CRDs of every line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES, Api, Release
from modules.provisioners.api.shape import Node, at_release, paths, shape
from modules.provisioners.api.spec_checks import MODELS, check_spec
from tests.provisioners.cases import baseline, changed
from tests.provisioners.crd import Schema, crd_spec, refusals

DATA = Path(__file__).parent / "cases"
DIGESTS = json.loads((DATA / "field_digests.json").read_text())
PROBES = yaml.safe_load((DATA / "probes.yaml").read_text())

LINES = [r for r in RELEASES.values() if r.api is Api.V1 and r.crd_line == r.version]
EACH = pytest.mark.parametrize("release", LINES, ids=lambda release: release.version)
KINDS = pytest.mark.parametrize("kind", MODELS)


def our_table(kind: str, release: Release) -> dict[str, list[str]]:
    """Path -> the keys that must be there."""
    model = at_release(MODELS[kind], release)
    return {path: sorted(node.required) for path, node in paths(shape(model))}


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


@KINDS
@EACH
def test_our_field_table_has_the_committed_digest(kind: str, release: Release) -> None:
    assert digest(our_table(kind, release)) == DIGESTS[kind][release.version]


@KINDS
@EACH
def test_our_fields_are_those_of_the_crd(kind: str, release: Release, reference_dir: Path) -> None:
    theirs = their_table(crd_spec(reference_dir, release.version, kind))
    assert our_table(kind, release) == theirs
    assert digest(theirs) == DIGESTS[kind][release.version]


REASONS = "disruption.budgets[].reasons"
"""Each reason may stand once, so that there are never as many as the CRD's limit."""


@KINDS
@EACH
def test_our_lists_and_maps_hold_as_many_items(
    kind: str, release: Release, reference_dir: Path
) -> None:
    ours = dict(paths(shape(at_release(MODELS[kind], release))))
    for path, schema in places(crd_spec(reference_dir, release.version, kind)):
        node = ours[path]
        if node.kind in ("list", "map") and path != REASONS:
            assert _most(node) == schema.get("maxItems", schema.get("maxProperties")), path


def _most(node: Node) -> int | None:
    """The greatest number of items that every rule of the place takes, looked for up to 200."""
    items: list[Any] = [[str(n) for n in range(count)] for count in range(201)]
    if node.kind == "map":
        items = [dict.fromkeys(item, "x") for item in items]
    taken = [len(item) for item in items if all(rule.check(item) for rule in node.rules)]
    return max(taken) if max(taken) < 200 else None


STRICTER = {
    "disruption.budgets[].schedule": "Karpenter reads five fields, without a time zone",
    "disruption.consolidateAfter": "the pattern is open at its ends before 1.4.0",
    "template.spec.expireAfter": "the pattern is open at its ends before 1.4.0",
    "template.spec.nodeClassRef.group": "the controller reads classes of its own group only",
    "template.spec.nodeClassRef.kind": "the controller reads classes of its own kind only",
    "template.spec.nodeClassRef.name": "no object can have such a name",
    "template.spec.requirements[].key": "the name in a key has 63 characters at most",
    "template.spec.requirements[].values[]": "the pattern stands on the list, where it is idle",
    "template.spec.startupTaints[].key": "the name in a key has 63 characters at most",
    "template.spec.taints[].key": "the name in a key has 63 characters at most",
    "amiSelectorTerms[].alias": "there is one version, without an @",
    "amiSelectorTerms[].id": "the pattern is open at its ends",
    "amiSelectorTerms[].tags{*}": "the rule on empty values stands on the mapping",
    "blockDeviceMappings[].ebs.volumeSize": "the pattern has an empty branch",
    "capacityReservationSelectorTerms[].tags{*}": "the rule on empty values stands on the mapping",
    "instanceProfile": "Karpenter takes names without a path only",
    "kubelet.evictionHard{*}": "the pattern has an empty branch",
    "kubelet.evictionSoft{*}": "the pattern has an empty branch",
    "kubelet.evictionSoftGracePeriod{*}": "the kubelet reads durations only",
    "kubelet.kubeReserved{*}": "the rule on negative values stands on the mapping",
    "kubelet.systemReserved{*}": "the rule on negative values stands on the mapping",
    "role": "Karpenter takes names without a path only",
    "securityGroupSelectorTerms[].id": "the pattern is open at its ends",
    "securityGroupSelectorTerms[].tags{*}": "the rule on empty values stands on the mapping",
    "subnetSelectorTerms[].id": "the pattern is open at its ends",
    "subnetSelectorTerms[].tags{*}": "the rule on empty values stands on the mapping",
}
"""Places where we refuse, on purpose, what the CRD lets through there; never the other way."""

# So that a fault at a probed place is of that place alone, not of how it fits its neighbours.
INDEPENDENT: dict[str, dict[str, Any]] = {
    "NodePool": {
        "template.spec.requirements": [{"key": "example.com/x", "operator": "Exists"}],
        "disruption.budgets": [{"schedule": "@daily", "duration": "1h"}],
    },
    "EC2NodeClass": {
        "amiFamily": "AL2",
        "amiSelectorTerms": [{"id": "ami-1"}],
        "kubelet.imageGCHighThresholdPercent": None,
        "kubelet.imageGCLowThresholdPercent": None,
        "blockDeviceMappings": [{"ebs": {"snapshotID": "snap-1"}}],
    },
}
LEAVES = [
    (kind, path)
    for kind, model in MODELS.items()
    for path, node in paths(shape(at_release(model, LINES[-1])))
    if node.kind in ("text", "number", "bool", "scalar")
]


@pytest.mark.parametrize(("kind", "path"), LEAVES, ids=[f"{k}.{p}" for k, p in LEAVES])
def test_each_place_takes_what_the_crd_takes(kind: str, path: str, reference_dir: Path) -> None:
    stricter = []
    for release, schema, node in distinct(kind, path, reference_dir):
        start = changed(baseline(kind), INDEPENDENT[kind])
        for probe in probes(node):
            where, spec = placed(start, path, probe)
            ours = [f for f in check_spec(kind, spec, release) if f.path[: len(where)] == where]
            theirs = refusals(schema, probe)
            assert not theirs or ours, f"{release.version}: {probe!r} is refused: {theirs}"
            stricter += [(release.version, probe)] if ours and not theirs else []
    assert bool(stricter) == (path in STRICTER), stricter


def distinct(kind: str, path: str, reference_dir: Path) -> Iterator[tuple[Release, Schema, Node]]:
    """The newest release with each distinct form of a place, theirs and ours."""
    seen = set()
    for release in reversed(LINES):
        schema = dict(places(crd_spec(reference_dir, release.version, kind))).get(path)
        node = dict(paths(shape(at_release(MODELS[kind], release)))).get(path)
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
