"""Rules on single values, each written once for both products.

A rule has a Python predicate (cluster stacks, where facts are literal), a Terraform
condition (published modules, where they are variables) and one message. Attach a rule to
a setting with `Annotated`; pydantic applies the predicate, the published modules emit the
condition as a `validation` block.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

REFUSED = "is not allowed"
"""The problem of a value that a rule refuses."""


@dataclass(frozen=True)
class Rule:
    """What a value must be.

    Args:
        id: a plain name, unique among the rules.
        allowed: what is allowed, one phrase without a final stop.
        fix: what to do about a value that is not, likewise.
        check: whether a literal is allowed.
        condition: the same in Terraform; `{v}` stands for the value. None where Terraform
            cannot express it.
        json_schema: what editors can check of it.
    """

    id: str
    allowed: str
    fix: str
    check: Callable[[Any], bool]
    condition: str | None = None
    json_schema: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)

    @property
    def message(self) -> str:
        """What a published module says of a value that is refused, after where it is."""
        return f"Allowed: {self.allowed}. Fix: {self.fix}."

    def terraform(self, reference: str) -> str:
        """The condition on what `reference` names.

        Raises:
            ValueError: Terraform cannot express this rule.
        """
        if self.condition is None:
            raise ValueError(f"rule {self.id} has no Terraform condition")
        return self.condition.replace("{v}", reference)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def check(value: Any) -> Any:
            if not self.check(value):
                # Who makes settings in Python sees this text.
                raise PydanticCustomError(
                    "rule",
                    f"{REFUSED}. Allowed: {{allowed}}. Fix: {{fix}}.",
                    {"allowed": self.allowed, "fix": self.fix},
                )
            return value

        return core_schema.no_info_after_validator_function(check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), **self.json_schema}


def pattern(id: str, regex: str, *, allowed: str, fix: str) -> Rule:
    """A rule on text: the whole of it matches `regex` (the syntax that RE2 and Python share)."""
    compiled = re.compile(regex)
    escaped = regex.replace("\\", "\\\\").replace('"', '\\"')
    return Rule(
        id,
        allowed,
        fix,
        check=lambda value: compiled.fullmatch(value) is not None,
        condition=f'can(regex("^(?:{escaped})$", {{v}}))',
        json_schema={"pattern": f"^(?:{regex})$"},
    )


def between(id: str, low: int, high: int, *, unit: str, fix: str) -> Rule:
    """A rule on whole numbers: both ends are allowed."""
    return Rule(
        id,
        f"a whole number of {unit} from {low} to {high}",
        fix,
        check=lambda value: low <= value <= high,
        condition=f"{{v}} >= {low} && {{v}} <= {high} && floor({{v}}) == {{v}}",
        json_schema={"minimum": low, "maximum": high},
    )


def one_of(id: str, values: tuple[str, ...], *, fix: str) -> Rule:
    """A rule on text: one of a few words."""
    listed = ", ".join(f'"{value}"' for value in values)
    return Rule(
        id,
        f"one of {', '.join(values)}",
        fix,
        check=lambda value: value in values,
        condition=f"contains([{listed}], {{v}})",
        json_schema={"enum": list(values)},
    )


CLUSTER_NAME = pattern(
    "cluster_name",
    r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}",
    allowed="an EKS cluster name: 1 to 100 letters, digits, hyphens and underscores, "
    "beginning with a letter or digit",
    fix="give the name that `aws eks list-clusters` shows",
)
REGION = pattern(
    "region",
    r"[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}",
    allowed="an AWS region code, such as us-west-2",
    fix="give the region's code, not its name or a zone",
)
ACCOUNT_ID = pattern(
    "account_id",
    r"[0-9]{12}",
    allowed="an AWS account id: 12 digits",
    fix="write all 12 digits in quotes, with leading zeros",
)
KUBERNETES_VERSION = pattern(
    "kubernetes_version",
    r"1\.[0-9]{2}",
    allowed='a Kubernetes minor version, such as "1.34"',
    fix='write the minor version in quotes, as `aws eks describe-cluster` shows it: "1.34"',
)
ROLE_NAME = pattern(
    "role_name",
    r"[0-9A-Za-z+=,.@_-]{1,64}",
    allowed="an IAM role name: 1 to 64 letters, digits and + = , . @ _ -",
    fix="shorten the name, or leave it out to have one made from the cluster's name",
)
NAME_AFFIX = pattern(
    "name_affix",
    r"[0-9A-Za-z_-]{0,32}",
    allowed="up to 32 letters, digits, hyphens and underscores",
    fix="use characters that IAM, SQS and EventBridge all allow",
)
INSTANCE_PROFILE_NAME = pattern(
    "instance_profile_name",
    r"[0-9A-Za-z+=,.@_-]{1,128}",
    allowed="the name of an instance profile, without path: 1 to 128 letters, digits and "
    "+ = , . @ _ -",
    fix="give the name alone, neither the ARN nor the path",
)
QUEUE_NAME = pattern(
    "queue_name",
    r"[0-9A-Za-z_-]{1,80}",
    allowed="an SQS queue name (no ARN, no URL): 1 to 80 letters, digits, hyphens and underscores",
    fix="give the name alone, or leave it out to have one made from the cluster's name",
)
IAM_PATH = pattern(
    "iam_path",
    r"/|/[!-~]{1,510}/",
    allowed="an IAM path that begins and ends with a slash, up to 512 characters",
    fix="write it like /platform/",
)
ROLE_ARN = pattern(
    "role_arn",
    r"arn:aws[0-9a-z-]*:iam::[0-9]{12}:role/[!-~]{1,576}",
    allowed="the ARN of an IAM role",
    fix="copy it from `aws iam get-role`",
)
POLICY_ARN = pattern(
    "policy_arn",
    r"arn:aws[0-9a-z-]*:iam::(aws|[0-9]{12}):policy/[!-~]{1,640}",
    allowed="the ARN of an IAM managed policy",
    fix="copy it from `aws iam list-policies`",
)
OIDC_ISSUER = pattern(
    "oidc_issuer",
    r"(?:https://|arn:aws[0-9a-z-]*:iam::[0-9]{12}:oidc-provider/)?"
    r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+(?:/[0-9A-Za-z._~-]+)*",
    allowed="the cluster's OIDC issuer as a URL (https://…), as a host with path, "
    "or as the ARN of its IAM provider",
    fix="copy identity.oidc.issuer from `aws eks describe-cluster`",
)
IP_FAMILY = one_of(
    "ip_family", ("ipv4", "ipv6"), fix="give the cluster's own IP family; it never changes"
)
NAMESPACE = pattern(
    "namespace",
    r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
    allowed="a Kubernetes namespace: 1 to 63 lower-case letters, digits and hyphens, "
    "beginning and ending with a letter or digit",
    fix="use kube-system unless you have a reason not to",
)
SUBDOMAIN = pattern(
    "subdomain",
    r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?",
    allowed="a Kubernetes object name: lower-case letters, digits, hyphens and dots, "
    "each part beginning and ending with a letter or digit",
    fix="write it in lower case, with hyphens between words",
)
