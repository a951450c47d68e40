"""The cluster file as settings: what may be said about a cluster.

What may be chosen about the parts of an installation stands in their modules' options.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from modules.core.catalogue import DEFAULT_VERSION
from modules.core.inputs import Settings
from modules.core.rules import (
    ACCOUNT_ID,
    CLUSTER_NAME,
    IP_FAMILY,
    KUBERNETES_VERSION,
    REGION,
    Rule,
    pattern,
)
from modules.iam import IamOptions
from modules.provisioners import ProvisionerOptions
from modules.provisioners.add_on_settings import AddOnSettings
from modules.provisioners.lint.registry import BY_CODE as LINT_CODES
from modules.release import ReleaseOptions
from stacks.access_settings import PROFILE, AssumeRole, Backend, LocalBackend

STACK_ID = pattern(
    "stack_id",
    r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}",
    allowed="1 to 100 letters, digits, hyphens and underscores, beginning with a letter or digit",
    fix="choose a short name: it is what `deploy` takes, and names a folder",
)
TAG_KEY = Rule(
    "tag_key",
    "a tag key: 1 to 128 letters, digits, spaces and _ . : / = + - @, not beginning with aws:",
    "rename the tag",
    check=lambda key: (
        re.fullmatch(r"[\w\s.:/=+@-]{1,128}", key) is not None
        and not key.casefold().startswith("aws:")
    ),
)
TAG_VALUE = Rule(
    "tag_value",
    "a tag value: up to 256 letters, digits, spaces and _ . : / = + - @",
    "shorten it, or use other characters",
    check=lambda value: re.fullmatch(r"[\w\s.:/=+@-]{0,256}", value) is not None,
    json_schema={"maxLength": 256},
)
TAG_COUNT = Rule(
    "tag_count",
    "at most 50 tags, which is what AWS allows on a resource",
    "remove some",
    check=lambda tags: len(tags) <= 50,
    json_schema={"maxProperties": 50},
)
ADD_ON = pattern(
    "add_on",
    r"[A-Za-z][0-9A-Za-z_-]{0,62}",
    allowed="the name of an add-on: up to 63 letters, digits, hyphens and underscores, beginning "
    "with a letter",
    fix="write the name alone, such as coredns",
)
LINT_CODE = Rule(
    "lint_code",
    "the code of a lint rule, such as KPT101",
    "copy it from the message; `pipenv run explain` lists them all",
    check=lambda code: code in LINT_CODES,
)
REASON = pattern(
    "reason",
    r"\s*\S[\s\S]*",
    allowed="a reason in words",
    fix="write why the finding is right here",
)
LINTED = pattern(
    "linted",
    r"(nodeClasses|nodePools)\.\S+",
    allowed="a class or a pool, as nodeClasses.<name> or nodePools.<name>",
    fix="write where it stands, such as nodePools.default",
)
ANY_CLUSTER = Rule(
    "any_cluster",
    "at least one cluster",
    "add one, with its name, region and kubernetesVersion",
    check=lambda clusters: bool(clusters),
    json_schema={"minItems": 1},
)


class Suppress(Settings):
    """A finding of the lint rules that is known, and right here."""

    code: Annotated[str, LINT_CODE]
    """Code of the rule; `pipenv run explain` lists them."""

    reason: Annotated[str, REASON]
    """Why it is right, in words for whoever reads the file next."""

    objects: list[Annotated[str, LINTED]] = []
    """Objects that it is about, such as nodePools.default; by default all of the cluster."""


class ClusterSettings(ProvisionerOptions):
    """One cluster, and the Karpenter in it. It has the provisioners' options itself."""

    id: Annotated[str, STACK_ID] | None = None
    """Name of the stack. By default the cluster's name."""

    name: Annotated[str, CLUSTER_NAME]
    """Name of the EKS cluster."""

    region: Annotated[str, REGION]
    """Region of the cluster."""

    kubernetes_version: Annotated[str, KUBERNETES_VERSION]
    """Kubernetes minor version of the cluster, in quotes. A plan fails if it is another."""

    karpenter_version: str = DEFAULT_VERSION
    """Karpenter release to install, such as 1.14.2 or v1.14.2, or a line such as 1.14, which is
    its newest release."""

    accept_newer_version: bool = False
    """Whether a release newer than all known ones is taken to be like the newest of them."""

    upgrading_from: str | None = None
    """Karpenter release that runs in the cluster while an upgrade is under way; an upgrade that
    leaves out a release which it must go by is refused."""

    strict: bool = False
    """Whether what is only warned of otherwise is an error."""

    ip_family: Annotated[str, IP_FAMILY] = "ipv4"
    """IP family of the cluster: ipv4 or ipv6."""

    interruption_handling: bool | None = None
    """Whether Karpenter acts on spot interruptions, health events and instance state changes. By
    default it does where it can, from 0.19.0 on. It must where a pool may launch spot
    instances."""

    other_add_ons: list[Annotated[str, ADD_ON]] = []
    """Names of other add-ons of the cluster, such as coredns. Those that would get in Karpenter's
    way are refused."""

    tags: Annotated[dict[Annotated[str, TAG_KEY], Annotated[str, TAG_VALUE]], TAG_COUNT] = Field(
        default_factory=dict
    )
    """Tags of every AWS resource, and of everything that Karpenter launches."""

    profile: Annotated[str, PROFILE] | None = None
    """AWS profile to work with. By default the environment decides."""

    assume_role: AssumeRole | None = None
    """Role to take on in the cluster's account."""

    allowed_account_ids: list[Annotated[str, ACCOUNT_ID]] = Field(default_factory=list)
    """Accounts that may be worked in, in quotes. Anything else is refused."""

    backend: Backend = Backend(local=LocalBackend())
    """Where the state lies."""

    suppress: list[Suppress] = []
    """Findings of the lint rules that are not to be told."""

    iam: IamOptions = IamOptions()
    """Choices about roles, policies, queue and event rules."""

    release: ReleaseOptions = ReleaseOptions()
    """Choices about Karpenter's Helm releases."""

    add_on: AddOnSettings | None = None
    """A class and a pool of one name, in the style of the EKS blueprints' add-on; in place of
    nodeClasses and nodePools."""

    @property
    def stack_id(self) -> str:
        """Name of the stack."""
        return self.name if self.id is None else self.id


class ClusterFile(Settings):
    """A file of clusters."""

    clusters: Annotated[list[ClusterSettings], ANY_CLUSTER]
    """The clusters, one stack each."""
