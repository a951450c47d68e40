"""Our judge and the real CRDs give the same verdict on generated manifests, of every line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import Release
from modules.provisioners.api.judge import KINDS, refusals
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.shape import paths
from modules.provisioners.api.verdict import known
from tests.provisioners.crd import crd_root
from tests.provisioners.crd import refusals as crd_refusals
from tests.provisioners.differential.generate import manifests, seeds
from tests.provisioners.differential.judges import (
    EXPLAINED,
    SERVED,
    Disagreement,
    explained,
    named,
    ours,
    theirs,
)
from tests.provisioners.differential.minimise import minimised
from tests.provisioners.differential.record import VERDICTS, verdicts

EACH = pytest.mark.parametrize("served", SERVED, ids=named)
Served = tuple[Release, Kind]


def test_there_are_five_thousand_manifests() -> None:
    counts = (sum(1 for _ in manifests(kind, line)) for line, kind in SERVED[-16:])
    assert sum(counts) >= 5000  # in the newest lines alone


@EACH
def test_both_judges_give_the_same_verdict(served: Served, reference_dir: Path) -> None:
    line, kind = served

    def disagreed(manifest: dict[str, Any], mine: bool) -> bool:
        crd = theirs(manifest, line, kind, reference_dir)
        return mine != crd and (mine or explained(manifest, line) is None)

    taken = []
    for number, made in enumerate(manifests(kind, line)):
        taken.append(ours(made, line))
        if disagreed(made, taken[-1]):
            smallest = _smallest(made, lambda m: disagreed(m, ours(m, line)))
            pytest.fail(_told(number, smallest, served, reference_dir))
    assert 0.05 < sum(taken) / len(taken) < 0.96


def _smallest(made: dict[str, Any], wrong: Any) -> dict[str, Any]:
    """The manifest with as little of its spec as they still disagree on."""
    if "spec" not in made:
        return made
    return {**made, "spec": minimised(made["spec"], lambda spec: wrong({**made, "spec": spec}))}


def _told(number: int, made: dict[str, Any], served: Served, reference: Path) -> str:
    line, kind = served
    schema = crd_root(reference, line.version, kind.kind, kind.version)
    return "\n".join(
        [
            f"manifest {number} of {named(served)}, made smaller: {json.dumps(made)}",
            f"we say: {[str(judged.fault) for judged in refusals(made, line)] or 'taken'}",
            f"the CRD says: {crd_refusals(schema, made) or 'taken'}",
        ]
    )


@pytest.mark.parametrize("entry", EXPLAINED, ids=lambda entry: entry.id)
def test_each_explained_disagreement_still_happens(
    entry: Disagreement, reference_dir: Path
) -> None:
    assert any(
        not ours(made, line) and theirs(made, line, kind, reference_dir) and entry.when(made, line)
        for line, kind in SERVED
        for made in manifests(kind, line)
    )


@EACH
def test_our_judge_gives_the_verdicts_that_the_crd_gave(served: Served) -> None:
    line, kind = served
    recorded = json.loads(VERDICTS.read_text())[named(served)]
    assert verdicts(line, kind, lambda made: ours(made, line)) == recorded


def test_the_recorded_verdicts_are_of_the_kinds_and_lines_that_there_are() -> None:
    assert json.loads(VERDICTS.read_text()).keys() == set(map(named, SERVED))


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: f"{kind.kind} {kind.version}")
def test_the_seeds_hold_every_field(kind: Kind) -> None:
    shapes = [known(kind.model, line) for line, served in SERVED if served is kind]
    wanted = {path for node in shapes for path, _ in paths(node) if "{*}" not in path}
    assert wanted - {path for seed in seeds(kind) for path in _paths(seed)} == set()


def _paths(value: Any, path: str = "") -> set[str]:
    found = {path}
    if isinstance(value, dict):
        for key, inner in value.items():
            found |= _paths(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for inner in value:
            found |= _paths(inner, f"{path}[]")
    return found
