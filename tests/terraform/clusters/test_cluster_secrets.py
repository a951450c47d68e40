"""What should not be read by everyone who reads a plan stays out of it.

A stack takes no password, token or key: the helm provider asks the AWS CLI for a token at each
use, and charts are pulled without credentials. What is left is the external ID, which AWS does not
count among secrets ("How to use an external ID", IAM User Guide); it is in the configuration,
where the provider needs it, and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from stacks.access_settings import AssumeRole
from stacks.settings import ClusterSettings
from tests.terraform.clusters.cases import EXAMPLES, PLAIN, VARIANTS, named
from tests.terraform.clusters.conftest import Synthesize
from tests.terraform.clusters.installation import Installation
from tests.terraform.standin import schema

EXTERNAL_ID = "external-id-of-this-test"
ROLE = AssumeRole(
    arn="arn:aws:iam::222222222222:role/terraform",
    external_id=EXTERNAL_ID,
    session_name="session-of-this-test",
)


def test_an_external_id_is_in_the_configuration_and_nowhere_else(
    installation: Callable[..., Installation],
) -> None:
    cluster = installation(PLAIN.model_copy(update={"assume_role": ROLE}))
    cluster.exists()
    plan = cluster.tf.plan()
    assert EXTERNAL_ID in json.dumps(plan.document["configuration"]["provider_config"])
    shown = {part: body for part, body in plan.document.items() if part != "configuration"}
    applied = cluster.tf.apply()
    said = [
        plan.result.text,
        json.dumps(shown),
        applied.text,
        json.dumps(cluster.tf.show()),
        json.dumps(cluster.tf.output()),
        (cluster.directory / "terraform.tfstate").read_text(),
        str([release.values for release in cluster.standin.kubernetes.releases.values()]),
    ]
    assert all(ROLE.arn.split(":")[4] in text for text in said), "not what it should be about"
    assert [text for text in said if EXTERNAL_ID in text] == []


def secrets(block: dict[str, Any]) -> set[str]:
    """The attributes and blocks of a schema that hold a secret, at any depth."""
    attributes = {
        name
        for name, attribute in block.get("attributes", {}).items()
        if attribute.get("sensitive") or secrets(attribute.get("nested_type", {}))
    }
    nested = block.get("block_types", {}).items()
    return attributes | {name for name, kind in nested if secrets(kind["block"])}


def given_secrets(stack: dict[str, Any]) -> set[str]:
    """Secrets that a stack gives to a resource or has a data source read."""
    found = set()
    for type_name, instances in stack.get("resource", {}).items():
        known = secrets(schema.resource_block(type_name.partition("_")[0], type_name))
        found |= {
            f"{type_name}.{name}" for given in instances.values() for name in known & {*given}
        }
    for type_name in stack.get("data", {}):
        known = secrets(schema.data_block(type_name.partition("_")[0], type_name))
        found |= {f"data.{type_name}.{name}" for name in known}
    return found


@pytest.mark.parametrize("settings", named([*EXAMPLES, *VARIANTS]))
def test_no_stack_gives_or_reads_a_secret(
    synthesize: Synthesize, settings: ClusterSettings
) -> None:
    stack = json.loads((synthesize(settings) / "cdk.tf.json").read_text())
    assert {"helm_release", "aws_iam_role"} <= stack["resource"].keys()
    assert given_secrets(stack) == set()


@pytest.mark.parametrize(
    ("stack", "found"),
    [
        ({"resource": {"helm_release": {"a": {"repository_password": ""}}}}, "repository_password"),
        ({"resource": {"helm_release": {"a": {"set_sensitive": []}}}}, "set_sensitive"),
        ({"data": {"aws_eks_cluster_auth": {"a": {}}}}, "token"),
        ({"data": {"aws_ecrpublic_authorization_token": {"a": {}}}}, "password"),
    ],
)
def test_a_secret_would_be_found(stack: dict[str, Any], found: str) -> None:
    assert found in {name.rpartition(".")[2] for name in given_secrets(stack)}
