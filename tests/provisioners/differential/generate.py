"""Makes manifests to judge: right ones, and ones with a few mistakes, the same for each seed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from modules.core.catalogue import Release
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.shape import Node
from modules.provisioners.api.verdict import known

Manifest = dict[str, Any]

_SEEDS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "seeds.yaml").read_text())
_PROBES: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases/probes.yaml").read_text()
)
_TEXT = [*_PROBES["text"], *("a" * length for length in _PROBES["lengths"])]
_NUMBERS = [*_PROBES["numbers"], 2**63 - 1, 2**63, -(2**63), -(2**63) - 1]
_OTHERS: list[Any] = [None, True, False, 0, 1.5, 2.0, "x", [], {}, [None], ["x"], [{}], {"a": "b"}]
_SIZES = (21, 31, 51, 101, 151)


def seeds(kind: Kind) -> list[Any]:
    """The specs of a kind that the generator starts from."""
    found: list[Any] = _SEEDS["specs"][f"{kind.api_version} {kind.kind}"]
    return found


_AT_RANDOM = 30


def manifests(kind: Kind, release: Release) -> Iterator[Manifest]:
    """The manifests of a kind for a release; always the same ones."""
    yield from _swept(kind, release)
    yield from _at_random(kind, release, _AT_RANDOM)


def _at_random(kind: Kind, release: Release, count: int) -> Iterator[Manifest]:
    """Each a seed with a few changes of all sorts."""
    chance = random.Random(f"{kind.api_version} {kind.kind} {release.version}")
    node = known(kind.model, release)
    specs = [_pruned(node, spec) for spec in seeds(kind)]
    for number in range(count):
        spec = copy.deepcopy(chance.choice(specs))
        _thin(node, spec, chance)
        made = _manifest(kind, spec)
        if number % 10 == 9:
            chance.choice(_AROUND)(made)
        for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 3))):
            chance.choice(_MUTATIONS)(made, chance)
        yield made


def _swept(kind: Kind, release: Release) -> Iterator[Manifest]:
    """Each seed with one change: a key left out, or a likely value in a place that holds such."""
    node = known(kind.model, release)
    told = set()
    for spec in _one_change(node, seeds(kind)):
        mark = json.dumps(spec, sort_keys=True)
        if mark not in told:
            told.add(mark)
            yield _manifest(kind, spec)


def _one_change(node: Node, specs: list[Any]) -> Iterator[Any]:
    for spec in specs:
        seed, told = _pruned(node, spec), set()
        for path in _places(spec):
            # What is true of one item of a list is so of each; but values go with an operator.
            place = tuple(step for step in path if path[-1] == "values" or isinstance(step, str))
            if place in told or _at(seed, path[:-1]) is None:
                continue
            told.add(place)
            lean = _lean(node, seed, path)
            yield from (_with(lean, path, value) for value in _pool().get(path[-1], ()))
            if path[-1] in (_at(seed, path[:-1]) or ()):
                yield _with(seed, path, None)


def _with(spec: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with a value in a place where it can stand; None leaves the key out."""
    made = copy.deepcopy(spec)
    at = _at(made, path[:-1])
    if at is not None:
        at[path[-1]] = copy.deepcopy(value)
        if value is None:
            del at[path[-1]]
    return made


def _at(value: Any, path: tuple[Any, ...]) -> dict[Any, Any] | None:
    """The mapping in a place; None where there is none."""
    for step in path:
        if not _holds(value, step):
            return None
        value = value[step]
    return value if isinstance(value, dict) else None


def _lean(node: Node, value: Any, path: tuple[Any, ...]) -> Any:
    """A value without the optional mappings and lists that a path does not lead through."""
    if not isinstance(value, dict) or node.kind != "object" or not path:
        return value
    return {
        key: _lean(node.fields[key], inner, path[1:] if key == path[0] else ("",))
        for key, inner in value.items()
        if key == path[0] or key in node.required or not isinstance(inner, dict | list)
    }


def _manifest(kind: Kind, spec: Any) -> Manifest:
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {"name": "generated"},
        "spec": spec,
    }


_AROUND: list[Callable[[Manifest], Any]] = [
    lambda made: made.pop("spec"),
    lambda made: made.update(extra=1),
    lambda made: made.update(spec=[]),
    lambda made: made.update(spec=None),
    lambda made: made.update(spec={}),
    lambda made: made.update(metadata={"name": "Not a name"}),
]
"""Changes of what surrounds a spec."""


def _pruned(node: Node, value: Any) -> Any:
    """The value without what the release does not know."""
    if isinstance(value, dict) and node.kind == "object":
        return {k: _pruned(node.fields[k], v) for k, v in value.items() if k in node.fields}
    if isinstance(value, dict) and node.item is not None:
        return {k: _pruned(node.item, v) for k, v in value.items()}
    if isinstance(value, list) and node.item is not None:
        return [_pruned(node.item, v) for v in value]
    return value


