"""Everything outside Terraform: what a test sets up before a run and looks at after it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .faults import Faults
from .kubernetes import Kubernetes
from .log import CallLog
from .values import State

ACCOUNT = "123456789012"
# What a provider without ``region`` would take from AWS_REGION.
REGION = "us-west-2"


@dataclass(frozen=True)
class EksCluster:
    """An EKS cluster as ``data.aws_eks_cluster`` tells it. Moto is not asked for it."""

    name: str
    region: str = REGION
    account: str = ACCOUNT
    version: str = "1.34"
    authentication_mode: str = "API_AND_CONFIG_MAP"
    ip_family: str = "ipv4"
    issuer: str = ""
    endpoint: str = ""
    partition: str = "aws"
    status: str = "ACTIVE"
    tags: dict[str, str] = field(default_factory=dict)


class World:
    """State shared by the providers of one test. ``reset`` makes it new."""

    def __init__(self) -> None:
        self.log = CallLog()
        self.faults = Faults()
        # Moto's and Helm's libraries are not made for Terraform's ten parallel calls.
        self.backend_lock = threading.RLock()
        self.reset()

    def reset(self) -> None:
        self.log.clear()
        self.faults.clear()
        self.clusters: dict[tuple[str, str, str], EksCluster] = {}
        self.kubernetes = Kubernetes()
        # Objects that moto cannot hold: (type, id) -> attributes.
        self.state_only: dict[tuple[str, str], State] = {}
        # Answers of data sources that a test wants otherwise: type -> attributes.
        self.data: dict[str, dict[str, Any]] = {}
        # AWS accounts of named profiles; any other profile is in ACCOUNT.
        self.profiles: dict[str, str] = {}
        # Objects that a test made before the run and that are not leftovers.
        self.given: set[str] = set()
        # Credentials of assumed roles, so that moto's books don't grow with each run.
        self.credentials: dict[str, dict[str, str]] = {}
        # Where Terraform runs: relative paths are relative to it, as for a provider of its own.
        self.working_directory = Path.cwd()
