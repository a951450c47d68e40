"""The nodes' role: its managed policies, and the facts of a role that a user brings.

Sources: EKS's user guide (node IAM role; VPC CNI with IPv6), Karpenter's CloudFormation template.
"""

from __future__ import annotations

from dataclasses import dataclass

from modules.core.catalogue import Release
from modules.core.catalogue_file import section
from modules.core.expressions import Expr, joined, quoted
from modules.core.names import POLICY_VERSION
from modules.core.placing import Placed
from modules.iam.facts import Text
from modules.iam.settings import IamSettings

ACCESS_ENTRY_TYPE = "EC2_LINUX"
"""The access entry of self-managed Linux nodes, Bottlerocket's included."""


@dataclass(frozen=True)
class ManagedPolicy:
    """A policy that AWS manages.

    Args:
        id: its attachment's name in resource addresses, after `node_`.
        name: AWS's name of it.
    """

    id: str
    name: str

    def arn(self, partition: str | Expr) -> str | Expr:
        """Its ARN."""
        return joined("arn:", partition, ":iam::aws:policy/", self.name)


CNI = "cni"
"""The policy of the VPC CNI with IPv4."""


def managed_policies(release: Release) -> list[ManagedPolicy]:
    """What Karpenter's template gives its nodes in this release."""
    return [
        ManagedPolicy(row["id"], row["name"])
        for row in section("iam")["node_policies"]
        if release.is_in(row["spans"])
    ]


def ipv6_cni_policy(partition: str | Expr) -> dict[str, object]:
    """What the VPC CNI needs with IPv6, for which AWS manages no policy."""
    return {
        "Version": POLICY_VERSION,
        "Statement": [
            {
                "Sid": "AssignAddresses",
                "Effect": "Allow",
                "Action": [
                    "ec2:AssignIpv6Addresses",
                    "ec2:DescribeInstances",
                    "ec2:DescribeTags",
                    "ec2:DescribeNetworkInterfaces",
                    "ec2:DescribeInstanceTypes",
                ],
                "Resource": ["*"],
            },
            {
                "Sid": "TagInterfaces",
                "Effect": "Allow",
                "Action": ["ec2:CreateTags"],
                "Resource": [joined("arn:", partition, ":ec2:*:*:network-interface/*")],
            },
        ],
    }


def arn(settings: IamSettings, made: Placed | None) -> str | Expr:
    """The ARN of the role made here, or else of the one that the user brings."""
    return _either(settings, _attribute(made, "arn"), settings.node_role_arn)


def name(settings: IamSettings, made: Placed | None) -> str | Expr:
    """Likewise the name."""
    given: str | Expr | None = settings.node_role_arn
    given_name = None if given is None else role_name(given)
    return _either(settings, _attribute(made, "name"), given_name)


def partition(arn: str | Expr) -> str | Expr:
    """The partition in a role's ARN.

    It is in the state once the role is. What a data source tells is unknown whenever a caller's
    `depends_on` defers the module's data sources, and an attachment of a policy whose ARN is
    unknown would be replaced then.
    """
    if isinstance(arn, Expr):
        return Expr(f'split(":", {arn.text})[1]')
    return arn.split(":")[1]


def role_name(arn: str | Expr) -> str | Expr:
    """The name in a role's ARN, which a path may stand before."""
    if isinstance(arn, Expr):
        return Expr(f'regex("[^/]+$", {arn.text})')
    return arn.rpartition("/")[2]


def instance_profile_name(settings: IamSettings, made: Placed | None) -> Text | None:
    """The name of the instance profile made here, or else of the one that the user brings."""
    given: Text | None = settings.instance_profile_name
    attribute = _attribute(made, "name")
    if attribute is None:
        return given
    if made is not None and made.counted:
        return Expr(f"try(coalesce({attribute.text}, {quoted(given)}), null)")
    return attribute


def _either(settings: IamSettings, made: Expr | None, given: str | Expr | None) -> str | Expr:
    create: bool | Expr = settings.create_node_role
    if isinstance(create, Expr) and made is not None:
        return Expr(f"{create.text} ? {made.text} : {'null' if given is None else quoted(given)}")
    found = given if made is None else made
    if found is None:
        raise ValueError("no node role is made and none is given")
    return found


def _attribute(placed: Placed | None, name: str) -> Expr | None:
    return None if placed is None else placed.attribute(name)
