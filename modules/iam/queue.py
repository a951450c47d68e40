"""The interruption queue's figures and who may use it (Karpenter's CloudFormation template)."""

from __future__ import annotations

from modules.core.expressions import Expr
from modules.core.names import EVENTS_PRINCIPAL, POLICY_VERSION, SQS_PRINCIPAL

RETENTION_SECONDS = 300
"""A warning older than five minutes is of no use: spot instances get two."""


def policy(queue_arn: str | Expr) -> dict[str, object]:
    """The queue's policy: EventBridge sends, and nobody does anything without TLS.

    The principals are the same in every partition.
    """
    return {
        "Version": POLICY_VERSION,
        "Statement": [
            {
                "Sid": "AllowSendingEvents",
                "Effect": "Allow",
                "Principal": {"Service": [EVENTS_PRINCIPAL, SQS_PRINCIPAL]},
                "Action": "sqs:SendMessage",
                "Resource": queue_arn,
            },
            {
                "Sid": "DenyHTTP",
                "Effect": "Deny",
                "Principal": "*",
                "Action": "sqs:*",
                "Resource": queue_arn,
                "Condition": {"Bool": {"aws:SecureTransport": "false"}},
            },
        ],
    }
