"""Settings of how a cluster is reached, and of where the state of its stack lies."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from modules.core.inputs import Settings
from modules.core.rules import REGION, ROLE_ARN, pattern

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
