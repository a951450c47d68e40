"""Marks on the fields of models: since and until when, and rules that differ by release."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from modules.core.catalogue import Release
from modules.core.rules import Rule, one_of


@dataclass(frozen=True)
class Since:
    """Marks a field: the first Karpenter release that has it. Unmarked fields were always there."""

    version: str


@dataclass(frozen=True)
class Until:
    """Marks a field: the first Karpenter release without it.

    Args:
        instead: what to do about it since then.
    """

    version: str
    instead: str = "remove it"


@dataclass(frozen=True)
class RequiredFrom:
    """Marks a field: the first Karpenter release whose CRD asks for it."""

    version: str


@dataclass(frozen=True)
class OpenFrom:
    """Marks a field: from this Karpenter release on, its CRD takes any mapping there."""

    version: str


@dataclass(frozen=True, eq=False)
class Default:
    """Marks a field: what the API server fills in where it is left out.

    Each is equal to itself alone: `typing` takes annotations that are equal for the same one.

    Args:
        value: plain data.
        since: the first release that does, or None for all.
    """

    value: Any
    since: str | None = None

    def holds_for(self, release: Release) -> bool:
        """Whether this release's API server fills it in."""
        return self.since is None or release.at_least(self.since)


@dataclass(frozen=True)
class Varying(Rule):
    """A rule that is another one for other releases; as it stands, it is the newest one's."""

    @abstractmethod
    def at(self, release: Release) -> Rule:
        """The rule of one release."""


@dataclass(frozen=True)
class Words(Varying):
    """A rule on text: one of a few words, some of which only newer releases know.

    Args:
        newer: word -> first Karpenter release with it.
    """

    words: tuple[str, ...] = ()
    newer: Mapping[str, str] = field(default_factory=dict, hash=False, compare=False)

    def at(self, release: Release) -> Rule:
        """The rule of one release; it names the words that a later one would allow."""
        known = tuple(
            w for w in self.words if w not in self.newer or release.at_least(self.newer[w])
        )
        rule = one_of(self.id, known, fix=self.fix)
        later = [f"{w} needs Karpenter {self.newer[w]}" for w in self.words if w not in known]
        allowed = f"{rule.allowed} ({', '.join(later)} or later)" if later else rule.allowed
        return Rule(rule.id, allowed, rule.fix, rule.check, rule.condition, rule.json_schema)


def words(name: str, *known: str, fix: str, newer: Mapping[str, str] | None = None) -> Words:
    """A `Words` rule; `newer` gives the release that brought each younger word."""
    every = (*known, *(newer or {}))
    rule = one_of(name, every, fix=fix)
    return Words(
        name, rule.allowed, fix, rule.check, rule.condition, rule.json_schema, every, newer or {}
    )


@dataclass(frozen=True)
class Dated(Varying):
    """A rule that changed with some releases.

    Args:
        forms: first release -> the rule from then on, oldest first.
    """

    forms: tuple[tuple[str, Rule], ...] = ()

    def at(self, release: Release) -> Rule:
        """The newest form that this release has; the oldest one before them all."""
        found = self.forms[0][1]
        for since, rule in self.forms:
            if release.at_least(since):
                found = rule
        return found.at(release) if isinstance(found, Varying) else found


def dated(*forms: tuple[str, Rule]) -> Dated:
    """A `Dated` rule."""
    last = forms[-1][1]
    return Dated(
        last.id, last.allowed, last.fix, last.check, last.condition, last.json_schema, forms
    )


@dataclass(frozen=True)
class Stricter(Varying):
    """A rule that refuses more than the CRD does.

    Args:
        code: the stable code of what only this rule refuses, because Karpenter or EC2 would
            later; None where Karpenter's admission webhook refuses it.
        api: the CRD's own rule, which takes whatever this one takes; None where it has none.
        inner: the rule itself, for its form at a release.
    """

    code: str | None = None
    api: Rule | None = None
    inner: Rule | None = None

    @property
    def webhook(self) -> bool:
        """Whether the admission webhook has this rule."""
        return self.code is None

    def at(self, release: Release) -> Rule:
        """The same with the forms of that release."""
        api = self.api.at(release) if isinstance(self.api, Varying) else self.api
        rule = self.inner.at(release) if isinstance(self.inner, Varying) else self
        return _stricter(rule, self.code, api)


def stricter(rule: Rule, code: str, api: Rule | None = None) -> Rule:
    """A rule of ours that refuses more than the API server's."""
    return _stricter(rule, code, api)


def admitted(rule: Rule, api: Rule | None = None) -> Rule:
    """A rule of Karpenter's admission webhook."""
    return _stricter(rule, None, api)


def _stricter(rule: Rule, code: str | None, api: Rule | None) -> Stricter:
    return Stricter(
        rule.id,
        rule.allowed,
        rule.fix,
        rule.check,
        rule.condition,
        rule.json_schema,
        code,
        api,
        inner=rule,
    )
