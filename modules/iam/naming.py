"""Names of the AWS objects: Karpenter's own phrases, then the cluster, never too long.

The phrases of policies and node role are those of Karpenter's CloudFormation template.
"""

from __future__ import annotations

from modules.core.catalogue import Capability, Release
from modules.core.expressions import Expr
from modules.core.naming import Limit, fit
from modules.iam.settings import IamSettings


def controller_role(settings: IamSettings) -> str | Expr:
    """Of the controller's role."""
    made = _made(settings, Limit.IAM_ROLE, "KarpenterController")
    return _given_or(settings.controller_role_name, made)


def node_role(settings: IamSettings) -> str | Expr:
    """Of the nodes' role."""
    made = _made(settings, Limit.IAM_ROLE, "KarpenterNodeRole")
    return _given_or(settings.node_role_name, made)


def controller_policy(settings: IamSettings, group: str) -> str | Expr:
    """Of one of the controller's policies."""
    return _made(settings, Limit.IAM_POLICY, f"KarpenterController{group}Policy")


def node_policy(settings: IamSettings, purpose: str) -> str | Expr:
    """Of a policy of the nodes' that AWS does not manage."""
    return _made(settings, Limit.IAM_POLICY, f"KarpenterNode{purpose}Policy")


def instance_profile(settings: IamSettings) -> str | Expr:
    """Of the nodes' instance profile."""
    made = _made(settings, Limit.IAM_INSTANCE_PROFILE, "KarpenterNodeInstanceProfile")
    return _given_or(settings.instance_profile_name, made)


def queue(settings: IamSettings) -> str | Expr:
    """Of the interruption queue."""
    release = settings.release
    if isinstance(release, Release) and release.has(Capability.QUEUE_NAMED_AS_CLUSTER):
        return settings.cluster_name
    made = _made(settings, Limit.SQS_QUEUE, "Karpenter")
    return _given_or(settings.queue_name, made)


def event_rule(settings: IamSettings, phrase: str) -> str | Expr:
    """Of an event rule. Rules are named per cluster: they share the region's default bus."""
    return _made(settings, Limit.EVENT_RULE, f"Karpenter{phrase}")


def _made(settings: IamSettings, limit: Limit, phrase: str) -> str | Expr:
    return fit(
        limit, settings.name_prefix, f"{phrase}-", settings.cluster_name, settings.name_suffix
    )


def _given_or(given: str | Expr | None, made: str | Expr) -> str | Expr:
    if isinstance(given, Expr):
        text = made.text if isinstance(made, Expr) else f'"{made}"'
        return Expr(f"coalesce({given.text}, {text})")
    return made if given is None else given
