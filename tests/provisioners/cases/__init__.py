"""Specs and one-change cases of each kind, with the verdict on each release."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from modules.core import names
from modules.core.catalogue import Api, Release

_FILES: dict[tuple[str, Api | None], str] = {
    (names.NODE_POOL, Api.V1): "node_pool.yaml",
    (names.NODE_CLASS, Api.V1): "node_class.yaml",
    (names.NODE_POOL, Api.V1BETA1): "node_pool_beta.yaml",
    (names.NODE_CLASS, Api.V1BETA1): "node_class_beta.yaml",
    ("NodeOverlay", None): "node_overlay.yaml",
    ("CapacityBuffer", None): "capacity_buffer.yaml",
}
"""Kind and generation -> its file; None for the kinds beside the generations."""


@dataclass(frozen=True)
class Case:
    """One change of a baseline.

    Args:
        spec: the changed spec.
        expect: "ok", "refused", {"from": release} or {"until": release}.
        at: where our fault points, or None where that is not part of the case.
        crd: the CRD's own verdict where it is another one.
    """

    kind: str
    name: str
    spec: dict[str, Any]
    expect: Any
    at: str | None
    crd: Any

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    def taken_by(self, release: Release) -> bool:
        """Whether our check must take the spec for this release."""
        return _taken(self.expect, release)

    def taken_by_crd(self, release: Release) -> bool:
        """Whether the real CRD must take it."""
        return _taken(self.crd, release)

    @property
    def boundary(self) -> str | None:
        """The release at which our verdict changes, if it does."""
        return next(iter(self.expect.values())) if isinstance(self.expect, dict) else None


def _taken(verdict: Any, release: Release) -> bool:
    if isinstance(verdict, dict):
        ((word, version),) = verdict.items()
        return bool(release.at_least(version) == (word == "from"))
    return bool(verdict == "ok")


def load(api: Api | None = Api.V1) -> list[Case]:
    """Every case of the kinds of a generation."""
    found = []
    for kind, file in ((kind, file) for (kind, of), file in _FILES.items() if of is api):
        document = yaml.safe_load((Path(__file__).parent / file).read_text())
        for case in document["cases"]:
            assert case.keys() <= {"name", "set", "expect", "at", "crd", "why"}, case
            assert ("crd" in case) == ("why" in case), case
            spec = changed(document["baseline"], case["set"])
            crd = case.get("crd", case["expect"])
            found.append(Case(kind, case["name"], spec, case["expect"], case.get("at"), crd))
    return found


def baseline(kind: str, api: Api | None = Api.V1) -> dict[str, Any]:
    """The spec that the cases of a kind change."""
    document = yaml.safe_load((Path(__file__).parent / _FILES[kind, api]).read_text())
    found: dict[str, Any] = document["baseline"]
    return found


def changed(spec: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy with values set by path; a list's end plus one appends."""
    made = copy.deepcopy(spec)
    for path, value in changes.items():
        steps = [int(s) if s.isdigit() else s for s in re.findall(r"[^.\[\]]+", path)]
        *way, last = steps
        at: Any = made
        for step in way:
            at = at[step]
        if isinstance(at, list) and last == len(at):
            at.append(value)
        else:
            at[last] = value
    return made
