"""The valid baseline of the provisioners' tests: one cluster, one class, one pool."""

from __future__ import annotations

from typing import Any

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.core.expressions import Expr
from modules.provisioners import objects
from modules.provisioners.kinds import node_class_kind
from modules.provisioners.settings import ProvisionerSettings

RELEASE = RELEASES[DEFAULT_VERSION]

CLASS: dict[str, Any] = {"amiSelectorTerms": [{"alias": "al2023@v20250920"}]}
POOL: dict[str, Any] = {
    "template": {
        "spec": {
            "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]
        }
    }
}


def settings(**changes: Any) -> ProvisionerSettings:
    """The baseline with some fields changed."""
    return ProvisionerSettings(
        **{
            "cluster_name": "blueprint",
            "karpenter_version": DEFAULT_VERSION,
            "node_role_name": "blueprint-node",
            "node_classes": {"default": CLASS},
            "node_pools": {"default": POOL},
            **changes,
        }
    )


def no_local(name: str, value: Expr) -> Expr:
    raise AssertionError(f"literal settings need no local {name}: {value}")


def classes(**changes: Any) -> dict[str, Any]:
    made = objects.node_classes(settings(**changes), no_local)
    assert isinstance(made, dict)
    return made


def pools(**changes: Any) -> dict[str, Any]:
    made = objects.node_pools(settings(**changes), node_class_kind(RELEASE), no_local)
    assert isinstance(made, dict)
    return made
