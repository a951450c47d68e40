"""What is in the values documents of the two releases, and who wins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import helm_python
import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr, json_document
from modules.release.merge import merged
from modules.release.settings import ReleaseSettings
from modules.release.values import controller_values, crd_values
from tests.evaluation import evaluate
from tests.release.test_checks import settings
from tests.release.test_merge import VALUES

ROLE = "arn:aws:iam::111122223333:role/karpenter"
PLAIN = {
    "controller": {
        "resources": {
            "requests": {"cpu": "1", "memory": "1Gi"},
            "limits": {"cpu": "1", "memory": "1Gi"},
        }
    },
    "settings": {
        "clusterName": "demo",
        "clusterEndpoint": "https://demo.example",
        "interruptionQueue": "karpenter-demo",
    },
    "serviceAccount": {
        "create": True,
        "name": "karpenter",
        "annotations": {"eks.amazonaws.com/role-arn": ROLE},
    },
}
FACTS = ("settings", "serviceAccount")


def values_of(**changes: object) -> dict[str, Any]:
    [document] = controller_values(settings(**changes), RELEASES["1.14.2"])
    return document


def test_a_plain_installation_has_these_values() -> None:
    assert values_of() == PLAIN


@pytest.mark.parametrize(
    ("changes", "path", "expected"),
    [
        ({"service_account": "other"}, ("serviceAccount", "name"), "other"),
        ({"queue_name": "other"}, ("settings", "interruptionQueue"), "other"),
        ({"interruption_handling": False}, ("settings", "interruptionQueue"), None),
        ({"cluster_name": "other"}, ("settings", "clusterName"), "other"),
        (
            {"controller_role_arn": Expr("aws_iam_role.controller.arn")},
            ("serviceAccount", "annotations", "eks.amazonaws.com/role-arn"),
            Expr("aws_iam_role.controller.arn"),
        ),
        (
            {"values": {"controller": {"resources": {"limits": {"memory": "2Gi"}}}}},
            ("controller", "resources", "limits"),
            {"cpu": "1", "memory": "2Gi"},
        ),
        ({"values": {"controller": {"resources": None}}}, ("controller", "resources"), None),
        ({"values": {"settings": {"isolatedVPC": True}}}, ("settings", "isolatedVPC"), True),
        ({"values": {"settings": {"clusterName": "x"}}}, ("settings", "clusterName"), "demo"),
        ({"values": {"settings": None}}, ("settings", "clusterName"), "demo"),
        (
            {"values": {"serviceAccount": {"annotations": None}}},
            ("serviceAccount", "annotations", "eks.amazonaws.com/role-arn"),
            ROLE,
        ),
        (
            {"values": {"serviceAccount": {"annotations": {"a": "b"}}}},
            ("serviceAccount", "annotations", "a"),
            "b",
        ),
    ],
)
def test_one_change_changes_one_value(
    changes: dict[str, Any], path: tuple[str, ...], expected: object
) -> None:
    found: Any = values_of(**changes)
    for step in path:
        found = found.get(step)
    assert found == expected


def test_without_interruption_handling_there_is_no_key_for_it() -> None:
    assert "interruptionQueue" in values_of()["settings"]
    assert "interruptionQueue" not in values_of(interruption_handling=False)["settings"]


@given(VALUES.map(lambda user: {**user, "settings": {"clusterName": "x", **user}}))
def test_owned_facts_win_over_any_values(user: dict[str, Any]) -> None:
    found = values_of(values=user)
    assert {key: merged(found[key], PLAIN[key]) for key in FACTS} == {
        key: found[key] for key in FACTS
    }


@pytest.fixture(scope="module")
def chart_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chart")
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: echo\nversion: 1.0.0\n")
    return folder


def without_nulls(values: Any) -> Any:
    if not isinstance(values, dict):
        return values
    return {key: without_nulls(below) for key, below in values.items() if below is not None}


NO_NULLS = VALUES.map(without_nulls)


@hypothesis_settings(max_examples=50, deadline=None)
@given(below=NO_NULLS, above=NO_NULLS)
def test_helm_merges_as_we_do(chart_folder: Path, below: Any, above: Any) -> None:
    # Helm keeps a chart's map where a value that is none stands against it.
    assume(alike(below, above))
    (chart_folder / "values.yaml").write_text(json_document(below), encoding="utf-8")
    chart = helm_python.Chart.load(chart_folder)
    assert chart.merge_values(above) == merged(below, above)


def alike(below: Any, above: Any) -> bool:
    """Whether neither has a map where the other has something else."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return not (isinstance(below, dict) or isinstance(above, dict))
    return all(alike(below[key], above[key]) for key in below.keys() & above.keys())


