"""Which JSON differences are changes, and what aws_iam_policy_document writes."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest
from tf.gen import tfplugin_pb2 as pb

from tests.terraform.standin import values
from tests.terraform.standin.aws.policy_document import render
from tests.terraform.standin.documents import equivalent
from tests.terraform.standin.errors import ProviderError
from tests.terraform.standin.values import UNKNOWN


def _policy(**changes: Any) -> str:
    statement = {
        "Effect": "Allow",
        "Action": ["sqs:SendMessage", "sqs:ReceiveMessage"],
        "Resource": "arn:aws:sqs:us-west-2:123456789012:demo",
        "Condition": {"Bool": {"aws:SecureTransport": "true"}},
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [{**statement, **changes}]})


@pytest.mark.parametrize(
    ("attribute", "other", "same"),
    [
        pytest.param("policy", _policy(), True, id="the same text"),
        pytest.param("policy", json.dumps(json.loads(_policy()), indent=4), True, id="white space"),
        pytest.param(
            "policy",
            _policy(Action=["sqs:ReceiveMessage", "sqs:SendMessage"]),
            True,
            id="order of actions",
        ),
        pytest.param(
            "policy",
            _policy(Resource=["arn:aws:sqs:us-west-2:123456789012:demo"]),
            True,
            id="a list of one",
        ),
        pytest.param(
            "policy",
            _policy(Condition={"Bool": {"aws:securetransport": True}}),
            True,
            id="case of a condition key and a bare true",
        ),
        pytest.param("policy", _policy(Action="sqs:*"), False, id="another action"),
        pytest.param("policy", _policy(Effect="Deny"), False, id="another effect"),
        pytest.param(
            "policy",
            _policy(Condition={"Bool": {"aws:SecureTransport": "false"}}),
            False,
            id="another condition value",
        ),
        pytest.param("policy", "not JSON", False, id="no JSON"),
        pytest.param("name", _policy(), False, id="an attribute that holds no JSON"),
    ],
)
def test_equivalence_of_policies(attribute: str, other: str, same: bool) -> None:
    assert equivalent(attribute, _policy(), other) is same


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ('{ "source": ["aws.ec2"], "detail-type": ["a", "b"] }', True),
        ('{"detail-type": ["a", "b"], "source": ["aws.ec2"]}', True),
        ('{"detail-type": ["b", "a"], "source": ["aws.ec2"]}', False),
        ('{"detail-type": ["a"], "source": ["aws.ec2"]}', False),
    ],
)
def test_equivalence_of_event_patterns(other: str, same: bool) -> None:
    pattern = '{"source": ["aws.ec2"], "detail-type": ["a", "b"]}'
    assert equivalent("event_pattern", pattern, other) is same


def _document(**config: Any) -> Any:
    return json.loads(render(config)["json"])


STATEMENT: dict[str, Any] = {"sid": "One", "actions": ["s3:GetObject"], "resources": ["*"]}


def test_a_statement_is_written_as_the_provider_writes_it() -> None:
    statement = {
        **STATEMENT,
        "actions": ["a:A", "a:B"],
        "resources": ["arn:aws:iam::1:user/&{aws:username}"],
        "principals": [
            {"type": "Service", "identifiers": ["events.amazonaws.com"]},
            {"type": "AWS", "identifiers": ["1", "2"]},
        ],
        "condition": [
            {"test": "StringEquals", "variable": "b", "values": ["1"]},
            {"test": "StringEquals", "variable": "a", "values": ["2", "1"]},
        ],
    }
    assert _document(statement=[statement]) == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "One",
                "Effect": "Allow",
                "Action": ["a:B", "a:A"],
                "Resource": "arn:aws:iam::1:user/${aws:username}",
                "Principal": {"AWS": ["2", "1"], "Service": "events.amazonaws.com"},
                "Condition": {"StringEquals": {"a": ["2", "1"], "b": "1"}},
            }
        ],
    }


def test_everyone_as_principal_is_a_bare_star() -> None:
    everyone = [{"type": "*", "identifiers": ["*"]}]
    document = _document(statement=[{**STATEMENT, "principals": everyone}])
    assert document["Statement"][0]["Principal"] == "*"


def test_documents_are_merged_by_sid() -> None:
    source = render({"statement": [STATEMENT, {**STATEMENT, "sid": "Two"}]})["json"]
    override = render({"statement": [{**STATEMENT, "effect": "Deny"}]})["json"]
    merged = _document(
        source_policy_documents=[source],
        statement=[{**STATEMENT, "sid": "Two", "effect": "Deny"}],
        override_policy_documents=[override],
    )
    effects = {item["Sid"]: item["Effect"] for item in merged["Statement"]}
    assert effects == {"One": "Deny", "Two": "Deny"}


def test_a_sid_twice_is_refused() -> None:
    with pytest.raises(ProviderError, match=r"duplicate Sid \(One\)"):
        render({"statement": [STATEMENT, STATEMENT]})


@pytest.mark.parametrize("extension", [0, 12])
def test_plain_and_refined_unknowns_are_read(extension: int) -> None:
    packed = msgpack.packb({"a": msgpack.ExtType(extension, b"\0"), "b": 300.0, "c": [1.5]})
    assert values.load(pb.DynamicValue(msgpack=packed)) == {"a": UNKNOWN, "b": 300, "c": [1.5]}


def test_values_survive_the_wire() -> None:
    value = {"a": UNKNOWN, "b": [None, "x", True, 1], "c": {}}
    assert values.load(values.dump(value)) == value


@pytest.mark.parametrize(
    ("value", "expected"), [({"a": [UNKNOWN]}, True), ({"a": [1]}, False), (UNKNOWN, True)]
)
def test_an_unknown_is_found_anywhere(value: Any, expected: bool) -> None:
    assert values.has_unknown(value) is expected
