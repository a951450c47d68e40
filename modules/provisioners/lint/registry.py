"""All lint rules, and what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from modules.provisioners.lint import (
    ages,
    budgets,
    classes,
    disks,
    environment,
    gates,
    images,
    instance_rules,
    look,
    overlap,
    pairs,
    pools,
    references,
    requirements,
    selectors,
    suppress,
    taints,
    user_data,
    values,
)
from modules.provisioners.lint import verdict as verdicts
from modules.provisioners.lint.finding import Context, Finding, LintRule, Manifest
from modules.provisioners.lint.suppress import Suppression, settled

_FILES = (
    *(suppress, verdicts, pools, requirements, values, taints, images, user_data, disks, classes),
    *(selectors, references, pairs, ages, environment, gates, instance_rules, overlap, budgets),
)

BY_CODE: dict[str, LintRule] = {
    rule.code: rule
    for rule in sorted((rule for file in _FILES for rule in file.RULES), key=lambda r: r.code)
}
"""Every rule, by its code and in the order of the codes."""

RULES: tuple[LintRule, ...] = tuple(BY_CODE.values())


def lint(context: Context, suppressions: Sequence[Suppression] = ()) -> list[Finding]:
    """What is found in the objects of one cluster.

    Args:
        context: the objects, the release and the facts.
        suppressions: what is not to be told; all of them are about this cluster.

    Returns:
        The findings, object by object, with paths from the top of each document; then what is
        wrong with the suppressions.
    """
    return settled(found(context), suppressions, BY_CODE)


def found(context: Context) -> list[Finding]:
    """The same, suppressed or not."""
    told = [finding for manifest in context.manifests for finding in _judged(manifest, context)]
    faulty: dict[int, list[Finding]] = {}
    for finding in told:
        faulty.setdefault(id(finding.manifest), []).append(finding)
    told += (
        finding
        for finding in _ruled(context)
        if not any(_covers(fault, finding) for fault in faulty.get(id(finding.manifest), ()))
    )
    order = {id(manifest): index for index, manifest in enumerate(context.manifests)}
    return sorted(told, key=lambda finding: order[id(finding.manifest)])


def _judged(manifest: Manifest, context: Context) -> Iterator[Finding]:
    for code, fault in verdicts.verdict(manifest, context.release):
        yield Finding(BY_CODE[code], fault, manifest, manifest.source)


def _ruled(context: Context) -> Iterator[Finding]:
    for rule in RULES:
        if rule.holds_for(context.release):
            for manifest, fault in rule.found(context):
                if not look.certain(manifest.spec, fault.path):
                    continue  # Terraform may know better.
                placed = replace(fault, path=manifest.place(fault.path))
                yield Finding(rule, placed, manifest, manifest.source)


def _covers(judged: Finding, ruled: Finding) -> bool:
    """Whether what a rule finds may be gone once a fault of the same object is mended."""
    path, own = judged.fault.path, ruled.fault.path
    return (
        judged.rule.code == verdicts.NOT_SERVED
        or own[: len(path)] == path
        or path[: len(own)] == own
        # A key that is missing may be the one that is misspelt.
        or (path[:-1] == own[:-1] and judged.fault.fix == f"did you mean {own[-1]}?")
    )
