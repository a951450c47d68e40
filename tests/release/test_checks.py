"""Values and settings that do not fit a Karpenter release, judged by Python."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.core.faults import InvalidInput, dotted
from modules.core.inputs import parse
from modules.release.checks import check, check_values, checked
from modules.release.settings import ReleaseOptions, ReleaseSettings
from tests.release.cases import CASES, Case

BASELINE: dict[str, Any] = {
    "cluster_name": "demo",
    "karpenter_version": "1.14.2",
    "cluster_endpoint": "https://demo.example",
    "controller_role_arn": "arn:aws:iam::111122223333:role/karpenter",
    "queue_name": "karpenter-demo",
}


def settings(**changes: object) -> ReleaseSettings:
    return ReleaseSettings.model_validate({**BASELINE, **changes})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_judged_with_path_and_fix(case: Case) -> None:
    faults = check_values(case.values, RELEASES[case.version])
    found = {dotted(fault.path): fault.fix for fault in faults}
    assert found.keys() == case.faults.keys()
    assert len(found) == len(faults)
    assert {path: fix for path, fix in found.items() if case.faults[path] not in fix} == {}


def test_a_fault_shows_value_path_and_what_is_allowed() -> None:
    options = ReleaseOptions(values={"settings": {"batchMaxDuration": 10}})
    [fault] = check(options, RELEASES["1.14.2"])
    assert str(fault).splitlines() == [
        "values.settings.batchMaxDuration: is of the wrong kind",
        "    got:     10",
        '    allowed: a duration as text, such as "10s"',
        '    fix:     write it with its unit and in quotes: "10s"',
    ]


def test_an_unknown_key_lists_the_known_ones_of_its_level() -> None:
    [fault] = check_values({"affinity": {"nodes": {}}}, RELEASES["1.14.2"])
    assert fault.problem == "is not a key of Karpenter 1.14.2's chart"
    assert fault.allowed == "one of nodeAffinity, podAffinity, podAntiAffinity"


@pytest.mark.parametrize(
    ("values", "path", "problem"),
    [
        ({"replicas": datetime.date(2024, 1, 1)}, "replicas", "is a date"),
        ({"podLabels": {"a": b"b"}}, "podLabels.a", "is a bytes"),
        ({"tolerations": [{"value": float("nan")}]}, "tolerations[0].value", "is not a number"),
        ({"podLabels": {1: "b"}}, "podLabels.1", "is a key that is not text"),
        ({"podLabels": {True: "b"}}, "podLabels.True", "is a key that is not text"),
        ({"podLabels": {"a": "\ud800"}}, "podLabels.a", "holds a character"),
        ({"podLabels": {"a\x85": "b"}}, 'podLabels["a\\u0085"]', "holds a character"),
    ],
)
def test_what_json_cannot_hold_is_refused(values: Any, path: str, problem: str) -> None:
    [fault] = check_values(values, RELEASES["1.14.2"])
    assert dotted(fault.path) == path
    assert fault.problem.startswith(problem)


@pytest.mark.parametrize(
    "values",
    [
        {"replicas": Expr("var.replicas")},
        {"settings": Expr("var.settings")},
        {"nodeSelector": {"a": Expr("var.a")}},
        {"tolerations": [Expr("var.toleration")]},
        {"controller": {"env": Expr("var.env")}},
        {"settings": {"legacyNodeRepair": True, "featureGates": Expr("var.gates")}},
        {"settings": {"enableDRA": Expr("var.dra"), "ignoreDRARequests": True}},
        {"logLevel": "${TfToken[TOKEN.1]}"},
    ],
)
def test_what_only_terraform_knows_is_left_to_it(values: Any) -> None:
    assert check_values(values, RELEASES["1.15.1"]) == []


def test_a_key_is_judged_even_where_only_terraform_knows_its_value() -> None:
    values = {"settings": {"clusterName": Expr("var.a"), "nonsense": Expr("var.b")}}
    faults = check_values(values, RELEASES["1.15.1"])
    assert [fault.path[-1] for fault in faults] == ["clusterName", "nonsense"]


@pytest.mark.parametrize(
    ("version", "delete_crds", "refused"),
    [
        ("1.1.10", None, False),
        ("1.1.10", True, False),
        ("1.1.10", False, True),
        ("1.2.0", None, False),
        ("1.2.0", True, False),
        ("1.2.0", False, False),
        ("1.2.1", False, False),
    ],
)
def test_crds_can_be_kept_from_1_2_on(
    version: str, delete_crds: bool | None, refused: bool
) -> None:
    faults = check(ReleaseOptions(delete_crds=delete_crds), RELEASES[version])
    assert [dotted(fault.path) for fault in faults] == ["deleteCrds"] * refused


@pytest.mark.parametrize(
    ("switch", "queue_name", "refused"),
    [
        (True, "queue", False),
        (True, Expr("one(aws_sqs_queue.interruption[*].name)"), False),
        (True, None, True),
        (False, None, False),
        (False, "queue", False),
        (Expr("var.interruption_handling"), None, True),
        (Expr("var.interruption_handling"), Expr("var.queue_name"), False),
    ],
)
def test_interruption_handling_needs_a_queue(switch: Any, queue_name: Any, refused: bool) -> None:
    given = settings(interruption_handling=switch, queue_name=queue_name)
    faults = check(given, RELEASES["1.14.2"])
    assert [dotted(fault.path) for fault in faults] == ["queueName"] * refused


def test_all_faults_are_raised_at_once() -> None:
    given = settings(karpenter_version="1.1.10", delete_crds=False, values={"a": 1, "replicas": ""})
    with pytest.raises(InvalidInput) as caught:
        checked(given)
    paths = [dotted(fault.path) for fault in caught.value.faults]
    assert paths == ["deleteCrds", "values.a", "values.replicas"]


def test_an_unknown_release_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"karpenterVersion: is not a Karpenter release"):
        checked(settings(karpenter_version="1.99.0"))


def test_the_named_release_is_found() -> None:
    assert checked(settings()) is RELEASES["1.14.2"]


def test_the_settings_of_a_published_module_are_left_to_terraform() -> None:
    given = ReleaseSettings.expressions(karpenter_version="1.1.10")
    assert checked(given).version == "1.1.10"


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("namespace", "karpenter", "Karpenter"),
        ("serviceAccount", "karpenter.controller", "karpenter_controller"),
        ("chartRepository", "oci://registry.example/karpenter", "registry.example/karpenter"),
        ("chartRepository", "https://charts.example", "https://charts.example/"),
        ("chartRepository", "oci://registry.example", "oci://user:secret@registry.example"),
        ("timeoutSeconds", 60, 59),
        ("timeoutSeconds", 3600, 3601),
        ("deleteCrds", True, "true"),
        ("values", {"a": 1}, [1]),
    ],
)
def test_an_option_is_judged_on_its_own(field: str, good: object, bad: object) -> None:
    assert parse(ReleaseOptions, {field: good})[1] == []
    [fault] = parse(ReleaseOptions, {field: bad})[1]
    assert fault.path == (field,)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("cluster_name", "demo!"),
        ("cluster_endpoint", "demo.example"),
        ("cluster_endpoint", "http://demo.example"),
        ("controller_role_arn", "karpenter"),
        ("queue_name", "https://sqs.us-west-2.amazonaws.com/111122223333/karpenter-demo"),
        ("queue_name", "arn:aws:sqs:us-west-2:111122223333:karpenter-demo"),
    ],
)
def test_a_fact_is_judged_on_its_own(field: str, bad: object) -> None:
    assert parse(ReleaseSettings, BASELINE)[1] == []
    [fault] = parse(ReleaseSettings, {**BASELINE, field: bad})[1]
    assert fault.path == (field,)
