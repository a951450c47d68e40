"""Limits of single settings: the last value that is allowed, and the first that is not."""

from __future__ import annotations

from typing import Any

import pytest

from modules.core.inputs import parse
from stacks.settings import ClusterSettings

FACTS: dict[str, Any] = {"name": "dev", "region": "us-west-2", "kubernetesVersion": "1.34"}
ROLE = "arn:aws:iam::222222222222:role/r"


def role(**more: str) -> dict[str, Any]:
    return {"assumeRole": {"arn": ROLE, **more}}


def s3(**more: Any) -> dict[str, Any]:
    return {"backend": {"s3": {"bucket": "states", **more}}}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"name": "n" * 100}, {"name": "n" * 101}),
        ({"name": "1-_"}, {"name": "-a"}),
        ({"id": "i" * 100}, {"id": "i" * 101}),
        ({"id": "0a"}, {"id": "_a"}),
        ({"region": "us-gov-west-1"}, {"region": "us-west"}),
        ({"kubernetesVersion": "1.30"}, {"kubernetesVersion": "1.3"}),
        ({"tags": {f"k{n}": "" for n in range(50)}}, {"tags": {f"k{n}": "" for n in range(51)}}),
        ({"tags": {"k" * 128: "v"}}, {"tags": {"k" * 129: "v"}}),
        ({"tags": {"k": "v" * 256}}, {"tags": {"k": "v" * 257}}),
        ({"tags": {"Größe + x/y=z@_.:-": "ü"}}, {"tags": {"a*": "v"}}),
        ({"tags": {"awsome": "v"}}, {"tags": {"aws:x": "v"}}),
        ({"tags": {"k": "v"}}, {"tags": {"": "v"}}),
        (role(sessionName="s" * 64), role(sessionName="s" * 65)),
        (role(sessionName="s" * 2), role(sessionName="s")),
        (role(externalId="x" * 1224), role(externalId="x" * 1225)),
        (role(externalId="x:/x"), role(externalId="x x")),
        ({"allowedAccountIds": ["012345678901"]}, {"allowedAccountIds": ["01234567890"]}),
        ({"profile": "my-profile"}, {"profile": "my profile"}),
        (s3(bucket="b" * 63), s3(bucket="b" * 64)),
        (s3(bucket="bbb"), s3(bucket="bb")),
        (s3(bucket="a.b-c"), s3(bucket="B-c")),
        (s3(key="a/b.tfstate"), s3(key="/a/b.tfstate")),
        (s3(key="k" * 1024), s3(key="k" * 1025)),
        (s3(key="k"), s3(key="k/")),
        (s3(kmsKeyId="alias/state"), s3(kmsKeyId="state")),
        ({"backend": {"local": {"path": "x"}}}, {"backend": {"local": {"path": ""}}}),
        ({"backend": {"local": {"path": "../x"}}}, {"backend": {"local": {"path": "x/"}}}),
        ({"drainTimeoutSeconds": 60}, {"drainTimeoutSeconds": 59}),
    ],
)
def test_a_limit_is_where_aws_has_it(right: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert parse(ClusterSettings, {**FACTS, **right})[1] == []
    found, faults = parse(ClusterSettings, {**FACTS, **wrong})
    assert found is None
    assert len(faults) == 1