def _thin(node: Node, value: Any, chance: random.Random) -> None:
    """Drops some of the keys that may be left out."""
    if isinstance(value, dict) and node.kind == "object":
        for key in list(value):
            if key not in node.required and chance.random() < 0.06:
                del value[key]
            else:
                _thin(node.fields[key], value[key], chance)
    elif isinstance(value, list) and node.item is not None:
        for item in value:
            _thin(node.item, item, chance)


Slot = tuple[Any, Any]
"""A mapping or list, and the key or index of a value in it."""


def _slots(value: Any) -> Iterator[Slot]:
    """Every place in a value."""
    if not isinstance(value, dict | list):
        return
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        yield from _slots(inner)


def _slot(made: Manifest, chance: random.Random) -> Slot:
    """Any place in the spec; the spec itself where it is empty."""
    slots = list(_slots(made.get("spec")))
    return chance.choice(slots) if slots else (made, "spec")


@cache
def _pool() -> dict[str, list[Any]]:
    """Key -> values that stand under it in a seed, and those listed for it."""
    found: dict[str, list[Any]] = {key: list(values) for key, values in _SEEDS["values"].items()}
    for at, key in _slots(_SEEDS["specs"]):
        if isinstance(key, str):
            found.setdefault(key, []).append(at[key])
    return found


def _drop(made: Manifest, chance: random.Random) -> None:
    at, key = _slot(made, chance)
    if key in at or isinstance(at, list):
        del at[key]


def _rename(made: Manifest, chance: random.Random) -> None:
    at, key = _slot(made, chance)
    if isinstance(at, dict) and key in at and at is not made:
        new = chance.choice(
            [key.upper(), key[:-1], f"{key}s", key.lower(), chance.choice(list(_pool()))]
        )
        at[new] = at.pop(key)


def _retype(made: Manifest, chance: random.Random) -> None:
    at, key = _slot(made, chance)
    at[key] = copy.deepcopy(chance.choice(_OTHERS))


def _likely(made: Manifest, chance: random.Random) -> None:
    """Another value for a place that often holds such values."""
    keyed = [s for s in _slots(made.get("spec")) if s[1] in _pool()]
    if keyed:
        at, key = chance.choice(keyed)
        at[key] = copy.deepcopy(chance.choice(_pool()[key]))


def _probe(made: Manifest, chance: random.Random) -> None:
    """Another value of the same type."""
    at, key = _slot(made, chance)
    value = at[key] if isinstance(at, list) or key in at else None
    if isinstance(value, str):
        at[key] = chance.choice(_TEXT)
    elif isinstance(value, int):
        at[key] = chance.choice(_NUMBERS)


def _add(made: Manifest, chance: random.Random) -> None:
    """A key that belongs somewhere, mostly not here, with a value that it often has."""
    mappings = [made["spec"]] if isinstance(made.get("spec"), dict) else []
    mappings += [at[key] for at, key in _slots(made.get("spec")) if isinstance(at[key], dict)]
    if mappings:
        key = chance.choice([*_pool(), "unknown"])
        at = chance.choice(mappings)
        at[key] = copy.deepcopy(chance.choice(_pool().get(key, _OTHERS)))


def _graft(made: Manifest, chance: random.Random) -> None:
    """What a seed has in some place, known to this release or not, in the same place."""
    seed = chance.choice(_SEEDS["specs"][f"{made['apiVersion']} {made['kind']}"])
    path = chance.choice(list(_places(seed)))
    at = _at(made.get("spec"), path[:-1])
    if at is not None:
        for step in path:
            seed = seed[step]
        at[path[-1]] = copy.deepcopy(seed)


def _holds(value: Any, step: Any) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))


def _duplicate(made: Manifest, chance: random.Random) -> None:
    lists = [at for at, _ in _slots(made.get("spec")) if isinstance(at, list)]
    if lists:
        at = chance.choice(lists)
        at.append(copy.deepcopy(chance.choice(at)))


def _oversize(made: Manifest, chance: random.Random) -> None:
    full = [at[key] for at, key in _slots(made.get("spec")) if at[key]]
    full = [value for value in full if isinstance(value, list | dict)]
    if full:
        value, size = chance.choice(full), chance.choice(_SIZES)
        if isinstance(value, list):
            value.extend(copy.deepcopy(value[0]) for _ in range(size - len(value)))
        else:
            value.update({f"k{n}": next(iter(value.values())) for n in range(size - len(value))})


_MUTATIONS: list[Callable[[Manifest, random.Random], None]] = [
    _drop,
    _rename,
    _retype,
    _likely,
    _likely,
    _likely,
    _likely,
    _probe,
    _probe,
    _add,
    _graft,
    _graft,
    _duplicate,
    _oversize,
]
