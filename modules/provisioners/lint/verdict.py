"""The API server's verdict, and what only we refuse in a spec, as findings."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core import names
from modules.core.catalogue import Release
from modules.core.faults import Fault
from modules.provisioners.api import codes
from modules.provisioners.api.judge import refusals, stricter
from modules.provisioners.api.kind import Judged, Sort
from modules.provisioners.lint.finding import LintRule, Manifest, Severity

_CRD = "The API server refuses the object, and nothing of it is applied."
_SOURCE = "the CRDs of each Karpenter release, and the admission webhook of v1alpha5"

_SORTS = {
    Sort.UNKNOWN: ("KPT001", "a field that the release does not know"),
    Sort.TYPE: ("KPT002", "a value of the wrong type"),
    Sort.MISSING: ("KPT003", "a field that is missing"),
    Sort.VALUE: ("KPT004", "a value that is not allowed"),
    Sort.RULE: ("KPT005", "values that do not go together"),
    Sort.NOT_SERVED: ("KPT006", "a kind that the release does not serve"),
}
CHANGE = LintRule(
    "KPT010",
    "a change that the API server refuses",
    Severity.ERROR,
    "The object in the cluster stays as it is, and the apply fails.",
    "the CEL rules with oldSelf in the CRDs of each Karpenter release",
)
UNREADABLE = LintRule(
    "KPT009",
    "YAML that cannot be read, or not by everybody alike",
    Severity.ERROR,
    "Nothing of it is applied, or another tool reads something else in it.",
    "YAML 1.1 and 1.2",
)
CLUSTER_FILE = LintRule(
    "KPT011",
    "a fault of the cluster file",
    Severity.ERROR,
    "`synth` refuses the file, and writes nothing.",
    "this project: clusters.schema.json and the rules on a cluster",
)

RULES = (
    UNREADABLE,
    CLUSTER_FILE,
    *(LintRule(code, title, Severity.ERROR, _CRD, _SOURCE) for code, title in _SORTS.values()),
    CHANGE,
    *(
        LintRule(
            code,
            title,
            Severity.ERROR,
            f"{why[0].upper()}{why[1:]}.",
            "Karpenter's CRDs, its controller and EC2",
            (names.NODE_POOL,) if code < codes.OPEN_ID else (names.NODE_CLASS,),
        )
        for code, (title, why) in codes.REASONS.items()
    ),
)
BINDING = frozenset(
    [CHANGE.code, UNREADABLE.code, CLUSTER_FILE.code, *(code for code, _ in _SORTS.values())]
)
"""Codes of what cannot be applied: no suppression changes that."""

UNKNOWN_FIELD = _SORTS[Sort.UNKNOWN][0]
NOT_SERVED = _SORTS[Sort.NOT_SERVED][0]


def verdict(manifest: Manifest, release: Release) -> Iterator[tuple[str, Fault]]:
    """The codes and faults of a manifest, with paths from the top of its document."""
    if manifest.document is None:
        return
    above = manifest.where[:-1]
    for judged in (*refusals(manifest.document, release), *stricter(manifest.document, release)):
        yield code_of(judged), judged.fault.under(*above)


def code_of(judged: Judged) -> str:
    """The code of what is found wrong."""
    return judged.code or _SORTS[judged.sort][0]
