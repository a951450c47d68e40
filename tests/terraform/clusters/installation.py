"""One cluster of a cluster file: its synthesized stack, its cluster in the stand-in, Terraform."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from modules.core import names
from stacks.rules import account_of
from stacks.settings import ClusterSettings
from tests.terraform.standin.standin import Standin
from tests.terraform.standin.terraform import Terraform
from tests.terraform.standin.world import ACCOUNT, EksCluster

CONTROLLER_ROLE = "aws_iam_role.iam_controller"
QUEUE = "aws_sqs_queue.iam_interruption"
CLASSES = "helm_release.provisioners_classes"


def account(cluster: ClusterSettings) -> str:
    """The account that the stack works in."""
    return account_of(cluster.assume_role.arn) if cluster.assume_role else ACCOUNT


class Installation:
    """What a test of one cluster stack works with.

    Args:
        settings: the cluster.
        directory: a copy of its synthesized stack, for this test alone. Its state lies in it,
            whatever backend the cluster has.
        make: makes a ``Terraform`` of a directory.
    """

    def __init__(
        self,
        settings: ClusterSettings,
        directory: Path,
        standin: Standin,
        make: Callable[..., Terraform],
    ) -> None:
        self.settings = settings
        self.directory = directory
        self.standin = standin
        self._make = make
        self.account = account(settings)

    def exists(self, **changed: Any) -> EksCluster:
        """Declare the cluster as its settings describe it, but for what is ``changed``."""
        settings = self.settings
        facts: dict[str, Any] = {
            "region": settings.region,
            "account": self.account,
            "version": settings.kubernetes_version,
            "ip_family": settings.ip_family,
            "oidc_provider": not settings.iam.create_oidc_provider,
        }
        if arn := settings.iam.node_role_arn:
            self._bring_role(arn)
        return self.standin.eks_cluster(settings.name, **{**facts, **changed})

    def _bring_role(self, arn: str) -> None:
        trust = {"Version": names.POLICY_VERSION, "Statement": []}
        self.client("iam").create_role(
            RoleName=arn.rpartition("/")[2], AssumeRolePolicyDocument=json.dumps(trust)
        )
        self.standin.given(arn)

    @cached_property
    def tf(self) -> Terraform:
        """Terraform in the stack's directory, initialised."""
        tf = self._make(self.directory)
        tf.init()
        return tf

    def client(self, service: str) -> Any:
        """A boto3 client in the cluster's account and region."""
        return self.standin.client(service, self.settings.region, self.account)

    def deployed(self) -> Installation:
        """Of a cluster that exists, with the stack applied."""
        self.exists()
        self.tf.apply()
        return self


def copied(synthesized: Path, directory: Path) -> Path:
    """A copy of a synthesized stack whose state lies in it."""
    shutil.copytree(synthesized, directory)
    local = {"terraform": {"backend": {"local": {"path": "terraform.tfstate"}}}}
    (directory / "backend_override.tf.json").write_text(json.dumps(local))
    return directory
