"""Moto, put right where it differs from AWS and it matters here."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from moto import mock_aws
from moto.core.config import DefaultConfig
from moto.iam import models as iam_models
from moto.iam.aws_managed_policies import aws_managed_policies_data
from moto.sqs.models import Queue

_NEEDED = (
    "AmazonEC2ContainerRegistry",
    "AmazonEKS",
    "AmazonSSMManagedInstanceCore",
    "CloudWatchAgentServerPolicy",
)


@functools.cache
def _prepare() -> None:
    # AWS's own name is AWSServiceRoleForEC2Spot.
    iam_models.SERVICE_NAME_CONVERSION["spot"] = "EC2Spot"
    # Moto makes all 1,300 managed policies anew for each account: 0.6 s a test.
    policies = json.loads(aws_managed_policies_data)
    kept = {name: policy for name, policy in policies.items() if name.startswith(_NEEDED)}
    vars(iam_models)["aws_managed_policies_data"] = json.dumps(kept)


_set_queue_attributes = Queue._set_attributes


def _set_and_keep_policy(queue: Queue, attributes: dict[str, Any], *rest: Any) -> None:
    # Moto drops a queue's policy whenever another attribute is set; SQS does not.
    policy = attributes.get("Policy", getattr(queue, "policy", None))
    _set_queue_attributes(queue, {**attributes, "Policy": policy}, *rest)


@contextmanager
def mocked_aws() -> Iterator[None]:
    """A fresh AWS for the time of the block."""
    _prepare()
    managed: DefaultConfig = {"iam": {"load_aws_managed_policies": True}}
    with (
        mock.patch.object(Queue, "_set_attributes", _set_and_keep_policy),
        mock_aws(config=managed),
    ):
        yield
