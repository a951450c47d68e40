"""Plain Terraform addresses, and no two elements of one address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.cdk import (
    App,
    AwsProvider,
    Construct,
    SqsQueue,
    SqsQueuePolicy,
    TerraformAsset,
    Testing,
)
from stacks.base import PlainStack


def stack(*, drop_first_step: bool = False) -> PlainStack:
    made = PlainStack(App(), "example", drop_first_step=drop_first_step)
    AwsProvider(made, "aws")
    return made


def resources(made: PlainStack) -> dict[str, Any]:
    return json.loads(Testing.synth(made))["resource"]


@pytest.mark.parametrize(
    ("drop_first_step", "path", "name"),
    [
        (False, ["queue"], "queue"),
        (False, ["iam", "queue"], "iam_queue"),
        (False, ["iam", "node-role", "queue"], "iam_node_role_queue"),
        (False, ["iam", "queue.policy"], "iam_queue"),
        (True, ["queue"], "queue"),
        (True, ["iam", "queue"], "queue"),
        (True, ["iam", "node", "queue"], "node_queue"),
    ],
)
def test_a_logical_id_is_the_path_below_the_stack(
    drop_first_step: bool, path: list[str], name: str
) -> None:
    made = stack(drop_first_step=drop_first_step)
    scope: Construct = made
    for step in path[:-1]:
        scope = Construct(scope, step)
    queue = SqsQueue(scope, path[-1])
    assert queue.friendly_unique_id == name
    assert list(resources(made)["aws_sqs_queue"]) == [name]


def test_resources_of_different_types_may_share_a_name() -> None:
    made = stack()
    queue = SqsQueue(made, "interruption")
    SqsQueuePolicy(made, "interruption.policy", queue_url=queue.url, policy="{}")
    found = resources(made)
    assert list(found["aws_sqs_queue"]) == ["interruption"]
    assert list(found["aws_sqs_queue_policy"]) == ["interruption"]


def test_the_folder_of_an_asset_is_named_like_an_address(tmp_path: Path) -> None:
    asset = TerraformAsset(Construct(stack(), "chart"), "local", path=str(tmp_path), asset_hash="1")
    assert asset.path == "assets/chart_local/1"


@pytest.mark.parametrize(("first", "second"), [("a-b", "a_b"), ("a.x", "a.y"), ("node.a", "node")])
def test_two_resources_of_one_type_and_name_are_refused_with_both_paths(
    first: str, second: str
) -> None:
    made = stack()
    SqsQueue(made, first)
    SqsQueue(made, second)
    with pytest.raises(RuntimeError) as caught:
        resources(made)
    assert f"example/{first}" in str(caught.value)
    assert f"example/{second}" in str(caught.value)


@pytest.mark.parametrize("name", ["1st", "für", "a:b", ".a"])
def test_a_name_that_terraform_does_not_allow_is_refused(name: str) -> None:
    made = stack()
    SqsQueue(made, name)
    with pytest.raises(RuntimeError, match="letters, digits and underscores"):
        resources(made)
