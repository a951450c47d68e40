"""What a lint rule is about, in full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from modules.core.faults import nearest
from modules.provisioners.lint.examples import Example, examples
from modules.provisioners.lint.finding import LintRule
from modules.provisioners.lint.registry import BY_CODE, RULES
from modules.provisioners.lint.verdict import BINDING

_WIDTH = 100


def explained(code: str) -> str | None:
    """Everything about a code; None where there is no such code."""
    rule = BY_CODE.get(code.upper())
    return None if rule is None else "\n".join(_lines(rule, examples()[rule.code]))


def not_known(code: str) -> str:
    """What to tell of a code that there is not."""
    wanted = code.upper()
    like = next((c for c in BY_CODE if c.startswith(wanted)), nearest(wanted, BY_CODE))
    hint = f"did you mean {like}?" if like else "`pipenv run explain` lists them all."
    return f"{code} is no code of a rule: {hint}"


def listed() -> str:
    """A line for every rule."""
    return "\n".join(f"{rule.code}  {rule.severity.value:<7}  {rule.title}" for rule in RULES)


def span(rule: LintRule) -> str:
    """The Karpenter releases whose users a rule concerns."""
    if rule.since and rule.until:
        return f"from {rule.since} on, before {rule.until}"
    if rule.since:
        return f"from {rule.since} on"
    return f"before {rule.until}" if rule.until else "all"


def _lines(rule: LintRule, example: Example) -> Iterator[str]:
    yield f"{rule.code} ({rule.severity.value}): {rule.title}"
    yield ""
    yield textwrap.fill(rule.why, _WIDTH)
    yield f"Karpenter releases: {span(rule)}"
    yield textwrap.fill(f"Source: {rule.source}", _WIDTH)
    known = " ".join(_option(name, value) for name, value in example.facts.items())
    yield ""
    yield f"Found in this{f', with {known}' if known else ''}:"
    yield textwrap.indent(example.bad.rstrip(), "    ")
    yield "Not in this:"
    yield textwrap.indent(example.good.rstrip(), "    ")
    yield ""
    if rule.code in BINDING:
        yield "It cannot be suppressed: it cannot be applied as it is."
        return
    yield "Where it is meant so, write above the object, or above or behind the key:"
    yield f"    # karpenter-lint: ignore {rule.code} <why it is right here>"
    yield "and in a cluster file, under the cluster:"
    yield f"    suppress: [{{ code: {rule.code}, reason: <why> }}]"


def _option(name: str, value: object) -> str:
    """How a fact is told to `lint`, or what it says where no option tells it."""
    if isinstance(value, bool):
        return f"--{'' if value else 'no-'}{name.replace('_', '-')}"
    return f"{name.replace('_', ' ')} {value}"
