"""The module `karpenter-iam`: everything that Karpenter needs of AWS."""

from __future__ import annotations

from typing import Final

from modules.cdk import App
from modules.core.catalogue import Capability, Release
from modules.core.expressions import Expr
from modules.iam import events, node, policy
from modules.iam.construct import KarpenterIam
from modules.iam.facts import Facts
from modules.iam.settings import IamSettings
from modules.iam.validations import validations
from stacks.published.base import ModuleStack, Output, PublishedModule, handwritten, variables_of

NAME: Final = "karpenter-iam"

OF_THE_QUEUE: Final = ("interruption_handling", "queue_name")
"""Variables that mean nothing where a release reads no queue."""

COMMENTS: Final = {
    "locals": "A name that AWS would refuse for its length is cut and ends in a hash of the whole.",
    "aws_iam_role.controller": "Only Karpenter's service account may take on this role.",
    "aws_iam_policy.iam_integration": "Pass the nodes' role to instances, by instance profiles "
    "that Karpenter makes.",
    "aws_iam_policy.additional": "Statements of yours, apart from Karpenter's own.",
    "aws_iam_role.node": "Taken on by the nodes that Karpenter launches.",
    "aws_iam_policy.node_ipv6_cni": "AWS manages no policy for the VPC CNI on IPv6.",
    "aws_eks_access_entry.node": "Lets nodes with this role join the cluster.",
    "aws_sqs_queue.interruption": "Karpenter reads from here that a node is about to go.",
}


def published(app: App, release: Release) -> PublishedModule:
    """The module for a Karpenter release."""
    stack = ModuleStack(app, NAME)
    settings = IamSettings.expressions(karpenter_version=release.version)
    placed = KarpenterIam(stack, "iam", settings)
    without: tuple[str, ...] = () if release.has(Capability.INTERRUPTION) else OF_THE_QUEUE
    if release.has(Capability.QUEUE_NAMED_AS_CLUSTER):
        without = ("queue_name",)
    return PublishedModule(
        name=NAME,
        release=release,
        summary="Creates the IAM roles, the interruption queue and the access entry that "
        "Karpenter needs on an EKS cluster.",
        variables=variables_of(IamSettings, validations(release), without=without),
        blocks=stack.blocks(),
        outputs=[
            Output(
                "controller_role_arn",
                _expression(placed.controller_role_arn),
                "ARN of the controller's role; it has all its permissions once this is known.",
                after=placed.dependencies,
            ),
            Output(
                "controller_role_name",
                _expression(placed.controller_role_name),
                "Name of the controller's role.",
            ),
            Output(
                "node_role_arn",
                _expression(placed.node_role_arn),
                "ARN of the nodes' role, created here or given.",
            ),
            Output(
                "node_role_name",
                _expression(placed.node_role_name),
                "Name of the nodes' role, created here or given.",
            ),
            Output(
                "instance_profile_name",
                _expression(placed.instance_profile_name),
                "Name of the nodes' instance profile, created here or given; null where there is "
                "none.",
            ),
            *_queue_outputs(placed),
        ],
        handwritten=handwritten("iam"),
        providers=("aws",),
        comments=_comments(release),
        apart={
            "locals.tf": ("locals",),
            "node.tf": (
                *("node", "node_ipv6_cni", "node_additional"),
                *(f"node_{policy.id}" for policy in node.managed_policies(release)),
            ),
            "interruption.tf": ("interruption", *(rule.id for rule in events.rules(release))),
        },
    )


def _comments(release: Release) -> dict[str, str]:
    """The comments; what old releases do to nodes is not limited to one cluster's."""
    (nodes, *_) = policy.groups(release, Facts("", "", "", ""), "")
    limited = isinstance(nodes.statements, list) and any("Condition" in s for s in nodes.statements)
    of = "of this cluster, and of no other" if limited else "of any cluster"
    return {**COMMENTS, "aws_iam_policy.node_lifecycle": f"Launch, tag and terminate nodes {of}."}


def _queue_outputs(placed: KarpenterIam) -> list[Output]:
    """The outputs about the queue; none where the release reads no queue."""
    if placed.queue_arn is None or placed.queue_name is None:
        return []
    return [
        Output(
            "queue_arn",
            placed.queue_arn,
            "ARN of the interruption queue; null without interruption handling.",
        ),
        Output(
            "queue_name",
            placed.queue_name,
            "Name of the interruption queue; null without interruption handling.",
        ),
    ]


def _expression(value: str | Expr | None) -> Expr:
    assert isinstance(value, Expr), "what a module gives depends on its variables"
    return value
