"""The codes of what we refuse in a spec though the API server takes it.

The pools have 171 and up, the classes 271 and up. What lint tells of each stands beside its rule
there; the reasons here are those of the rule's existence.
"""

from __future__ import annotations

from typing import Final

SCHEDULE: Final = "KPT171"
OPEN_DURATION: Final = "KPT172"
OTHER_CLASS: Final = "KPT173"
CLASS_NAME: Final = "KPT174"
LABEL_KEY: Final = "KPT175"
LABEL_VALUE: Final = "KPT176"
REPEATED_REASON: Final = "KPT178"
NESTED_LIMITS: Final = "KPT179"
LOOK_ALIKE_KEY: Final = "KPT180"
IMPOSSIBLE_VALUE: Final = "KPT181"
ODD_NUMBER: Final = "KPT182"

OPEN_ID: Final = "KPT271"
IDENTITY_NAME: Final = "KPT272"
VOLUME_SIZE: Final = "KPT273"
EVICTION_THRESHOLD: Final = "KPT274"
GRACE_PERIOD: Final = "KPT275"
CROWDED_TERM: Final = "KPT276"
ALIAS_FORM: Final = "KPT278"
IDLE_IOPS: Final = "KPT279"
MISSING_IOPS: Final = "KPT280"
IDLE_THROUGHPUT: Final = "KPT281"
IDLE_KEY: Final = "KPT282"
CLOSED_KUBELET: Final = "KPT283"

REASONS: Final[dict[str, tuple[str, str]]] = {
    SCHEDULE: (
        "a schedule that the controller cannot read",
        "the CRD's pattern takes any five words and more; Karpenter reads five cron fields in UTC",
    ),
    OPEN_DURATION: (
        "a duration with more around it",
        "the CRD's pattern is open at its ends before Karpenter 1.4.0; the controller cannot "
        "read the rest",
    ),
    OTHER_CLASS: (
        "a class of another controller",
        "the CRD takes any group and kind; this controller reads its own classes only",
    ),
    CLASS_NAME: (
        "a class name that no object can have",
        "the CRD takes any text; the API server names no object so",
    ),
    LABEL_KEY: (
        "a key that no label or taint can have",
        "the CRD's pattern sets no limit of 63 characters to the name; the node is refused",
    ),
    LABEL_VALUE: (
        "a value that no label can have",
        "the CRD's pattern stands on the list, where it is idle; no node can have such a label",
    ),
    REPEATED_REASON: (
        "a reason twice in one budget",
        "the CRD takes it before Karpenter 1.13.0 and refuses it since",
    ),
    NESTED_LIMITS: (
        "limits.resources, as a Provisioner had it",
        "the CRD takes any name of a resource, so that this limits a resource that nothing has",
    ),
    LOOK_ALIKE_KEY: (
        "a requirement on a key that only looks like Karpenter's",
        "the nodes get a label of that key with a random value",
    ),
    IMPOSSIBLE_VALUE: (
        "a value that no instance type has",
        "nothing can be launched for such a requirement",
    ),
    ODD_NUMBER: (
        "a number with a sign or of many digits",
        "the CRD takes what its own reader of numbers takes; labels of nodes are plain digits",
    ),
    OPEN_ID: (
        "an id with more around it",
        "the CRD's pattern is open at its ends; EC2 knows no such id",
    ),
    IDENTITY_NAME: (
        "a role or profile that is no plain name",
        "the CRD asks that it be not empty only; with an ARN or a path no node starts",
    ),
    VOLUME_SIZE: (
        "a volume size without a number",
        "branches of the CRD's pattern are empty; EC2 makes no such volume",
    ),
    EVICTION_THRESHOLD: (
        "an empty eviction threshold",
        "a branch of the CRD's pattern is empty; the kubelet does not start with it",
    ),
    GRACE_PERIOD: (
        "an eviction grace period that is no duration",
        "the CRD takes any text; the kubelet does not start with it",
    ),
    CROWDED_TERM: (
        "a term with an id, name or alias and more",
        "some of the CRD's rules ask that every term be wrong, or name not every key; the "
        "other keys of the term are ignored",
    ),
    ALIAS_FORM: (
        "an alias with more than one @",
        "the CRD's pattern takes it; there is no image of that version",
    ),
    IDLE_IOPS: (
        "iops with a volume type that takes none",
        "EC2 refuses to make the volume",
    ),
    MISSING_IOPS: (
        "no iops with a volume type that needs them",
        "EC2 refuses to make the volume",
    ),
    IDLE_THROUGHPUT: (
        "throughput with a volume type that takes none",
        "EC2 refuses to make the volume",
    ),
    IDLE_KEY: (
        "a key for a volume that is not encrypted",
        "EC2 refuses to make the volume",
    ),
    CLOSED_KUBELET: (
        "a kubelet setting that the family does not read",
        "from Karpenter 1.15.0 on the CRD takes any; only AL2023 and Custom nodes get them",
    ),
}
"""Code -> what it is about, and why we refuse what the API server takes."""
