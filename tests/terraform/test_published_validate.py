"""Terraform takes every published module and example, and the HCL and JSON forms are one module.

Plans are compared as `terraform show -json` gives them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import NEWEST_VERSION, OLDEST_VERSION
from stacks.folder import replace_folder
from stacks.publish import files, release_of
from tests.terraform.conftest import MakeTerraform
from tests.terraform.standin.standin import Standin

CLUSTER = "blueprint-construct-dev"
ISSUER = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
FACTS = {
    "cluster_name": CLUSTER,
    "cluster_endpoint": "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com",
    "oidc_issuer": ISSUER,
    "controller_role_arn": f"arn:aws:iam::111122223333:role/KarpenterController-{CLUSTER}",
    "queue_name": f"Karpenter-{CLUSTER}",
    "node_role_name": f"KarpenterNodeRole-{CLUSTER}",
}
CLASSES = {"default": {"amiSelectorTerms": [{"alias": "al2023@v20251120"}]}}
POOLS = {"default": {"template": {"spec": {"requirements": []}}}}
TRICKY = {"logLevel": "debug", "podAnnotations": {"example.com/a": 'a "b" \\ ${c} <d> {{ e }}\r\n'}}

CALLS: dict[str, list[dict[str, Any]]] = {
    "karpenter-iam": [
        {},
        {"interruption_handling": False, "create_node_role": False}
        | {"node_role_arn": "arn:aws:iam::111122223333:role/nodes"},
        {"ip_family": "ipv6", "name_prefix": "x-", "tags": {"a": "b"}},
        {"cluster_name": "c" * 100, "create_oidc_provider": True},
    ],
    "karpenter-release": [{}, {"values": TRICKY, "namespace": "karpenter", "delete_crds": True}],
    "karpenter-provisioners": [{}, {"node_classes": CLASSES, "node_pools": POOLS}],
    "karpenter": [{"node_classes": CLASSES, "node_pools": POOLS, "values": TRICKY}],
}
"""By module: what each plan sets besides the facts that the module requires."""

REQUIRED = {
    "karpenter": ("cluster_name", "cluster_endpoint", "oidc_issuer"),
    "karpenter-iam": ("cluster_name", "oidc_issuer"),
    "karpenter-release": ("cluster_name", "cluster_endpoint", "controller_role_arn", "queue_name"),
    "karpenter-provisioners": ("cluster_name", "node_role_name"),
}

FORMS = {"hcl": ".", "json": "json"}
"""Where each form lies in the published folder."""

EXAMPLES = (
    "karpenter/examples/basic",
    "karpenter/examples/complete",
    "karpenter-iam/examples/basic",
    "karpenter-release/examples/basic",
    "karpenter-provisioners/examples/basic",
)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published") / "generated"
    replace_folder(folder, files(release_of(NEWEST_VERSION)))
    return folder


def root_of(module: str, form: str, variables: Mapping[str, Any], published: Path) -> Path:
    """A root configuration that calls one form of a module; both forms lie at the same path."""
    folder = published.parent / "roots" / form
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(published / FORMS[form], folder / "modules")
    # Literal for Terraform as well, whose JSON strings are templates.
    escaped = json.loads(json.dumps(variables).replace("${", "$${").replace("%{", "%%{"))
    tree = {
        "provider": {"aws": {"region": "us-west-2"}, "helm": {}},
        "terraform": {
            "required_providers": {
                "aws": {"source": "hashicorp/aws"},
                "helm": {"source": "hashicorp/helm"},
            }
        },
        "module": {"called": {"source": f"./modules/{module}", **escaped}},
    }
    (folder / "main.tf.json").write_text(json.dumps(tree), encoding="utf-8")
    return folder


def changes(plan: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan says, without when it was made and what it was read from."""
    about_itself = ("timestamp", "configuration", "relevant_attributes")
    return {key: value for key, value in plan.items() if key not in about_itself}


@pytest.mark.parametrize(
    ("module", "given"),
    [(module, given) for module, calls in CALLS.items() for given in calls],
)
def test_both_forms_of_a_module_give_the_same_plan(
    module: str,
    given: dict[str, Any],
    published: Path,
    standin: Standin,
    terraform: MakeTerraform,
) -> None:
    facts = {name: FACTS[name] for name in REQUIRED[module]}
    plans = []
    for form in FORMS:
        tf = terraform(root_of(module, form, {**facts, **given}, published))
        tf.init()
        tf.validate()
        plans.append(changes(tf.plan().document))
    assert plans[0] == plans[1]


@pytest.mark.parametrize("form", FORMS)
def test_the_module_for_the_oldest_release_is_valid(
    form: str, tmp_path: Path, standin: Standin, terraform: MakeTerraform
) -> None:
    replace_folder(tmp_path / "generated", files(release_of(OLDEST_VERSION)))
    tf = terraform(tmp_path / "generated" / FORMS[form] / "karpenter")
    tf.init()
    assert tf.validate()["valid"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_can_be_planned(
    example: str, published: Path, standin: Standin, terraform: MakeTerraform
) -> None:
    standin.eks_cluster(CLUSTER, version="1.34")
    tf = terraform(published / example)
    tf.init()
    tf.validate()
    assert tf.plan().actions


def test_every_example_is_planned(published: Path) -> None:
    found = {path.parent.relative_to(published) for path in published.glob("*/examples/*/main.tf")}
    assert {Path(example) for example in EXAMPLES} == found


@pytest.mark.parametrize("module", REQUIRED)
def test_the_tests_that_come_with_a_module_pass(
    module: str, published: Path, standin: Standin, terraform: MakeTerraform
) -> None:
    tf = terraform(published / module)
    tf.init()
    assert "0 failed" in tf.test().text
