"""The policies that an apply left in AWS allow what the controller needs, and nothing beyond.

`tests/policies` holds the evaluator against AWS's documentation.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from modules.core.catalogue import DEFAULT_VERSION
from tests.policies.evaluator import Decision, Request, decide
from tests.terraform.clusters.judged.applied import (
    FIRST_EXAMPLE,
    Applied,
    Document,
    at_release,
)
from tests.terraform.clusters.judged.conftest import GetApplied
from tests.terraform.clusters.judged.decisions import CASES, Case
from tests.terraform.clusters.judged.releases import every_release

CONTROLLER = "controller"


def decision(applied: Applied, case: Case) -> Decision:
    """What the policies say to a case."""
    decisions = [_decision(applied, case, resource) for resource in case.resources]
    refused = [each for each in decisions if each is not Decision.ALLOW]
    return refused[0] if refused else Decision.ALLOW


def _decision(applied: Applied, case: Case, resource: str) -> Decision:
    call = Request(case.action, resource, case.context, case.principal)
    if case.about != CONTROLLER:
        return decide(call, resource=applied.documents[case.about])
    to_queue = resource == applied.queue_arn
    return decide(
        call,
        identity=applied.controllers_documents,
        resource=applied.queue if to_queue else None,
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_request_is_decided_as_it_should(case: Case, applied: GetApplied) -> None:
    found = decision(applied(at_release(FIRST_EXAMPLE, DEFAULT_VERSION)), case)
    assert found is case.expected(DEFAULT_VERSION)


@every_release
def test_every_request_is_decided_so_at_each_release(version: str, applied: GetApplied) -> None:
    there = applied(at_release(FIRST_EXAMPLE, version))
    wrong = {
        str(case): found.value
        for case in CASES
        if (found := decision(there, case)) is not case.expected(version)
    }
    assert wrong == {}


def test_each_case_stands_once() -> None:
    assert len({str(case) for case in CASES}) == len(CASES)


def lessened(statement: Document) -> Iterator[tuple[str, Document | None]]:
    """The statement without some part of it, with a name for the part; None without all of it."""
    sid = statement["Sid"]
    yield sid, None
    for element in ("Action", "Resource"):
        for item in statement[element]:
            rest = [other for other in statement[element] if other != item]
            if rest:
                yield f"{sid}: {item}", {**statement, element: rest}
    for operator, keys in statement.get("Condition", {}).items():
        for key in keys:
            kept = {other: value for other, value in keys.items() if other != key}
            condition = {**statement["Condition"], operator: kept}
            yield f"{sid}: {operator} {key}", {**statement, "Condition": condition}


def test_no_part_of_the_controllers_policies_could_be_missing(applied: GetApplied) -> None:
    """The cases notice the loss of any statement, action, resource or condition."""
    there = applied(at_release(FIRST_EXAMPLE, DEFAULT_VERSION))
    unnoticed = [
        part
        for document in there.controllers_documents
        for statement in document["Statement"]
        for part, lesser in lessened(statement)
        for changed in [there.changed(statement, lesser)]
        if all(decision(changed, case) is case.expected(DEFAULT_VERSION) for case in CASES)
    ]
    assert unnoticed == []
