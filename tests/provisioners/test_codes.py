"""Every code of what only we refuse is one that a rule has, and is explained."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core.catalogue import RELEASES
from modules.core.rules import Rule
from modules.provisioners.api import codes
from modules.provisioners.api.judge import KINDS
from modules.provisioners.api.marks import Dated, Stricter
from modules.provisioners.api.shape import paths, shape


def used() -> Iterator[str | None]:
    """The codes of all rules on single values, on several values, and of what has no rule."""
    for kind in KINDS.values():
        for _, node in paths(shape(kind.model)):
            for rule in (*node.rules, *node.key_rules):
                yield from _codes(rule)
        for release in filter(kind.served_by, RELEASES.values()):
            yield from (rule.code for rule in kind.rules(release))
    yield codes.CLOSED_KUBELET


def _codes(rule: Rule) -> Iterator[str | None]:
    if isinstance(rule, Stricter):
        yield rule.code
    if isinstance(rule, Dated):
        for _, form in rule.forms:
            yield from _codes(form)


def test_every_code_is_used_and_explained() -> None:
    assert set(used()) - {None} == codes.REASONS.keys()
