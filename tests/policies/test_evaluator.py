"""The evaluator, next to what IAM's user guide says of each element."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policies.evaluator import Decision, Request, decide

ALLOW, EXPLICIT, IMPLICIT = Decision.ALLOW, Decision.EXPLICIT_DENY, Decision.IMPLICIT_DENY
QUEUE = "arn:aws:sqs:eu-west-1:111122223333:q"
ROLE = "arn:aws:iam::111122223333:role/caller"


def document(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def statement(**changes: Any) -> dict[str, Any]:
    """The baseline, which allows `sqs:SendMessage` on the queue; None takes a key out."""
    base = {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": QUEUE, **changes}
    return {key: value for key, value in base.items() if value is not None}


def request(**changes: Any) -> Request:
    return Request(**{"action": "sqs:SendMessage", "resource": QUEUE, **changes})


def decided(given: dict[str, Any], **changes: Any) -> Decision:
    return decide(request(**changes), identity=[document(statement(**given))])


DENY = statement(Effect="Deny")
OTHER = statement(Action="sqs:ReceiveMessage")


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([], IMPLICIT),
        ([document(statement())], ALLOW),
        ([document(OTHER)], IMPLICIT),
        ([document(OTHER), document(statement())], ALLOW),
        ([document(OTHER, statement())], ALLOW),
        ([document(statement(), DENY)], EXPLICIT),
        ([document(DENY, statement())], EXPLICIT),
        ([document(statement()), document(DENY)], EXPLICIT),
        ([document(DENY)], EXPLICIT),
        ([document(statement(), statement(Effect="Deny", Action="sqs:ReceiveMessage"))], ALLOW),
        ([{"Version": "2012-10-17", "Statement": statement()}], ALLOW),
    ],
)
def test_an_explicit_deny_wins_over_an_allow_and_an_allow_over_nothing(
    documents: list[dict[str, Any]], expected: Decision
) -> None:
    assert decide(request(), identity=documents) is expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"Action": "sqs:SendMessage"}, ALLOW),
        ({"Action": "SQS:sendmessage"}, ALLOW),
        ({"Action": "sqs:SendMessages"}, IMPLICIT),
        ({"Action": "sqs:Send"}, IMPLICIT),
        ({"Action": "sns:SendMessage"}, IMPLICIT),
        ({"Action": ["sqs:ReceiveMessage", "sqs:SendMessage"]}, ALLOW),
        ({"Action": "sqs:Send*"}, ALLOW),
        ({"Action": "sqs:Receive*"}, IMPLICIT),
        ({"Action": "sqs:SendMessag?"}, ALLOW),
        ({"Action": "sqs:SendMessage?"}, IMPLICIT),
        ({"Action": "*"}, ALLOW),
        ({"Action": None, "NotAction": "sqs:ReceiveMessage"}, ALLOW),
        ({"Action": None, "NotAction": "sqs:*"}, IMPLICIT),
        ({"Resource": f"{QUEUE}.fifo"}, IMPLICIT),
        ({"Resource": QUEUE.upper()}, IMPLICIT),
        ({"Resource": "*"}, ALLOW),
        ({"Resource": "arn:aws:sqs:*:111122223333:*"}, ALLOW),
        ({"Resource": "arn:aws:sqs:us-*:111122223333:*"}, IMPLICIT),
        ({"Resource": ["arn:aws:sqs:us-east-1:111122223333:q", QUEUE]}, ALLOW),
        ({"Resource": None, "NotResource": QUEUE}, IMPLICIT),
        ({"Resource": None, "NotResource": f"{QUEUE}2"}, ALLOW),
    ],
)
def test_actions_and_resources(given: dict[str, Any], expected: Decision) -> None:
    assert decided(given) is expected


def test_an_action_without_a_resource_needs_a_star() -> None:
    assert decided({"Resource": "*"}, resource="*") is ALLOW
    assert decided({}, resource="*") is IMPLICIT


KEY = "aws:RequestTag/Team"

# operator, value of the policy, value of the request (None: it has no such key), whether it holds
OPERATORS: list[tuple[str, Any, Any, bool]] = [
    ("StringEquals", "a", "a", True),
    ("StringEquals", "a", "A", False),
    ("StringEquals", "a*", "ab", False),
    ("StringEquals", "a", None, False),
    ("StringEquals", ["a", "b"], "b", True),
    ("StringEquals", ["a", "b"], "c", False),
    ("StringNotEquals", "a", "b", True),
    ("StringNotEquals", "a", "a", False),
    ("StringNotEquals", "a", None, True),
    ("StringNotEquals", ["a", "b"], "b", False),
    ("StringEqualsIgnoreCase", "a", "A", True),
    ("StringEqualsIgnoreCase", "a", "b", False),
    ("StringNotEqualsIgnoreCase", "a", "A", False),
    ("StringNotEqualsIgnoreCase", "a", "b", True),
    ("StringLike", "a*", "ab", True),
    ("StringLike", "a?", "abc", False),
    ("StringLike", "*", "", True),
    ("StringLike", "*", None, False),
    ("StringLike", "a.c", "abc", False),
    ("StringNotLike", "a*", "ab", False),
    ("StringNotLike", "a*", "b", True),
    ("ArnEquals", "arn:aws:sqs:*:1:q", "arn:aws:sqs:eu-west-1:1:q", True),
    ("ArnLike", "arn:aws:sqs:*:1:q*", "arn:aws:sqs:eu-west-1:1:q:2", True),
    ("ArnLike", "arn:aws:sqs:*", "arn:aws:sqs:eu-west-1:1:q", False),
    ("ArnLike", "arn:aws:*:q", "arn:aws:sqs:eu-west-1:1:q", False),
    ("ArnNotEquals", "arn:aws:sqs:*:1:q", "arn:aws:sqs:eu-west-1:1:q", False),
    ("ArnNotLike", "arn:aws:sqs:*:1:q", "arn:aws:sqs:eu-west-1:2:q", True),
    ("Bool", "true", "true", True),
    ("Bool", True, "true", True),
    ("Bool", "false", "true", False),
    ("Bool", "false", None, False),
    ("NumericEquals", "5", "5.0", True),
    ("NumericEquals", 5, "6", False),
    ("NumericNotEquals", "5", "6", True),
    ("NumericNotEquals", "5", "5", False),
    ("NumericLessThan", "5", "4", True),
    ("NumericLessThan", "5", "5", False),
    ("NumericLessThanEquals", "5", "5", True),
    ("NumericLessThanEquals", "5", "6", False),
    ("NumericGreaterThan", "5", "6", True),
    ("NumericGreaterThan", "5", "5", False),
    ("NumericGreaterThanEquals", "5", "5", True),
    ("NumericGreaterThanEquals", "5", "4", False),
    ("DateEquals", "2026-12-01T00:00:00Z", "2026-12-01T01:00:00+01:00", True),
    ("DateEquals", "2026-12-01T00:00:00Z", "2026-12-01T01:00:00Z", False),
    ("DateNotEquals", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00", False),
    ("DateLessThan", "2026-12-01T00:00:00Z", "2026-11-30T00:00:00Z", True),
    ("DateLessThan", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z", False),
    ("DateLessThanEquals", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z", True),
    ("DateGreaterThan", "1795996800", "2026-12-02T00:00:00Z", True),
    ("DateGreaterThan", "1796083200", "2026-11-30T00:00:00Z", False),
    ("DateGreaterThanEquals", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z", True),
    ("IpAddress", "10.0.0.0/8", "10.1.2.3", True),
    ("IpAddress", "10.0.0.0/8", "11.1.2.3", False),
    ("IpAddress", "2001:db8::/32", "2001:db8::1", True),
    ("NotIpAddress", "10.0.0.0/8", "11.1.2.3", True),
    ("NotIpAddress", "10.0.0.0/8", "10.1.2.3", False),
    ("Null", "true", None, True),
    ("Null", "true", "a", False),
    ("Null", "false", "a", True),
    ("Null", False, None, False),
    ("StringEqualsIfExists", "a", None, True),
    ("StringEqualsIfExists", "a", "a", True),
    ("StringEqualsIfExists", "a", "b", False),
    ("BoolIfExists", "true", None, True),
    ("ForAllValues:StringEquals", ["a", "b"], ["a"], True),
    ("ForAllValues:StringEquals", ["a", "b"], ["a", "c"], False),
    ("ForAllValues:StringEquals", ["a", "b"], [], True),
    ("ForAllValues:StringEquals", ["a", "b"], None, True),
    ("ForAllValues:StringEquals", ["a", "b"], "a", True),
    ("ForAllValues:StringNotEquals", ["a"], ["b", "c"], True),
    ("ForAllValues:StringNotEquals", ["a"], ["a", "c"], False),
    ("ForAnyValue:StringEquals", ["a", "b"], ["a", "c"], True),
    ("ForAnyValue:StringEquals", ["a", "b"], ["c"], False),
    ("ForAnyValue:StringEquals", ["a", "b"], [], False),
    ("ForAnyValue:StringEquals", ["a", "b"], None, False),
    ("ForAnyValue:StringNotEquals", ["a"], ["a", "c"], True),
    ("ForAnyValue:StringNotEquals", ["a"], ["a"], False),
    ("ForAnyValue:StringNotEquals", ["a"], None, False),
]


@pytest.mark.parametrize(("operator", "wanted", "given", "expected"), OPERATORS)
def test_operators_of_conditions(operator: str, wanted: Any, given: Any, expected: bool) -> None:
    context = {} if given is None else {KEY: given}
    made = decided({"Condition": {operator: {KEY: wanted}}}, context=context)
    assert made is (ALLOW if expected else IMPLICIT)


def test_the_condition_of_a_deny_is_judged_too() -> None:
    denied = statement(Effect="Deny", Condition={"Bool": {"aws:SecureTransport": "false"}})
    policies = [document(statement(), denied)]
    for secure, expected in (("false", EXPLICIT), ("true", ALLOW)):
        call = request(context={"aws:SecureTransport": secure})
        assert decide(call, identity=policies) is expected


BOTH = {"StringEquals": {KEY: "a", "aws:RequestedRegion": "r"}, "Bool": {"x:Y": "true"}}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ALLOW),
        ({KEY: "b"}, IMPLICIT),
        ({"aws:RequestedRegion": "s"}, IMPLICIT),
        ({"x:Y": "false"}, IMPLICIT),
    ],
)
def test_every_key_of_every_operator_must_hold(changes: dict[str, str], expected: Decision) -> None:
    context = {KEY: "a", "aws:RequestedRegion": "r", "x:Y": "true", **changes}
    assert decided({"Condition": BOTH}, context=context) is expected


def test_condition_keys_have_no_case_but_values_do() -> None:
    given = {"Condition": {"StringEquals": {KEY.lower(): "a"}}}
    assert decided(given, context={KEY.upper(): "a"}) is ALLOW
    assert decided(given, context={KEY.upper(): "A"}) is IMPLICIT


@pytest.mark.parametrize(
    ("given", "context", "expected"),
    [
        ({"Resource": "arn:aws:sqs:eu-west-1:111122223333:${aws:username}"}, "q", ALLOW),
        ({"Resource": "arn:aws:sqs:eu-west-1:111122223333:${aws:username}"}, "p", IMPLICIT),
        ({"Resource": "arn:aws:sqs:eu-west-1:111122223333:${aws:username}"}, None, IMPLICIT),
        ({"Resource": "arn:aws:sqs:eu-west-1:111122223333:${aws:username, 'q'}"}, None, ALLOW),
        ({"Resource": "arn:aws:sqs:eu-west-1:111122223333:${aws:username, 'q'}"}, "p", IMPLICIT),
        ({"Condition": {"StringEquals": {"aws:UserName": "${aws:username}"}}}, "q", ALLOW),
        ({"Condition": {"StringEquals": {"aws:UserName": "${$}{aws:username}"}}}, "q", IMPLICIT),
    ],
)
def test_variables_stand_for_what_the_request_has(
    given: dict[str, Any], context: str | None, expected: Decision
) -> None:
    assert decided(given, context={} if context is None else {"aws:username": context}) is expected


SERVICE = ("Service", "events.amazonaws.com")
PROVIDER = ("Federated", "arn:aws:iam::111122223333:oidc-provider/host")
CALLER = ("AWS", ROLE)


@pytest.mark.parametrize(
    ("element", "principal", "expected"),
    [
        ({"Service": "events.amazonaws.com"}, SERVICE, ALLOW),
        ({"Service": ["sqs.amazonaws.com", "events.amazonaws.com"]}, SERVICE, ALLOW),
        ({"Service": "sqs.amazonaws.com"}, SERVICE, IMPLICIT),
        ({"AWS": "events.amazonaws.com"}, SERVICE, IMPLICIT),
        ({"Federated": PROVIDER[1]}, PROVIDER, ALLOW),
        ({"Federated": f"{PROVIDER[1]}2"}, PROVIDER, IMPLICIT),
        ({"AWS": ROLE}, CALLER, ALLOW),
        ({"AWS": f"{ROLE}2"}, CALLER, IMPLICIT),
        ({"AWS": "111122223333"}, CALLER, ALLOW),
        ({"AWS": "arn:aws:iam::111122223333:root"}, CALLER, ALLOW),
        ({"AWS": "arn:aws:iam::999999999999:root"}, CALLER, IMPLICIT),
        ({"AWS": "*"}, CALLER, ALLOW),
        ("*", SERVICE, ALLOW),
        ("*", CALLER, ALLOW),
    ],
)
def test_principals_of_a_resources_policy(
    element: object, principal: tuple[str, str], expected: Decision
) -> None:
    policy = document(statement(Principal=element))
    assert decide(request(principal=principal), resource=policy) is expected
    inverse = document(statement(NotPrincipal=element))
    other = IMPLICIT if expected is ALLOW else ALLOW
    assert decide(request(principal=principal), resource=inverse) is other


def test_either_policy_may_allow_and_each_may_deny() -> None:
    call = request(principal=CALLER)
    own, others = document(statement()), document(OTHER)
    of_queue = document(statement(Principal="*"))
    denying = document(statement(Principal="*", Effect="Deny"))
    assert decide(call, identity=[others], resource=of_queue) is ALLOW
    silent = document(statement(Principal={"Service": SERVICE[1]}))
    assert decide(call, identity=[own], resource=silent) is ALLOW
    assert decide(call, identity=[others], resource=silent) is IMPLICIT
    assert decide(call, identity=[own], resource=denying) is EXPLICIT


def test_a_trust_policy_names_no_resource() -> None:
    trust = document({"Effect": "Allow", "Principal": {"AWS": ROLE}, "Action": "sts:AssumeRole"})
    call = Request("sts:AssumeRole", "arn:aws:iam::111122223333:role/r", principal=CALLER)
    assert decide(call, resource=trust) is ALLOW


@pytest.mark.parametrize(
    ("given", "context", "message"),
    [
        ({"Condition": {"StringIs": {KEY: "a"}}}, {KEY: "a"}, "unknown operator StringIs"),
        ({"Condition": {"StringEquals": {KEY: "a"}}}, {KEY: ["a"]}, "needs a set operator"),
        ({"Resource": "${*}"}, {}, "is not judged"),
        ({"Action": None}, {}, "neither Action nor NotAction"),
        ({"Resource": None}, {}, "names a resource"),
        ({"Principal": "*"}, {}, "names no principal"),
    ],
)
def test_what_it_cannot_judge_is_told(
    given: dict[str, Any], context: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        decided(given, context=context)


@pytest.mark.parametrize(
    ("policy", "principal", "message"),
    [
        (document(statement(Principal="*")), None, "who calls"),
        (document(statement()), CALLER, "names a principal"),
        (document(statement(Principal="x")), CALLER, "is no principal"),
        ({"Version": "2008-10-17", "Statement": []}, CALLER, "only policies of version"),
    ],
)
def test_what_it_cannot_judge_of_a_resource_is_told(
    policy: dict[str, Any], principal: tuple[str, str] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        decide(request(principal=principal), resource=policy)
