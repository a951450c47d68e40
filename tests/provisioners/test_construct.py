"""What the construct places: two Helm releases, their order, and their values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.cdk import App, HelmProvider, TerraformVariable
from modules.core.catalogue import DEFAULT_VERSION
from modules.core.expressions import Expr
from modules.core.inputs import variables
from modules.core.placing import Placed
from modules.provisioners import chart_package
from modules.provisioners.construct import KarpenterProvisioners
from modules.provisioners.settings import ProvisionerSettings
from stacks.base import PlainStack
from tests.provisioners.facts import classes, pools, settings

CHART = "${path.module}/chart"
CONTROLLER = Placed("helm_release.controller")


def placed(
    out: Path, given: ProvisionerSettings, *, module: bool = False
) -> tuple[KarpenterProvisioners, dict[str, Any]]:
    """The construct, and the stack that it is synthesized in."""
    app = App(outdir=str(out))
    stack = PlainStack(app, "stack", drop_first_step=module)
    HelmProvider(stack, "helm")
    if module:
        for variable in variables(ProvisionerSettings, without=("karpenter_version",)):
            TerraformVariable(stack, variable.name, type=variable.type)
    made = KarpenterProvisioners(stack, "provisioners", given, [CONTROLLER], chart=CHART)
    app.synth()
    return made, json.loads((out / "stacks/stack/cdk.tf.json").read_text())


def releases(stack: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = stack.get("resource", {}).get("helm_release", {})
    return {name: {k: v for k, v in given.items() if k != "//"} for name, given in found.items()}


def test_literal_settings_give_two_releases(tmp_path: Path) -> None:
    made, stack = placed(tmp_path, settings(namespace="karpenter", drain_timeout_seconds=900))
    shared = {
        "chart": CHART,
        "version": chart_package.version(),
        "namespace": "karpenter",
        "wait": True,
        "timeout": 900,
    }
    found = releases(stack)
    values = {name: json.loads(given.pop("values")[0]) for name, given in found.items()}
    assert found == {
        "provisioners_classes": {
            **shared,
            "name": "karpenter-classes",
            "depends_on": ["helm_release.controller"],
        },
        "provisioners_pools": {
            **shared,
            "name": "karpenter-pools",
            "depends_on": ["helm_release.controller", "helm_release.provisioners_classes"],
        },
    }
    assert values == {
        "provisioners_classes": {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "objects": classes(),
        },
        "provisioners_pools": {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodePool",
            "objects": pools(),
        },
    }
    assert (made.class_names, made.pool_names) == (["default"], ["default"])
    assert "locals" not in stack


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ["provisioners_classes", "provisioners_pools"]),
        ({"node_pools": {}}, ["provisioners_classes"]),
        ({"node_pools": {}, "node_classes": {}}, []),
    ],
)
def test_a_release_without_objects_is_left_out(
    tmp_path: Path, changes: dict[str, Any], expected: list[str]
) -> None:
    _, stack = placed(tmp_path, settings(**changes))
    assert sorted(releases(stack)) == expected


def test_a_literal_that_looks_like_terraform_is_escaped(tmp_path: Path) -> None:
    given = settings(
        node_classes={"default": {"userData": "${X} %{if}", "role": "r"}},
        node_role_name=Expr("aws_iam_role.node.name"),
    )
    _, stack = placed(tmp_path, given)
    assert '"userData":"$${X} %%{if}"' in releases(stack)["provisioners_classes"]["values"][0]


def test_an_expression_in_literal_settings_is_spliced_in(tmp_path: Path) -> None:
    _, stack = placed(tmp_path, settings(node_role_name=Expr("aws_iam_role.node.name")))
    document = releases(stack)["provisioners_classes"]["values"][0]
    assert '"role":${jsonencode(aws_iam_role.node.name)}' in document


def test_variables_give_counted_releases_and_named_locals(tmp_path: Path) -> None:
    given = ProvisionerSettings.expressions(karpenter_version=DEFAULT_VERSION)
    made, stack = placed(tmp_path, given, module=True)
    found = releases(stack)
    assert {name: given["count"] for name, given in found.items()} == {
        "classes": "${length(var.node_classes) > 0 ? 1 : 0}",
        "pools": "${length(var.node_pools) > 0 ? 1 : 0}",
    }
    assert {given["timeout"] for given in found.values()} == {"${var.drain_timeout_seconds}"}
    assert found["pools"]["values"] == [
        '{"apiVersion":"karpenter.sh/v1","kind":"NodePool","objects":${jsonencode(local.node_pools)}}'
    ]
    assert found["classes"]["values"] == [
        '{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass",'
        '"objects":${jsonencode(local.node_classes)}}'
    ]
    assert sorted(stack["locals"]) == [
        "node_class_specs",
        "node_classes",
        "node_pool_specs",
        "node_pools",
    ]
    assert made.pool_names == Expr("keys(var.node_pools)")
    assert made.classes == Placed("helm_release.classes", counted=True)
