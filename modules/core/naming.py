"""Names of AWS and Helm objects: deterministic and never too long.

A name is a plain phrase ending in the cluster's name. One that AWS would refuse for its
length keeps its beginning and ends in a hash of the whole, so that two long names never
meet and the same input always gives the same name. The same rule exists twice, for
literals here in Python and for expressions as Terraform; a test compares the two.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum

from modules.core.expressions import Expr, is_known, quoted

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
    if all(is_known(part) for part in parts):
        whole = "".join(str(part) for part in parts)
        if len(whole) <= limit:
            return whole
        digest = hashlib.sha256(whole.encode()).hexdigest()[:_HASH_LENGTH]
        return f"{whole[: limit - _HASH_LENGTH - 1]}-{digest}"
    whole = f'join("", [{", ".join(quoted(part) for part in parts)}])'
    head = f"substr({whole}, 0, {limit - _HASH_LENGTH - 1})"
    digest = f"substr(sha256({whole}), 0, {_HASH_LENGTH})"
    return Expr(f'length({whole}) <= {int(limit)} ? {whole} : "${{{head}}}-${{{digest}}}"')
