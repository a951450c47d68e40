"""Every CEL rule of 1.14.1's CRDs has a rule of ours, which takes and refuses what it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES
from modules.provisioners.api.judge import KINDS, refusals
from modules.provisioners.api.kind import Judged
from modules.provisioners.api.updates import update_refusals
from tests.provisioners.cases import changed
from tests.provisioners.crd import Schema, crd_root, rules_broken
from tests.provisioners.differential.generate import seeds

RELEASE = RELEASES["1.14.1"]
TABLE: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "cases/cel_rules.yaml").read_text()
)
NEWEST = {key[1]: kind for key, kind in KINDS.items() if kind.served_by(RELEASE)}


@dataclass(frozen=True)
class Row:
    """A rule of a CRD; see the table."""

    kind: str
    id: str
    digest: str
    rules: tuple[str, ...]
    taken: dict[str, Any]
    refused: dict[str, Any]
    old: dict[str, Any] | None

    def manifest(self, changes: dict[str, Any]) -> dict[str, Any]:
        """A changed baseline."""
        kind = NEWEST[self.kind]
        spec = {**seeds(kind)[0]}
        spec.pop(CROSSED.get(self.kind, ""), None)
        return {
            "apiVersion": kind.api_version,
            "kind": kind.kind,
            "metadata": {"name": "case"},
            "spec": changed(spec, changes),
        }

    def judged(self, changes: dict[str, Any]) -> list[Judged]:
        """What our judge finds in it, or in the change of the old one to it."""
        made = self.manifest(changes)
        updated = (
            update_refusals(self.manifest(self.old), made, RELEASE) if self.old is not None else []
        )
        return [*refusals(made, RELEASE), *updated]


CROSSED = {"EC2NodeClass": "amiFamily"}
"""What the baseline has and most cases of aliases would have to take back."""

ROWS = [
    Row(
        kind,
        row["id"],
        row["digest"],
        tuple([row["rule"]] if isinstance(row["rule"], str) else row["rule"]),
        row["taken"],
        row["refused"],
        row.get("old"),
    )
    for kind, rows in TABLE.items()
    for row in rows
]
EACH = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.kind} {row.id}")


def test_there_are_84_rules_with_ids_of_their_own() -> None:
    counts = {kind: len(rows) for kind, rows in TABLE.items()}
    assert counts == {"EC2NodeClass": 54, "NodePool": 20, "NodeOverlay": 8, "CapacityBuffer": 2}
    assert len({row.id for row in ROWS}) == len(ROWS) == 84


@EACH
def test_our_rule_takes_the_one_and_refuses_the_other(row: Row) -> None:
    assert row.judged(row.taken) == []
    assert set(row.rules) <= {judged.rule for judged in row.judged(row.refused)}


@EACH
def test_the_rule_of_the_crd_does_the_same(row: Row, reference_dir: Path) -> None:
    def broken(changes: dict[str, Any]) -> set[str]:
        schema = crd_root(reference_dir, RELEASE.version, row.kind, NEWEST[row.kind].version)
        old = None if row.old is None else row.manifest(row.old)
        return {
            digest(row.kind, place, rule)
            for place, rule in rules_broken(schema, row.manifest(changes), old)
        }

    assert broken(row.taken) == set()
    assert row.digest in broken(row.refused)


def test_the_table_holds_every_rule_of_the_crds(reference_dir: Path) -> None:
    listed = json.loads((reference_dir / "karpenter/crds.json").read_text())
    for kind, rows in TABLE.items():
        (known,) = (v for k, v in listed[kind].items() if k.startswith(f"v{RELEASE.version}/"))
        theirs = [digest(kind, rule["path"], rule["rule"]) for rule in known["cel"]]
        assert [row["digest"] for row in rows] == theirs
        schema = crd_root(reference_dir, RELEASE.version, kind, NEWEST[kind].version)
        assert {
            digest(kind, *found) for found in _rules(schema["properties"]["spec"], "spec")
        } == set(theirs)


def _rules(schema: Schema, place: str) -> Iterator[tuple[str, str]]:
    """Every rule in a schema with its place."""
    for rule in schema.get("x-kubernetes-validations", []):
        yield place, rule["rule"]
    for key, inner in schema.get("properties", {}).items():
        yield from _rules(inner, f"{place}.{key}")
    if "items" in schema:
        yield from _rules(schema["items"], f"{place}[]")


def digest(kind: str, place: str, rule: str) -> str:
    """What tells a rule among all."""
    return hashlib.sha256(f"{kind} {place} {rule}".encode()).hexdigest()[:12]
