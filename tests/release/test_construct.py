"""The two helm_release resources, as synthesized."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modules.cdk import App, TerraformStack, Testing
from modules.core.expressions import Expr
from modules.core.faults import InvalidInput
from modules.core.placing import Placed
from modules.release.construct import KarpenterRelease
from modules.release.settings import ReleaseSettings
from stacks.base import PlainStack
from tests.release.test_checks import settings

PUBLIC = "oci://public.ecr.aws/karpenter"


def synthesized(given: ReleaseSettings, *after: Placed) -> tuple[dict[str, Any], KarpenterRelease]:
    stack: TerraformStack = PlainStack(App(), "example", drop_first_step=True)
    placed = KarpenterRelease(stack, "release", given, after)
    return json.loads(Testing.synth(stack))["resource"], placed


def releases(**changes: object) -> dict[str, Any]:
    resources, _ = synthesized(settings(**changes))
    return resources["helm_release"]


def module(version: str = "1.14.2") -> dict[str, Any]:
    resources, _ = synthesized(ReleaseSettings.expressions(karpenter_version=version))
    return resources["helm_release"]


def test_there_are_two_releases_and_nothing_else() -> None:
    resources, _ = synthesized(settings())
    assert resources.keys() == {"helm_release"}
    assert resources["helm_release"].keys() == {"crds", "controller"}


def test_a_plain_installation_has_these_attributes() -> None:
    found = releases()
    common = {
        "repository": PUBLIC,
        "version": "1.14.2",
        "namespace": "kube-system",
        "timeout": 600,
        "wait": True,
        "max_history": 10,
    }
    assert without_values(found["crds"]) == {
        **common,
        "name": "karpenter-crd",
        "chart": "karpenter-crd",
        "create_namespace": False,
    }
    assert without_values(found["controller"]) == {
        **common,
        "name": "karpenter",
        "chart": "karpenter",
        "skip_crds": True,
        "depends_on": ["helm_release.crds"],
    }


def without_values(attributes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in attributes.items() if key != "values"}


def test_a_published_module_has_the_same_attributes_with_variables() -> None:
    literal, found = releases(), module()
    repository = f'${{coalesce(var.chart_repository, "{PUBLIC}")}}'
    changed = {
        "namespace": "${var.namespace}",
        "repository": repository,
        "timeout": "${var.timeout_seconds}",
    }
    assert without_values(found["controller"]) == {
        **without_values(literal["controller"]),
        **changed,
    }
    assert without_values(found["crds"]) == {
        **without_values(literal["crds"]),
        **changed,
        "create_namespace": '${var.namespace != "kube-system"}',
    }


@pytest.mark.parametrize(
    ("changes", "attribute", "expected"),
    [
        ({"namespace": "karpenter"}, "namespace", "karpenter"),
        ({"timeout_seconds": 900}, "timeout", 900),
        ({"karpenter_version": "1.9.2"}, "version", "1.9.2"),
        ({"chart_repository": "oci://mirror.example/k"}, "repository", "oci://mirror.example/k"),
    ],
)
def test_an_option_changes_its_attribute_in_both(
    changes: dict[str, Any], attribute: str, expected: object
) -> None:
    found = releases(**changes)
    assert [found[name][attribute] for name in ("crds", "controller")] == [expected] * 2


@pytest.mark.parametrize(("namespace", "created"), [("kube-system", False), ("karpenter", True)])
def test_the_first_release_makes_any_namespace_but_kube_system(
    namespace: str, created: bool
) -> None:
    found = releases(namespace=namespace)
    assert found["crds"]["create_namespace"] is created
    assert "create_namespace" not in found["controller"]


@pytest.mark.parametrize("made", [releases, module])
def test_nothing_deletes_on_a_failure_and_no_credentials_are_held(made: Any) -> None:
    for attributes in made().values():
        deleting = {"atomic", "cleanup_on_fail", "force_update", "replace"}
        credentials = {name for name in attributes if name.startswith("repository_")}
        assert attributes.keys() & {*deleting, *credentials, "set", "set_sensitive"} == set()


def test_literal_values_are_one_document() -> None:
    [document] = releases(values={"podLabels": {"a": "${X}"}})["controller"]["values"]
    assert json.loads(document)["podLabels"] == {"a": "$${X}"}


def test_values_of_a_variable_stand_between_defaults_and_facts() -> None:
    defaults, user, facts = module()["controller"]["values"]
    assert json.loads(defaults).keys() == {"controller"}
    assert user == "${jsonencode(var.values)}"
    assert '"clusterName":${jsonencode(var.cluster_name)}' in facts


@pytest.mark.parametrize(
    ("switch", "expected"),
    [
        (True, '"interruptionQueue":"karpenter-demo"'),
        (
            Expr("var.on"),
            '"interruptionQueue":${jsonencode(var.on ? "karpenter-demo" : "")}',
        ),
    ],
)
def test_the_queue_is_named_where_it_is_listened_to(switch: Any, expected: str) -> None:
    [document] = releases(interruption_handling=switch)["controller"]["values"]
    assert expected in document


def test_no_queue_is_named_where_it_is_not_listened_to() -> None:
    [document] = releases(interruption_handling=False)["controller"]["values"]
    assert "interruptionQueue" not in document


@pytest.mark.parametrize(
    ("version", "delete_crds", "kept"),
    [
        ("1.1.10", None, False),
        ("1.1.10", True, False),
        ("1.2.0", None, True),
        ("1.2.0", False, True),
        ("1.2.0", True, False),
    ],
)
def test_crds_are_kept_on_destroy(version: str, delete_crds: bool | None, kept: bool) -> None:
    crds = releases(karpenter_version=version, delete_crds=delete_crds)["crds"]
    expected = ['{"additionalAnnotations":{"helm.sh/resource-policy":"keep"}}']
    assert crds.get("values") == (expected if kept else None)


def test_keeping_crds_where_the_chart_cannot_is_refused() -> None:
    with pytest.raises(InvalidInput, match="deleteCrds"):
        releases(karpenter_version="1.1.10", delete_crds=False)


def test_both_releases_wait_for_what_they_need() -> None:
    after = [Placed("aws_iam_role.controller"), Placed("aws_sqs_queue.interruption", counted=True)]
    resources, placed = synthesized(settings(), *after)
    found = resources["helm_release"]
    needed = ["aws_iam_role.controller", "aws_sqs_queue.interruption"]
    assert found["crds"]["depends_on"] == needed
    assert found["controller"]["depends_on"] == [*needed, "helm_release.crds"]
    assert placed.controller == Placed("helm_release.controller")
    assert placed.crds == Placed("helm_release.crds")


def test_the_versions_are_read_from_the_releases() -> None:
    _, placed = synthesized(settings())
    assert placed.crd_version == Expr("helm_release.crds.version")
    assert placed.controller_version == Expr("helm_release.controller.version")


def test_values_that_the_chart_does_not_read_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"values\.replica: is not a key"):
        releases(values={"replica": 2})
