"""Moto, with the few AWS managed policies that a cluster needs."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from contextlib import contextmanager

from moto import mock_aws
from moto.iam import models as iam_models
from moto.iam.aws_managed_policies import aws_managed_policies_data

_NEEDED = ("AmazonEC2ContainerRegistry", "AmazonEKS", "AmazonSSMManagedInstanceCore")


@functools.cache
def _keep_needed_policies() -> None:
    # Moto makes all 1,300 managed policies anew for each account: 0.6 s a test.
    policies = json.loads(aws_managed_policies_data)
    kept = {name: policy for name, policy in policies.items() if name.startswith(_NEEDED)}
    vars(iam_models)["aws_managed_policies_data"] = json.dumps(kept)


@contextmanager
def mocked_aws() -> Iterator[None]:
    """A fresh AWS for the time of the block."""
    _keep_needed_policies()
    with mock_aws(config={"iam": {"load_aws_managed_policies": True}}):
        yield
