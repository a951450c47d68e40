"""The cluster's OIDC issuer in the three forms that AWS uses it in.

Users have it as a URL (`aws eks describe-cluster`), as host and path (other modules' outputs) or
as the ARN of its IAM provider. Trust conditions want host and path, a provider is created and
looked up by URL, and a trust's principal is an ARN.
"""

from __future__ import annotations

import re

from modules.core.expressions import Expr, is_known, joined
from modules.core.names import STS_AUDIENCE
from modules.core.placing import Placed

_HEAD = r"^(https://|arn:[^/]*/)"
"""What stands before host and path; Terraform's regular expressions read it alike."""


def host(issuer: str | Expr) -> str | Expr:
    """The issuer's host and path, without a scheme."""
    if isinstance(issuer, Expr):
        return Expr(f'replace({issuer.text}, "/{_HEAD}/", "")')
    return re.sub(_HEAD, "", issuer)


def url(host: str | Expr) -> str | Expr:
    """The issuer's URL."""
    return joined("https://", host)


def provider_arn(
    issuer: str | Expr, host: str | Expr, partition: str | Expr, account_id: str | Expr
) -> str | Expr:
    """The ARN of the issuer's IAM provider, which is the issuer itself where it was given so.

    A role trusts only providers of its own account, and a provider is named after its issuer
    (IAM's reference of ARNs), so the ARN need not be looked up.
    """
    if _is_arn(issuer):
        return issuer
    return joined("arn:", partition, ":iam::", account_id, ":oidc-provider/", host)


def looks_up(issuer: str | Expr, create: bool | Expr) -> bool:
    """Whether to look the provider up, so that a missing one fails the plan and not the pods.

    Only cluster stacks do, whose cluster exists when they are planned. A published module, which
    is told by `create` being an expression, may be applied together with the cluster: a look-up
    would run before the provider it looks for is there.

    The message of a failing look-up is the AWS provider's: Terraform offers no way to add the fix
    (tried with 1.11: a data source within a check block only warns, and hides the assertion).
    """
    return create is False and not _is_arn(issuer)


def conditions(found: Placed | None) -> list[tuple[Expr, str]]:
    """What must hold of a provider that was looked up, and what to say where it does not."""
    if found is None:
        return []
    audiences = found.attribute("client_id_list")
    return [
        (
            Expr(f'contains({audiences.text}, "{STS_AUDIENCE}")'),
            f"The IAM provider of the cluster's OIDC issuer does not accept the audience "
            f"{STS_AUDIENCE}, so Karpenter cannot assume its role. Fix: add it with "
            f"`aws iam add-client-id-to-open-id-connect-provider`.",
        )
    ]


def _is_arn(issuer: str | Expr) -> bool:
    return is_known(issuer) and str(issuer).startswith("arn:")
