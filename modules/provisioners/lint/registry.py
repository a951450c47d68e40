"""All lint rules, and what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modules.provisioners.lint.finding import Context, Finding, LintRule
from modules.provisioners.lint.suppress import Suppression, suppressed

RULES: tuple[LintRule, ...] = ()
"""Every rule, by code."""


def lint(context: Context, suppressions: Sequence[Suppression] = ()) -> list[Finding]:
    """What is found in the objects of one cluster.

    Args:
        context: the objects, the release and the facts.
        suppressions: what is not to be told.

    Returns:
        The findings, object by object, with paths from the top of each document.
    """
    kept, _ = suppressed(_found(context), suppressions)
    return kept


def _found(context: Context) -> Iterator[Finding]:
    for rule in RULES:
        if rule.holds_for(context.release):
            for manifest, fault in rule.found(context):
                yield Finding(rule, fault.under(*manifest.where), manifest, manifest.source)