def test_a_null_takes_a_default_of_the_chart_away(chart_folder: Path) -> None:
    (chart_folder / "values.yaml").write_text('{"settings": {"a": 1, "b": 2}}')
    chart = helm_python.Chart.load(chart_folder)
    document = json_document(values_of(values={"settings": {"a": None}}))
    found = chart.merge_values(helm_python.values_from_yaml(document))
    assert "a" not in found["settings"]
    assert found["settings"]["b"] == 2


MODULE = {
    "cluster_name": "demo",
    "cluster_endpoint": "https://demo.example",
    "controller_role_arn": ROLE,
    "queue_name": "karpenter-demo",
    "interruption_handling": True,
    "service_account": "karpenter",
    "namespace": "kube-system",
    "delete_crds": None,
    "values": {},
}


def documents(folder: Path, version: str = "1.14.2", **changes: object) -> dict[str, Any]:
    """The documents of a published module, as Terraform evaluates them."""
    given = ReleaseSettings.expressions(karpenter_version=version)
    outputs = {
        f"d{n}": json_document(d)
        for n, d in enumerate(controller_values(given, RELEASES[given.karpenter_version]))
    }
    outputs["crds"] = json_document(crd_values(given, RELEASES[version]))
    found = evaluate(folder, outputs, variables={**MODULE, **changes})
    return {name: json.loads(text) for name, text in found.items()}


@pytest.mark.parametrize(
    "user",
    [
        {},
        {"replicas": 1},
        {"controller": {"resources": {"limits": {"memory": "2Gi"}, "requests": None}}},
        {"serviceAccount": {"annotations": None}, "settings": {"isolatedVPC": True}},
        {"podLabels": {"a": "${X}", "b": "1e3"}, "tolerations": [{"key": "a"}, {"operator": "b"}]},
    ],
)
def test_a_published_module_comes_to_the_same_values(user: dict[str, Any], tmp_path: Path) -> None:
    found = documents(tmp_path, values=user)
    assert found.keys() == {"d0", "d1", "d2", "crds"}
    assert merged(found["d0"], found["d1"], found["d2"]) == values_of(values=user)


@pytest.mark.parametrize(
    ("switch", "queue_name", "expected"),
    [(True, "queue", "queue"), (False, "queue", ""), (False, None, "")],
)
def test_a_published_module_names_the_queue_only_where_it_listens(
    switch: bool, queue_name: str | None, expected: str, tmp_path: Path
) -> None:
    found = documents(tmp_path, interruption_handling=switch, queue_name=queue_name)
    assert found["d2"]["settings"]["interruptionQueue"] == expected


KEPT = {"additionalAnnotations": {"helm.sh/resource-policy": "keep"}}
WEBHOOK = {"enabled": True, "port": 8443, "serviceName": "karpenter"}


@pytest.mark.parametrize(
    ("version", "delete_crds", "expected"),
    [
        ("1.1.10", None, {}),
        ("1.1.10", True, {}),
        ("1.2.0", None, KEPT),
        ("1.2.0", False, KEPT),
        ("1.2.0", True, {}),
        ("1.15.1", None, KEPT),
    ],
)
def test_crds_are_kept_unless_told_otherwise_where_the_chart_can(
    version: str, delete_crds: bool | None, expected: dict[str, Any], tmp_path: Path
) -> None:
    literal = settings(karpenter_version=version, delete_crds=delete_crds)
    assert crd_values(literal, RELEASES[version]) == expected
    found = documents(tmp_path, version, delete_crds=delete_crds)["crds"]
    assert without_empty(found) == expected


def without_empty(values: dict[str, Any]) -> dict[str, Any]:
    return {key: below for key, below in values.items() if below != {}}


@pytest.mark.parametrize(
    ("version", "namespace", "user", "expected"),
    [
        ("1.0.0", "kube-system", {}, {**WEBHOOK, "serviceNamespace": "kube-system"}),
        ("1.0.14", "karpenter", {}, {**WEBHOOK, "serviceNamespace": "karpenter"}),
        (
            "1.0.14",
            "kube-system",
            {"webhook": {"enabled": False, "port": 9443}},
            {**WEBHOOK, "enabled": False, "port": 9443, "serviceNamespace": "kube-system"},
        ),
        ("1.1.0", "karpenter", {}, None),
    ],
)
def test_crds_call_the_webhook_where_it_is(
    version: str, namespace: str, user: dict[str, Any], expected: object, tmp_path: Path
) -> None:
    literal = settings(karpenter_version=version, namespace=namespace, values=user)
    assert crd_values(literal, RELEASES[version]).get("webhook") == expected
    found = documents(tmp_path, version, namespace=namespace, values=user)["crds"]
    assert found.get("webhook") == expected
