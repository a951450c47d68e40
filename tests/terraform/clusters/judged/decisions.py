"""The requests of `decisions.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from modules.core.catalogue import RELEASES
from tests.policies.conditions import Context
from tests.policies.evaluator import Decision

_CONTROLLER = {"AWS": "arn:aws:iam::123456789012:role/karpenter"}


@dataclass(frozen=True)
class Case:
    """One call, and how it should be decided.

    Args:
        about: whose policies decide.
        title: what the call is, in words.
        resources: what it is about; it is allowed where it is allowed on each.
        principal: who calls.
        decision: from release `since` on and before release `until`; else nothing allows it.
    """

    about: str
    title: str
    action: str
    resources: list[str]
    context: Context
    principal: tuple[str, str]
    decision: Decision
    since: str | None
    until: str | None

    def __str__(self) -> str:
        return f"{self.about}: {self.title}"

    def expected(self, version: str) -> Decision:
        """How it should be decided at a release."""
        release = RELEASES[version]
        begun = self.since is None or release.at_least(self.since)
        gone = self.until is not None and release.at_least(self.until)
        return self.decision if begun and not gone else Decision.IMPLICIT_DENY


def _cases(data: Any) -> list[Case]:
    return [
        Case(
            about=about,
            title=given.pop("case"),
            action=given.pop("action"),
            resources=resources if isinstance(resources, list) else [resources],
            context={key: value for key, value in given.pop("with").items() if value is not None},
            principal=next(iter(given.pop("by", _CONTROLLER).items())),
            decision=Decision(given.pop("decision")),
            since=given.pop("since", None),
            until=given.pop("until", None),
        )
        for about, cases in data["cases"].items()
        for given in cases
        for resources in [given.pop("of", data["resources"].get(about))]
    ]


def _spelt_out(value: Any, places: dict[str, str]) -> Any:
    """The words in braces replaced, wherever they stand."""
    if isinstance(value, dict):
        return {_spelt_out(k, places): _spelt_out(inner, places) for k, inner in value.items()}
    if isinstance(value, list):
        return [_spelt_out(item, places) for item in value]
    return value.format(**places) if isinstance(value, str) else value


_DATA = yaml.safe_load(Path(__file__).with_name("decisions.yaml").read_text(encoding="utf-8"))
CASES = _cases(_spelt_out(_DATA, _DATA["places"]))
BOUNDARIES = {version for case in CASES for version in (case.since, case.until) if version}
"""Releases since which something is decided otherwise."""
