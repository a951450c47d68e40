"""Where the state of a cluster's stack lies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modules.core.expressions import template
from stacks.access_settings import AssumeRole, LocalBackend, S3Backend
from stacks.settings import ClusterSettings

TOP = Path(__file__).resolve().parent.parent
"""The project's top: local state lies here, so that another output folder does not lose it."""


def backend_block(cluster: ClusterSettings, stack_id: str, folder: Path) -> dict[str, Any]:
    """The `backend` block of a stack.

    Args:
        folder: where Terraform will run. A local path is written as seen from there, so that the
            output holds no path of one machine.
    """
    if s3 := cluster.backend.s3:
        return {"s3": _s3(cluster, s3, stack_id)}
    local = cluster.backend.local or LocalBackend()
    path = os.path.relpath(TOP / state_path(local, stack_id), folder.resolve())
    return {"local": {"path": template(Path(path).as_posix())}}


def state_path(local: LocalBackend, stack_id: str) -> str:
    """The path of a local state file, from the project's top."""
    return local.path or f"terraform.{stack_id}.tfstate"


def state_key(s3: S3Backend, stack_id: str) -> str:
    """The key of a state object."""
    return s3.key or f"karpenter/{stack_id}.tfstate"


def _s3(cluster: ClusterSettings, s3: S3Backend, stack_id: str) -> dict[str, Any]:
    block = {
        "bucket": s3.bucket,
        "region": s3.region or cluster.region,
        "key": state_key(s3, stack_id),
        "use_lockfile": s3.use_lockfile,
        "encrypt": s3.encrypt,
        "kms_key_id": s3.kms_key_id,
        "profile": s3.profile,
        "assume_role": _assume_role(s3.assume_role) if s3.assume_role else None,
    }
    return _given(block)


def _assume_role(role: AssumeRole) -> dict[str, Any]:
    block = {
        "role_arn": role.arn,
        "external_id": role.external_id,
        "session_name": role.session_name,
    }
    return _given(block)


def _given(block: Mapping[str, Any]) -> dict[str, Any]:
    """What is not null; texts as Terraform reads them, for which `${` begins an expression."""
    return {
        name: template(value) if isinstance(value, str) else value
        for name, value in block.items()
        if value is not None
    }
