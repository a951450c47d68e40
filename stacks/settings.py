"""The cluster file as settings: what may be said about a cluster, and about where its state lies.

What may be chosen about the parts of an installation stands in their modules' options.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from modules.core.catalogue import DEFAULT_VERSION
from modules.core.inputs import Settings
from modules.core.rules import (
    ACCOUNT_ID,
    CLUSTER_NAME,
    IP_FAMILY,
    KUBERNETES_VERSION,
    REGION,
    ROLE_ARN,
    Rule,
    pattern,
)
from modules.iam import IamOptions
from modules.provisioners import ProvisionerOptions
from modules.provisioners.add_on_settings import AddOnSettings
from modules.provisioners.lint.registry import BY_CODE as LINT_CODES
from modules.release import ReleaseOptions

STACK_ID = pattern(
    "stack_id",
    r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}",
    allowed="1 to 100 letters, digits, hyphens and underscores, beginning with a letter or digit",
    fix="choose a short name: it is what `deploy` takes, and names a folder",
)
PROFILE = pattern(
    "profile",
    r"[^\s\[\]]+",
    allowed="the name of an AWS profile, without spaces and brackets",
    fix="give a name that `aws configure list-profiles` shows",
)
EXTERNAL_ID = pattern(
    "external_id",
    r"[0-9A-Za-z+=,.@:/_-]{2,1224}",
    allowed="an external ID: 2 to 1,224 letters, digits and + = , . @ : / _ -",
    fix="copy it from the trust policy of the role",
)
SESSION_NAME = pattern(
    "session_name",
    r"[0-9A-Za-z+=,.@_-]{2,64}",
    allowed="a role session name: 2 to 64 letters, digits and + = , . @ _ -",
    fix="shorten it, or leave it out",
)
STATE_PATH = pattern(
    "state_path",
    r"[^\s~].*[^/]|[^\s~/.]",
    allowed="the path of a file, seen from the project's top",
    fix="write it like state/my-cluster.tfstate; ~ is not expanded",
)
BUCKET = pattern(
    "bucket",
    r"[0-9a-z][0-9a-z.-]{1,61}[0-9a-z]",
    allowed="the name of an S3 bucket: 3 to 63 lower-case letters, digits, hyphens and dots",
    fix="give the name alone, without s3:// and without a key",
)
OBJECT_KEY = pattern(
    "object_key",
    r"[^/](.{0,1022}[^/])?",
    allowed="the key of an S3 object, which neither begins nor ends with a slash",
    fix="write it like karpenter/my-cluster.tfstate",
)
KMS_KEY = pattern(
    "kms_key",
    r"arn:aws[0-9a-z-]*:kms:\S+|[0-9a-f-]{36}|mrk-[0-9a-f]{32}|alias/\S+",
    allowed="the ARN, the id or the alias of a KMS key",
    fix="copy it from `aws kms describe-key`",
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


class AssumeRole(Settings):
    """A role to take on before anything is done."""

    arn: Annotated[str, ROLE_ARN]
    """ARN of the role."""

    external_id: Annotated[str, EXTERNAL_ID] | None = None
    """External ID that the role's trust policy asks for. `aws eks get-token` cannot pass one, so
    Helm must be able to take on the role without it."""

    session_name: Annotated[str, SESSION_NAME] | None = None
    """Name that the session gets in CloudTrail."""


class LocalBackend(Settings):
    """State in a file on this machine."""

    path: Annotated[str, STATE_PATH] | None = None
    """Path of the state file, from the project's top. By default terraform.<id>.tfstate."""


class S3Backend(Settings):
    """State in an S3 bucket, locked there too."""

    bucket: Annotated[str, BUCKET]
    """Name of the bucket."""

    region: Annotated[str, REGION] | None = None
    """Region of the bucket. By default the cluster's."""

    key: Annotated[str, OBJECT_KEY] | None = None
    """Key of the state. By default karpenter/<id>.tfstate; every cluster needs its own."""

    use_lockfile: bool = True
    """Whether runs lock the state, by an object beside it."""

    encrypt: bool = True
    """Whether S3 encrypts the state."""

    kms_key_id: Annotated[str, KMS_KEY] | None = None
    """KMS key to encrypt the state with. By default the bucket's."""

    profile: Annotated[str, PROFILE] | None = None
    """AWS profile for the bucket. The cluster's own is not used for it."""

    assume_role: AssumeRole | None = None
    """Role to take on for the bucket. The cluster's own is not used for it."""


class Backend(Settings):
    """Where the state lies: exactly one of the two."""

    local: LocalBackend | None = None
    """A file on this machine."""

    s3: S3Backend | None = None
    """A bucket."""

    @model_validator(mode="after")
    def _one(self) -> Backend:
        if (self.local is None) == (self.s3 is None):
            raise PydanticCustomError(
                "fault",
                "does not name one kind of backend",
                {"allowed": "either local or s3", "fix": "write s3 with a bucket under it"},
            )
        return self


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
