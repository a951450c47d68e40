"""Decisions about what exists: literal in cluster stacks, expressions in published modules."""

from __future__ import annotations

from modules.core.catalogue import Capability, Release
from modules.core.expressions import Expr
from modules.iam.node import CNI, ManagedPolicy
from modules.iam.settings import IamSettings

Switch = bool | Expr


def access_entry(settings: IamSettings) -> Switch:
    """Whether the nodes' role gets an access entry; unless told, exactly if it is made here."""
    wanted: Switch | None = settings.create_access_entry
    if isinstance(wanted, Expr):
        return Expr(f"coalesce({wanted.text}, {_operand(settings.create_node_role)})")
    return settings.create_node_role if wanted is None else wanted


def node_policy(settings: IamSettings, policy: ManagedPolicy) -> Switch:
    """Whether AWS's policy goes to the nodes' role: to a role made here, the CNI's only on IPv4."""
    if policy.id == CNI:
        return both(_cni_policy(settings), _equals(settings.ip_family, "ipv4"))
    return settings.create_node_role


def node_ipv6_cni_policy(settings: IamSettings) -> Switch:
    """Whether the nodes' role is made here and needs our policy for the CNI on IPv6."""
    return both(_cni_policy(settings), _equals(settings.ip_family, "ipv6"))


def instance_profile(settings: IamSettings, release: Release) -> Switch:
    """Whether the nodes' role gets an instance profile; unless told, if Karpenter makes none."""
    wanted: Switch | None = settings.create_instance_profile
    needed = not release.has(Capability.INSTANCE_PROFILES_MADE)
    if isinstance(wanted, Expr):
        return Expr(f"coalesce({wanted.text}, {_operand(needed)})")
    return needed if wanted is None else wanted


def interruption(settings: IamSettings, release: Release) -> Switch:
    """Whether there is an interruption queue; releases that read none never have one."""
    return settings.interruption_handling if release.has(Capability.INTERRUPTION) else False


def additional_policy(settings: IamSettings) -> Switch:
    """Whether there are statements besides Karpenter's own."""
    statements: object = settings.controller_policy_statements
    if isinstance(statements, Expr):
        return Expr(f"length({statements.text}) > 0")
    return bool(statements)


def both(first: Switch, second: Switch) -> Switch:
    """Whether both are on."""
    if first is False or second is False:
        return False
    if first is True or second is True:
        return second if first is True else first
    return Expr(f"{_operand(first)} && {_operand(second)}")


def _cni_policy(settings: IamSettings) -> Switch:
    return both(settings.create_node_role, settings.attach_cni_policy)


def _equals(value: str | Expr, literal: str) -> Switch:
    if isinstance(value, Expr):
        return Expr(f'{value.text} == "{literal}"')
    return value == literal


def _operand(switch: Switch) -> str:
    return switch.text if isinstance(switch, Expr) else str(switch).lower()
