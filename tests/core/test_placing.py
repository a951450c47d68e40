"""Literal switches leave nothing to Terraform; expressions become counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from modules.core.expressions import Expr
from modules.core.placing import Placed, depend, for_each, place, require, when


@dataclass
class Resource:
    """Stands for a CDKTF element."""

    terraform_resource_type: str = "aws_iam_role"
    friendly_unique_id: str = "node"
    overrides: dict[str, Any] = field(default_factory=dict)

    def add_override(self, path: str, value: Any) -> None:
        self.overrides[path] = value


def refuse() -> Resource:
    raise AssertionError("nothing is to be made")


def test_a_literal_false_makes_nothing() -> None:
    assert when(False, refuse) is None


def test_a_literal_true_makes_a_plain_resource() -> None:
    made = Resource()
    assert when(True, lambda: made) == Placed("aws_iam_role.node")
    assert made.overrides == {}


def test_an_expression_counts_the_resource() -> None:
    made = Resource()
    assert when(Expr("var.a && var.b"), lambda: made) == Placed("aws_iam_role.node", counted=True)
    assert made.overrides == {"count": "${var.a && var.b ? 1 : 0}"}


@pytest.mark.parametrize(
    ("placed", "text"),
    [
        (Placed("aws_iam_role.node"), "aws_iam_role.node.arn"),
        (Placed("aws_iam_role.node", counted=True), "one(aws_iam_role.node[*].arn)"),
    ],
)
def test_an_attribute_is_a_reference(placed: Placed, text: str) -> None:
    assert placed.attribute("arn") == Expr(text)


def test_data_sources_have_their_own_addresses() -> None:
    assert place(Resource(), data=True).address == "data.aws_iam_role.node"
    placed = when(True, Resource, data=True)
    assert placed is not None
    assert placed.address == "data.aws_iam_role.node"


@pytest.mark.parametrize(
    ("values", "override"),
    [
        ({"a": "x", "b": "${y}"}, {"a": "x", "b": "$${y}"}),
        (Expr("var.arns"), "${var.arns}"),
        ({}, {}),
    ],
)
def test_each_entry_is_an_instance(values: Any, override: object) -> None:
    made = Resource()
    assert for_each(made, values) == Placed("aws_iam_role.node")
    assert made.overrides == {"for_each": override}


def test_dependencies_are_addresses_of_what_is_there() -> None:
    made, free = Resource(), Resource()
    depend(made, [Placed("aws_sqs_queue.q"), None])
    depend(free, [None])
    assert made.overrides == {"depends_on": ["aws_sqs_queue.q"]}
    assert free.overrides == {}


def test_preconditions_have_literal_messages() -> None:
    made, free = Resource(), Resource()
    require(made, [(Expr("var.a"), "use ${b}")])
    require(free, [])
    assert made.overrides == {
        "lifecycle.precondition": [{"condition": "${var.a}", "error_message": "use $${b}"}]
    }
    assert free.overrides == {}
