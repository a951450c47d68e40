"""Rules on more than one of the options, each told in both products' words.

An agreement is a Python predicate for literals and a Terraform condition for variables; the
message is the same. Rules on single values stand at the settings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic.alias_generators import to_camel

from modules.core.catalogue import NEWEST_KNOWN, Capability, Release
from modules.core.expressions import is_known
from modules.core.faults import ABSENT, Fault, InvalidInput
from modules.core.names import POLICY_VERSION
from modules.iam import extra_statements, node, policy
from modules.iam.facts import Facts
from modules.iam.settings import IamOptions, IamSettings


@dataclass(frozen=True)
class Agreement:
    """How options must agree.

    Args:
        field: the option at fault, in snake_case.
        reads: the options that decide; the rule is left to Terraform unless all are literal.
        problem: what is wrong with it.
        allowed: what is allowed.
        fix: what to do.
        holds: whether literals are right.
        condition: the same in Terraform.
    """

    field: str
    reads: tuple[str, ...]
    problem: str
    allowed: str
    fix: str
    holds: Callable[[IamOptions, Release], bool]
    condition: Callable[[Release], str]

    @property
    def message(self) -> str:
        """What a published module says."""
        return f"{self.field}: {self.problem}. Allowed: {self.allowed}. Fix: {self.fix}."

    def judge(self, settings: IamOptions, release: Release) -> list[Fault]:
        """The fault of literals that break it."""
        known = all(is_known(getattr(settings, name, None)) for name in self.reads)
        if not known or self.holds(settings, release):
            return []
        value = getattr(settings, self.field)
        return [
            Fault(
                (to_camel(self.field),),
                self.problem,
                self.allowed,
                self.fix,
                ABSENT if value is None else value,
            )
        ]


def _unused(field: str, empty: str) -> Agreement:
    """What is for a role made here is not given for a role that the user brings."""
    return Agreement(
        field,
        ("create_node_role", field),
        "has no effect on a role that is not made here",
        "nothing where the nodes' role is brought along",
        "remove it, or do this where that role is made",
        lambda settings, _: settings.create_node_role or not getattr(settings, field),
        lambda _: f"var.create_node_role || {empty}",
    )


def _own_policies(settings: IamOptions, release: Release) -> int:
    """How many policies the controller's role has besides the user's managed ones."""
    has_queue = not isinstance(settings, IamSettings) or settings.interruption_handling
    has_queue = has_queue and release.has(Capability.INTERRUPTION)
    return _groups(release) + has_queue + bool(settings.controller_policy_statements)


def _groups(release: Release) -> int:
    anything = Facts("", "", "", "")
    return len(policy.groups(release, anything, ""))


_STATEMENTS = "controller_policy_statements"
_MANY = f"at most {policy.MAX_POLICIES_PER_ROLE} policies on the role, Karpenter's own included"

AGREEMENTS = (
    Agreement(
        "node_role_arn",
        ("create_node_role", "node_role_arn"),
        "is missing although no role is made",
        "the ARN of an existing role where none is created",
        "give the ARN, or let the role be created",
        lambda settings, _: settings.create_node_role or settings.node_role_arn is not None,
        lambda _: "var.create_node_role || var.node_role_arn != null",
    ),
    Agreement(
        "node_role_arn",
        ("create_node_role", "node_role_arn"),
        "is given although a role is made",
        "no ARN where the nodes' role is created",
        "switch the creation off to use your role, or remove the ARN",
        lambda settings, _: not settings.create_node_role or settings.node_role_arn is None,
        lambda _: "!var.create_node_role || var.node_role_arn == null",
    ),
    _unused("node_role_name", "var.node_role_name == null"),
    _unused("node_role_policy_arns", "length(var.node_role_policy_arns) == 0"),
    Agreement(
        "create_oidc_provider",
        ("create_oidc_provider", "oidc_issuer"),
        "is true although the issuer is given as a provider that exists",
        "true only where the issuer is given as a URL or host",
        "remove it, or give the issuer's URL",
        lambda settings, _: (
            not settings.create_oidc_provider or not (settings.oidc_issuer or "").startswith("arn:")
        ),
        lambda _: '!var.create_oidc_provider || !startswith(var.oidc_issuer, "arn:")',
    ),
    Agreement(
        "controller_role_policy_arns",
        (
            "controller_role_policy_arns",
            _STATEMENTS,
            "interruption_handling",
        ),
        "has too many policies for one role",
        _MANY,
        "give what they allow as statements, which become one policy",
        lambda settings, release: (
            _own_policies(settings, release) + len(settings.controller_role_policy_arns)
            <= policy.MAX_POLICIES_PER_ROLE
        ),
        lambda release: (
            f"{_groups(release)} + {_queue_policies(release)} + "
            "(length(var.controller_policy_statements) > 0 ? 1 : 0) + "
            f"length(var.controller_role_policy_arns) <= {policy.MAX_POLICIES_PER_ROLE}"
        ),
    ),
    Agreement(
        "node_role_policy_arns",
        ("node_role_policy_arns", "attach_cni_policy"),
        "has too many policies for one role",
        _MANY,
        "join some of them into one policy",
        lambda settings, release: (
            _node_policies(release)
            - (not settings.attach_cni_policy)
            + len(settings.node_role_policy_arns)
            <= policy.MAX_POLICIES_PER_ROLE
        ),
        lambda release: (
            f"{_node_policies(release)} - (var.attach_cni_policy ? 0 : 1) + "
            f"length(var.node_role_policy_arns) <= {policy.MAX_POLICIES_PER_ROLE}"
        ),
    ),
    Agreement(
        _STATEMENTS,
        (_STATEMENTS,),
        "makes a policy longer than IAM takes",
        f"statements of at most {policy.MAX_POLICY_SIZE} characters together, without white space",
        "join statements, use wildcards, or attach managed policies of your own",
        lambda settings, _: _size(settings) <= policy.MAX_POLICY_SIZE,
        lambda _: (
            f'length(jsonencode({{ Version = "{POLICY_VERSION}", '
            f"Statement = var.{_STATEMENTS} }})) <= {policy.MAX_POLICY_SIZE}"
        ),
    ),
)


def check(settings: IamOptions, release: Release) -> list[Fault]:
    """Every fault of options that are right one by one but do not agree.

    Returns:
        Faults with paths relative to the options, in camelCase.
    """
    faults = [fault for agreement in AGREEMENTS for fault in agreement.judge(settings, release)]
    faults += _interruption(settings, release)
    faults += _queue_name(settings, release)
    if is_known(settings.controller_policy_statements):
        found = extra_statements.faults(settings.controller_policy_statements)
        faults += [fault.under(to_camel(_STATEMENTS)) for fault in found]
    return faults


def interruption_fault(release: Release) -> Fault:
    """The fault of asking a release for interruption handling that has none."""
    first = Capability.INTERRUPTION.first
    return Fault(
        ("interruptionHandling",),
        f"cannot be had with Karpenter {release.version}",
        f"true from Karpenter {first} on; {NEWEST_KNOWN}",
        f"upgrade to {first} or later, or remove it and install the AWS Node Termination Handler "
        "after Karpenter",
        True,
    )


def _interruption(settings: IamOptions, release: Release) -> list[Fault]:
    if release.has(Capability.INTERRUPTION) or not isinstance(settings, IamSettings):
        return []
    asked = "interruption_handling" in settings.model_fields_set
    return [interruption_fault(release)] if asked and settings.interruption_handling is True else []


def _queue_name(settings: IamOptions, release: Release) -> list[Fault]:
    given: str | None = settings.queue_name
    if given is None or not is_known(given) or not release.has(Capability.QUEUE_NAMED_AS_CLUSTER):
        return []
    return [
        Fault(
            ("queueName",),
            f"cannot be chosen with Karpenter {release.version}",
            "nothing: the queue has the cluster's name",
            "remove it, or use another patch: Karpenter is told the name from 0.19.1 on",
            given,
        )
    ]


def checked(settings: IamSettings) -> Release:
    """The release that the settings name.

    Raises:
        InvalidInput: there is no such release, or the settings do not agree.
    """
    release = settings.release
    if isinstance(release, Fault):
        raise InvalidInput([release])
    if faults := check(settings, release):
        raise InvalidInput(faults)
    return release


def _size(settings: IamOptions) -> int:
    try:
        return policy.size(policy.additional(settings.controller_policy_statements).document)
    except TypeError:  # Expressions in a statement; IAM itself will judge it.
        return 0


def _queue_policies(release: Release) -> str:
    """How many policies are about the queue, in Terraform."""
    return "(var.interruption_handling ? 1 : 0)" if release.has(Capability.INTERRUPTION) else "0"


def _node_policies(release: Release) -> int:
    return len(node.managed_policies(release))
