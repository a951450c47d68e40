"""An example of every rule: objects in which it finds something, and the same mended.

`explain` shows them, and the tests run them. Each file holds a mapping of codes; its keys are
those of `Example`. A snippet shows what matters only: the rest of its objects is `baseline.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FOLDER = Path(__file__).parent
_BASELINE = "baseline.yaml"


@dataclass(frozen=True)
class Example:
    """One example.

    Args:
        bad: objects in which the rule finds something.
        good: the same, mended.
        at: where it finds it, as messages write a path.
        release: the Karpenter release, or None for the project's default.
        kubernetes: the Kubernetes version, or None for any.
        facts: what has to be known of the cluster, as `Facts` names it.
        previous: the objects as they are in the cluster, where the change is wrong.
        raw: whether the snippets are whole files.
    """

    bad: str
    good: str
    at: str
    release: str | None = None
    kubernetes: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    previous: str | None = None
    raw: bool = False


@cache
def examples() -> dict[str, Example]:
    """Every example, by the code of its rule."""
    return {
        code: Example(**given)
        for file in sorted(_FOLDER.glob("*.yaml"))
        if file.name != _BASELINE
        for code, given in yaml.safe_load(file.read_text(encoding="utf-8")).items()
    }


def completed(snippet: str) -> list[dict[str, Any]]:
    """The objects of a snippet, laid over the baseline, with the class or pool that they lack.

    Mappings are joined, lists replaced; null takes a key away.
    """
    objects = [_completed(given) for given in yaml.safe_load_all(snippet) if given]
    kinds = {made["kind"] for made in objects}
    first = objects[0]
    lacking = [
        base
        for base in _baseline()
        if base["kind"] not in kinds and _generation(base) == _generation(first)
    ]
    return [*objects, *lacking]


@cache
def _baseline() -> tuple[dict[str, Any], ...]:
    text = (_FOLDER / _BASELINE).read_text(encoding="utf-8")
    return tuple(yaml.safe_load_all(text))


_PAIRS = ({"NodePool", "EC2NodeClass"}, {"Provisioner", "AWSNodeTemplate"})


def _generation(made: Mapping[str, Any]) -> tuple[object, ...]:
    """What objects have in common that belong together; others have nothing in common."""
    pair = next((sorted(pair) for pair in _PAIRS if made["kind"] in pair), [made["kind"]])
    version = made["apiVersion"].partition("/")[2] if len(pair) > 1 else ""
    return (*pair, "" if made["kind"] in _PAIRS[1] else version)


def _completed(given: Mapping[str, Any]) -> dict[str, Any]:
    bases: Iterator[dict[str, Any]] = (
        base
        for base in _baseline()
        if base["kind"] == given["kind"]
        and given.get("apiVersion", base["apiVersion"]) == base["apiVersion"]
    )
    return _over(next(bases, {}), given)


def _over(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(base)
    for key, value in given.items():
        if value is None:
            made.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(base.get(key), Mapping):
            made[key] = _over(base[key], value)
        else:
            made[key] = value
    return made
