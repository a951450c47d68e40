"""Rules on when nodes go: their age, their draining, their consolidation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from modules.core import names
from modules.core.faults import ABSENT, Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.durations import seconds
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import (
    POOLS,
    expiry,
    is_stable,
    is_static,
    never_expires,
    node,
)

_GRACE: Final = "terminationGracePeriod"
_SETTLED: Final = 60
"""Seconds that pods take to move: below it, Karpenter acts on what is still moving."""

_YOUNG: Final = 3600
_POD_GRACE: Final = 30
"""Seconds that Kubernetes gives a pod to end where the pod says nothing."""

_DO_NOT_DISRUPT = (names.DO_NOT_DISRUPT_ANNOTATION, names.DO_NOT_CONSOLIDATE_ANNOTATION)
_DEFAULT_AGE: Final = "720h"
_NODE_POOLS = (names.NODE_POOL,)


def _drains_for_ever(pool: Manifest, _context: Context) -> Iterator[Fault]:
    if not is_stable(pool) or never_expires(pool):
        return
    if look.at(pool.spec, *node(pool), _GRACE) is None:
        _, age = expiry(pool)
        yield Fault(
            (*node(pool), _GRACE),
            f"is missing, while nodes expire ({age or f'{_DEFAULT_AGE} by default'}): a pod that "
            "cannot be evicted keeps such a node for ever",
            "a duration, such as 24h",
            "set it to the longest that a pod may take to end",
        )


def _ignores_budgets(pool: Manifest, _context: Context) -> Iterator[Fault]:
    if not is_stable(pool) or never_expires(pool):
        return
    windows = [
        path
        for path, budget in look.items(pool.spec, "disruption", "budgets")
        if look.text(budget, "schedule") and look.text(budget, "nodes") in ("0", "0%")
    ]
    if windows:
        path, age = expiry(pool)
        yield Fault(
            path,
            "replaces nodes at that age, also in the hours in which disruption.budgets allow none",
            "Never, where such hours must hold; drift and consolidation keep to them",
            "set expireAfter: Never, or take it that nodes go at any hour",
            age if age is not None else ABSENT,
        )


def _restless(pool: Manifest, _: Context) -> Iterator[Fault]:
    if not is_stable(pool) or is_static(pool):
        return
    given = look.mapping(pool.spec, "disruption")
    after = look.text(given, "consolidateAfter")
    length = seconds(after) if after is not None else 0 if "disruption" not in pool.spec else None
    policy = given.get("consolidationPolicy", "WhenEmptyOrUnderutilized")
    if length is not None and length < _SETTLED and policy != "WhenEmpty":
        yield Fault(
            ("disruption", "consolidateAfter"),
            "lets Karpenter act on nodes while pods are still moving"
            if after is not None
            else "is 0s where disruption is left out: Karpenter acts while pods are still moving",
            f"{_SETTLED}s or more; 5m and more where pods come and go",
            "raise it",
            after if after is not None else ABSENT,
        )


def _short_lived(pool: Manifest, _: Context) -> Iterator[Fault]:
    path, age = expiry(pool)
    length = seconds(age)
    if age is not None and length is not None and length < _YOUNG:
        yield Fault(
            path,
            "replaces every node within the hour, over and over",
            "some hours at least; days are usual",
            f"raise it to {_DEFAULT_AGE} or what your rules on patching ask for",
            look.at(pool.spec, *(str(step) for step in path)),
        )


def _cut_short(pool: Manifest, _: Context) -> Iterator[Fault]:
    given = look.text(pool.spec, *node(pool), _GRACE)
    length = seconds(given)
    if length is not None and length < _POD_GRACE:
        yield Fault(
            (*node(pool), _GRACE),
            "is less than pods get to end by default: they are killed in the middle of it",
            f"{_POD_GRACE}s or more",
            "raise it above the longest terminationGracePeriodSeconds of your pods",
            given,
        )


def _for_ever(pool: Manifest, _: Context) -> Iterator[Fault]:
    consolidated = look.text(pool.spec, "disruption", "consolidateAfter") != "Never"
    if never_expires(pool) and not consolidated and pool.kind == names.NODE_POOL:
        yield Fault(
            ("disruption", "consolidateAfter"),
            "and expireAfter are both Never: empty nodes stay until a person deletes them",
            "one of the two with a duration",
            "set consolidationPolicy: WhenEmpty with a duration, to be rid of empty nodes at least",
            "Never",
        )


def _empty_stay(pool: Manifest, _: Context) -> Iterator[Fault]:
    consolidates = look.at(pool.spec, "consolidation", "enabled") is True
    if not consolidates and pool.spec.get("ttlSecondsAfterEmpty") is None:
        yield Fault(
            ("ttlSecondsAfterEmpty",),
            "is missing, and consolidation is off: empty nodes stay",
            "consolidation.enabled: true, or a number of seconds here",
            "set consolidation.enabled to true (from 0.15.0 on), or ttlSecondsAfterEmpty to 30",
        )


def _undisturbed(pool: Manifest, _: Context) -> Iterator[Fault]:
    path = (
        ("annotations",)
        if pool.kind == names.PROVISIONER
        else ("template", "metadata", "annotations")
    )
    for key in _DO_NOT_DISRUPT:
        if look.text(pool.spec, *path, key) == "true":
            yield Fault(
                (*path, key),
                "keeps every node of the pool from consolidation and from new images",
                "it on the pods or nodes that it is meant for",
                "remove it; a budget of 0 nodes for some hours does less harm",
                "true",
            )


RULES = (
    LintRule(
        "KPT521",
        "nodes that expire without an end to their draining",
        Severity.WARNING,
        "A disruption budget of pods or do-not-disrupt holds the node, tainted and paid for.",
        "kubernetes-sigs/karpenter#1776; aws/karpenter-provider-aws#7521",
        _NODE_POOLS,
        _drains_for_ever,
        since="1.0.0",
    ),
    LintRule(
        "KPT522",
        "expiry beside hours without disruption",
        Severity.WARNING,
        "Expiry is forceful since 1.0: budgets do not hold it back.",
        "aws/karpenter-provider-aws#7797; Karpenter's v1 migration guide",
        _NODE_POOLS,
        _ignores_budgets,
        since="1.0.0",
    ),
    LintRule(
        "KPT523",
        "consolidation without a pause",
        Severity.WARNING,
        "Nodes come and go with every wave of pods: images are pulled anew, and it costs more.",
        "aws/karpenter-provider-aws#7146, #8536; kubernetes-sigs/karpenter#2705",
        _NODE_POOLS,
        _restless,
        since="1.0.0",
    ),
    LintRule(
        "KPT524",
        "nodes that live less than an hour",
        Severity.WARNING,
        "Every node is replaced while the last replacement is still filling.",
        "kubernetes-sigs/karpenter#2627",
        POOLS,
        _short_lived,
    ),
    LintRule(
        "KPT525",
        "a grace period shorter than that of pods",
        Severity.WARNING,
        "Pods are killed before they have ended, whatever they ask for.",
        "Karpenter's concepts: terminationGracePeriod; Kubernetes gives pods 30 seconds",
        _NODE_POOLS,
        _cut_short,
        since="1.0.0",
    ),
    LintRule(
        "KPT526",
        "nodes that nothing removes",
        Severity.INFO,
        "Only drift and people remove them, used or not.",
        "Karpenter's concepts: disruption",
        _NODE_POOLS,
        _for_ever,
    ),
    LintRule(
        "KPT527",
        "a Provisioner whose empty nodes stay",
        Severity.WARNING,
        "They are paid for until a person deletes them.",
        "Karpenter 0.31: consolidation and ttlSecondsAfterEmpty",
        (names.PROVISIONER,),
        _empty_stay,
    ),
    LintRule(
        "KPT528",
        "a pool whose nodes are never to be disrupted",
        Severity.WARNING,
        "No node gets a new image or goes when it is empty, unless it expires.",
        "Karpenter's concepts: do-not-disrupt in a NodePool's template",
        POOLS,
        _undisturbed,
    ),
)
