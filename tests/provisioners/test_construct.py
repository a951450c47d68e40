"""What the construct places: two Helm releases, their order, and their values."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modules.cdk import App, HelmProvider, TerraformVariable
from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.core.expressions import Expr
from modules.core.faults import InvalidInput
from modules.core.inputs import variables
from modules.core.placing import Placed
from modules.core.versioned import VERSION_FIELDS
from modules.provisioners import chart_package
from modules.provisioners.construct import KarpenterProvisioners
from modules.provisioners.settings import ProvisionerSettings
from stacks.base import PlainStack
from tests.evaluation import run
from tests.provisioners.facts import CLASS, OBJECTS, POOL, classes, pools, settings

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
        for variable in variables(ProvisionerSettings, without=VERSION_FIELDS):
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
    description = found["provisioners_classes"].pop("description")
    assert "kubectl get nodeclaims" in description
    assert "\n" not in description
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
            "awaitRemoval": True,
            "objects": classes(),
        },
        "provisioners_pools": {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodePool",
            "awaitRemoval": False,
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


def test_alone_it_refuses_what_the_checks_refuse(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nodeClasses\.default\.amiSelectorTerms: is missing"):
        placed(tmp_path, settings(node_classes={"default": {}}))
    with pytest.raises(InvalidInput, match="is not a Karpenter release known here"):
        placed(tmp_path, settings(karpenter_version="1.99.0"))


@pytest.mark.parametrize(
    ("version", "node_class", "node_pool", "awaits"),
    [
        ("0.31.5", "v1alpha1 AWSNodeTemplate", "v1alpha5 Provisioner", False),
        ("0.32.0", "v1beta1 EC2NodeClass", "v1beta1 NodePool", True),
        ("0.37.8", "v1beta1 EC2NodeClass", "v1beta1 NodePool", True),
        ("1.0.0", "v1 EC2NodeClass", "v1 NodePool", True),
    ],
)
def test_a_release_gets_the_kinds_of_its_generation(
    tmp_path: Path, version: str, node_class: str, node_pool: str, awaits: bool
) -> None:
    given = OBJECTS[RELEASES[version].api]
    _, stack = placed(tmp_path, settings(karpenter_version=version, **given))
    made = [json.loads(release["values"][0]) for release in releases(stack).values()]
    assert [f"{values['apiVersion']} {values['kind']}" for values in made] == [
        f"karpenter.k8s.aws/{node_class}",
        f"karpenter.sh/{node_pool}",
    ]
    assert [values["awaitRemoval"] for values in made] == [awaits, False]


def test_a_literal_that_looks_like_terraform_is_escaped(tmp_path: Path) -> None:
    given = settings(
        node_classes={"default": {**CLASS, "userData": "${X} %{if}", "role": "r"}},
        node_role_name=Expr("aws_iam_role.node.name"),
    )
    _, stack = placed(tmp_path, given)
    assert '"userData":"$${X} %%{if}"' in releases(stack)["provisioners_classes"]["values"][0]


def test_an_expression_in_literal_settings_is_spliced_in(tmp_path: Path) -> None:
    _, stack = placed(tmp_path, settings(node_role_name=Expr("aws_iam_role.node.name")))
    document = releases(stack)["provisioners_classes"]["values"][0]
    assert '"role":${jsonencode(aws_iam_role.node.name)}' in document


CHECKS = ("_values", "_faults", "spec_types")
"""What the locals that judge specs end in."""


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
        '{"apiVersion":"karpenter.sh/v1","awaitRemoval":false,"kind":"NodePool",'
        '"objects":${jsonencode(local.node_pools)}}'
    ]
    assert found["classes"]["values"] == [
        '{"apiVersion":"karpenter.k8s.aws/v1","awaitRemoval":true,"kind":"EC2NodeClass",'
        '"objects":${jsonencode(local.node_classes)}}'
    ]
    named = {name for name in stack["locals"] if not name.endswith(CHECKS)}
    assert sorted(named) == [
        "node_class_specs",
        "node_classes",
        "node_pool_specs",
        "node_pools",
    ]
    assert made.pool_names == Expr("keys(var.node_pools)")
    assert made.classes == Placed("helm_release.classes", counted=True)


def module_of(stack: dict[str, Any], folder: Path) -> None:
    """The variables and locals of a synthesized module, and what the releases read of them."""
    releases = stack["resource"]["helm_release"]
    outputs = {
        name: {"value": {"count": given["count"], "values": given["values"][0]}}
        for name, given in releases.items()
    }
    folder.mkdir()
    kept = {"variable": stack["variable"], "locals": stack["locals"], "output": outputs}
    (folder / "main.tf.json").write_text(json.dumps(kept))


INPUTS = {
    "node_classes": {"default": CLASS},
    "node_pools": {"default": POOL},
    "drain_timeout_seconds": 1800,
    "cluster_name": "blueprint",
    "node_role_name": "blueprint-node",
    "ip_family": "ipv4",
    "namespace": "kube-system",
    "tags": {},
}


@pytest.fixture
def planned(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Plans a root configuration around the module; gives the outputs, None where unknown."""
    given = ProvisionerSettings.expressions(karpenter_version=DEFAULT_VERSION)
    _, stack = placed(tmp_path / "out", given, module=True)
    module_of(stack, tmp_path / "module")

    def plan(**changes: Any) -> dict[str, Any]:
        call = {"module": {"made": {"source": "./module", **INPUTS, **changes}}}
        root = {
            **call,
            "resource": {"terraform_data": {"later": {}}},
            "output": {
                f"{name}_{part}": {"value": f"${{module.made.{name}.{part}}}"}
                for name in ("classes", "pools")
                for part in ("count", "values")
            },
        }
        (tmp_path / "main.tf.json").write_text(json.dumps(root))
        run(tmp_path, "init")
        run(tmp_path, "plan", "-out=plan")
        shown = json.loads(run(tmp_path, "show", "-json", "plan"))
        return {name: change.get("after") for name, change in shown["output_changes"].items()}

    return plan


def test_the_synthesized_module_completes_as_python_does(
    planned: Callable[..., dict[str, Any]],
) -> None:
    found = planned()
    assert found["classes_count"] == found["pools_count"] == 1
    assert json.loads(found["classes_values"])["objects"] == classes()
    assert json.loads(found["pools_values"])["objects"] == pools()


def test_without_objects_the_module_makes_no_release(
    planned: Callable[..., dict[str, Any]],
) -> None:
    found = planned(node_classes={}, node_pools={})
    assert found["classes_count"] == found["pools_count"] == 0


def test_counts_are_known_while_values_are_not(planned: Callable[..., dict[str, Any]]) -> None:
    later = "${terraform_data.later.id}"
    found = planned(
        node_classes={"default": {**CLASS, "role": later, "userData": later}},
        node_pools={"default": {**POOL, "weight": "${length(terraform_data.later.id)}"}},
    )
    assert found["classes_count"] == found["pools_count"] == 1
    assert found["classes_values"] is found["pools_values"] is None
