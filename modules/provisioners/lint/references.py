"""Rules on how objects of a set name one another."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core.faults import Fault, nearest
from modules.provisioners.lint.class_view import CLASSES, class_of, pools_with_class
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import POOLS, class_reference


def _twice(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    seen: set[tuple[str, str]] = set()
    for manifest in context.manifests:
        identity = (manifest.kind, manifest.name)
        if manifest.name and identity in seen:
            yield (
                manifest,
                Fault(
                    ("metadata", "name"),
                    f"is the name of another {manifest.kind} already, which this one replaces",
                    "each name once for each kind",
                    "rename one of the two, or remove it",
                    manifest.name,
                ),
            )
        seen.add(identity)


def _missing_class(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    known = [c.name for c in context.of_kinds(*CLASSES) if c.name]
    if not known:
        return  # The classes are elsewhere.
    for pool in context.of_kinds(*POOLS):
        path, name = class_reference(pool)
        if name is not None and class_of(pool, context) is None:
            like = nearest(name, known)
            yield (
                pool,
                Fault(
                    path,
                    "names no class that is among these objects",
                    f"one of {', '.join(sorted(known))}",
                    f"did you mean {like}?" if like else "name one of these, or add the class",
                    name,
                ),
            )


def _unused_class(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    pools = list(context.of_kinds(*POOLS))
    if not pools or any(class_reference(pool)[1] is None for pool in pools):
        return  # A pool elsewhere, or one that only Terraform can read, may name it.
    used = [node_class for _, node_class in pools_with_class(context)]
    for node_class in context.of_kinds(*CLASSES):
        if node_class.name and not any(node_class is other for other in used):
            yield (
                node_class,
                Fault(
                    ("metadata", "name"),
                    "is a class that no pool among these objects names",
                    "a class that a pool names",
                    "remove it, or name it in a pool",
                    node_class.name,
                ),
            )


RULES = (
    LintRule(
        "KPT301",
        "two objects of one kind and name",
        Severity.ERROR,
        "The one that is applied later replaces the other.",
        "Kubernetes: names of objects",
        check_all=_twice,
    ),
    LintRule(
        "KPT302",
        "a class that is not there",
        Severity.ERROR,
        "The pool is never ready and launches nothing.",
        "Karpenter's concepts: nodeClassRef",
        check_all=_missing_class,
    ),
    LintRule(
        "KPT303",
        "a class that nothing uses",
        Severity.INFO,
        "It is looked after for nothing, or a pool names another one by mistake.",
        "Karpenter's concepts: nodeClassRef",
        check_all=_unused_class,
    ),
)
