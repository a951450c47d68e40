"""Who may assume the two roles."""

from __future__ import annotations

from modules.core.expressions import Expr, joined
from modules.core.names import (
    CHINA_PARTITION,
    CHINA_SUFFIX,
    EC2_PRINCIPAL,
    POLICY_VERSION,
    STS_AUDIENCE,
)


def service_account(
    provider_arn: str | Expr,
    host: str | Expr,
    namespace: str | Expr,
    name: str | Expr,
) -> dict[str, object]:
    """The trust of the controller's role: one service account of one cluster, nobody else.

    Both the subject and the audience of the token are judged, as EKS's user guide (IAM roles for
    service accounts) asks.
    """
    return _trust(
        "sts:AssumeRoleWithWebIdentity",
        {"Federated": provider_arn},
        {
            "StringEquals": {
                joined(host, ":aud"): STS_AUDIENCE,
                joined(host, ":sub"): joined("system:serviceaccount:", namespace, ":", name),
            }
        },
    )


def ec2(partition: str | Expr) -> dict[str, object]:
    """The trust of the nodes' role: EC2 instances.

    EC2's principal has China's suffix there: EKS refuses node roles without it, and the AWS
    provider's own list of principals says so since pull request 47141. In every other partition
    it is the same name; so say that list and the values of iam:PassedToService in Karpenter's
    policy. (Karpenter's template uses the partition's DNS suffix, which differs in isolated ones.)
    """
    return _trust("sts:AssumeRole", {"Service": ec2_principal(partition)})


def ec2_principal(partition: str | Expr) -> str | Expr:
    """EC2's service principal in a partition."""
    if isinstance(partition, Expr):
        suffix = Expr(f'{partition.text} == "{CHINA_PARTITION}" ? "{CHINA_SUFFIX}" : ""')
        return joined(EC2_PRINCIPAL, suffix)
    return EC2_PRINCIPAL + (CHINA_SUFFIX if partition == CHINA_PARTITION else "")


def _trust(
    action: str, principal: dict[str, object], condition: dict[str, object] | None = None
) -> dict[str, object]:
    statement: dict[str, object] = {"Effect": "Allow", "Principal": principal, "Action": action}
    if condition is not None:
        statement["Condition"] = condition
    return {"Version": POLICY_VERSION, "Statement": [statement]}
