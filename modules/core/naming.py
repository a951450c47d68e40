"""Names of AWS and Helm objects: deterministic and never too long.

A name is a plain phrase ending in the cluster's name. One that AWS would refuse for its
length keeps its beginning and ends in a hash of the whole, so that two long names never
meet and the same input always gives the same name. The same rule exists twice, for
literals here in Python and for expressions as Terraform; a test compares the two.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum

from modules.core.expressions import Expr, joined

_HASH_LENGTH = 8


class Limit(IntEnum):
    """Longest names, in characters (IAM, EventBridge and SQS quotas; Helm release names)."""

    IAM_ROLE = 64
    IAM_POLICY = 128
    IAM_INSTANCE_PROFILE = 128
    EVENT_RULE = 64
    SQS_QUEUE = 80
    HELM_RELEASE = 53


def fit(limit: Limit, *parts: object) -> str | Expr:
    """The parts joined, cut to the limit if they are longer.

    Args:
        limit: the kind of object named.
        parts: literals or expressions; an expression in any of them makes the result one.
    """
    whole = joined(*parts)
    kept = limit - _HASH_LENGTH - 1
    if isinstance(whole, Expr):
        # A for expression, because it gives the whole a name; Terraform's format cuts a text to
        # its precision, like C's.
        cut = f'format("%.{kept}s-%.{_HASH_LENGTH}s", name, sha256(name))'
        chosen = f"length(name) <= {int(limit)} ? name : {cut}"
        return Expr(f"one([for name in [{whole.text}] : {chosen}])")
    if len(whole) <= limit:
        return whole
    digest = hashlib.sha256(whole.encode()).hexdigest()[:_HASH_LENGTH]
    return f"{whole[:kept]}-{digest}"
