"""What is known of one kind of Karpenter's API, and what is found wrong with its objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from modules.core.catalogue import Api, Release, Span
from modules.core.faults import Fault, Step
from modules.core.inputs import Settings
from modules.provisioners.api.rules import SpecRule

Hints = Mapping[tuple[str, str], str]
"""Place and key -> what to do about a key that is not known there."""


@dataclass(frozen=True)
class Kind:
    """A kind of object in one version of its group.

    Args:
        group: its API group.
        version: the version of the group.
        kind: its name.
        model: the model of its spec, with all that any release knows.
        rules: the rules on more than one value of the spec, for a release.
        api: the generation that it belongs to; None for kinds beside the generations.
        spans: the releases that serve it, where no generation tells.
        needs_spec: from which release on an object without a spec is refused; None for never.
        further: what else only we refuse in a spec, for a release.
        hints: where keys belong that are often misplaced.
    """

    group: str
    version: str
    kind: str
    model: type[Settings]
    rules: Callable[[Release], list[SpecRule]]
    api: Api | None = None
    spans: tuple[Span, ...] = ()
    needs_spec: str | None = None
    further: Callable[[Mapping[str, Any], Release], list[Judged]] | None = None
    hints: Hints = field(default_factory=dict, hash=False, compare=False)

    @property
    def api_version(self) -> str:
        """What stands as `apiVersion` in a manifest."""
        return f"{self.group}/{self.version}"

    def served_by(self, release: Release) -> bool:
        """Whether this release's API server takes such objects."""
        if self.api is not None:
            return release.serves(self.api)
        return any(release.within(first, gone) for first, gone in self.spans)


class Sort(Enum):
    """What sort of fault it is."""

    UNKNOWN = "unknown field"
    TYPE = "wrong type"
    MISSING = "missing field"
    VALUE = "value not allowed"
    RULE = "rule on several values"
    NOT_SERVED = "kind not served"


@dataclass(frozen=True)
class Judged:
    """A fault and who finds it.

    Args:
        rule: the id of the broken rule, or None where no rule of its own is broken.
        code: None where the API server refuses; else the stable code of what only we refuse.
        webhook: whether it is Karpenter's admission webhook that refuses, and not the CRD.
    """

    fault: Fault
    sort: Sort
    rule: str | None = None
    code: str | None = None
    webhook: bool = False

    def under(self, *steps: Step) -> Judged:
        """The same seen from further up."""
        return replace(self, fault=self.fault.under(*steps))
