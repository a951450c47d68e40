"""Root configurations that call a published module, and the facts that they give it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modules.core.expressions import escape
from stacks.publish import GENERATED, JSON
from stacks.published.base import PROVIDERS
from tests.terraform.standin.world import EksCluster

CLUSTER = "demo"
NODE_ROLE = f"KarpenterNodeRole-{CLUSTER}"

VERSION = re.findall(r"Karpenter ([0-9.]+):", (GENERATED / "karpenter/main.tf").read_text())[0]
"""The Karpenter release that the committed folder is for."""

FORMS = {"hcl": ".", "json": JSON}
"""Where each form lies in the published folder."""

CLASS: dict[str, Any] = {"amiSelectorTerms": [{"alias": "al2023@v20260917"}]}
POOL: dict[str, Any] = {
    "template": {
        "spec": {
            "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]
        }
    }
}
OBJECTS = {"node_classes": {"default": CLASS}, "node_pools": {"default": POOL}}


def facts(module: str, cluster: EksCluster) -> dict[str, Any]:
    """The variables that a module requires, for a cluster."""
    known = {
        "cluster_name": cluster.name,
        "cluster_endpoint": cluster.endpoint,
        "oidc_issuer": cluster.issuer,
        "controller_role_arn": f"arn:aws:iam::{cluster.account}:role/KarpenterController-demo",
        "queue_name": f"Karpenter-{cluster.name}",
        "node_role_name": NODE_ROLE,
    }
    return {name: known[name] for name in REQUIRED[module]}


REQUIRED = {
    "karpenter": ("cluster_name", "cluster_endpoint", "oidc_issuer"),
    "karpenter-iam": ("cluster_name", "oidc_issuer"),
    "karpenter-release": ("cluster_name", "cluster_endpoint", "controller_role_arn", "queue_name"),
    "karpenter-provisioners": ("cluster_name", "node_role_name"),
}
"""By module: the facts it is called with. All but `queue_name` have no default."""


def root(
    folder: Path,
    module: str,
    variables: Mapping[str, Any],
    *,
    form: str = "hcl",
    published: Path = GENERATED,
    endpoint: str = "https://example.com",
    **more: Any,
) -> Path:
    """A root configuration in `folder` that calls a module, as `module.called`.

    Args:
        folder: the modules are copied into it, both forms to the same place: so their plans can
            be alike to the last path.
        variables: what the call sets. Text in it is Terraform's: see `literal`.
        endpoint: of the cluster that Helm installs into.
        more: further top-level blocks.
    """
    take_modules(folder, form, published)
    providers = {name: {"source": version["source"]} for name, version in PROVIDERS.items()}
    called = more.pop("module", {})
    tree = {
        "terraform": {"required_providers": providers},
        "provider": {
            "aws": {"region": "us-west-2"},
            "helm": {"kubernetes": {"host": endpoint}},
        },
        "module": {"called": {"source": f"./modules/{module}", **variables, **called}},
        **more,
    }
    (folder / "main.tf.json").write_text(json.dumps(tree), encoding="utf-8")
    return folder


def take_modules(folder: Path, form: str = "hcl", published: Path = GENERATED) -> None:
    """Copy the modules of one form into a root, over those that are there."""
    shutil.rmtree(folder / "modules", ignore_errors=True)
    shutil.copytree(
        published / FORMS[form],
        folder / "modules",
        ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*"),
    )


def literal(value: Any) -> Any:
    """A value as it is, for Terraform's JSON, whose texts are templates."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [literal(item) for item in value]
    if isinstance(value, Mapping):
        return {escape(key): literal(item) for key, item in value.items()}
    return value
