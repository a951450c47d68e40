"""The valid baseline of the provisioners' tests: one cluster, one class, one pool."""

from __future__ import annotations

from typing import Any

from modules.core.catalogue import DEFAULT_VERSION, RELEASES, Api
from modules.core.expressions import Expr
from modules.provisioners import objects
from modules.provisioners.kinds import Generation, generation
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

OBJECTS: dict[Api, dict[str, Any]] = {
    Api.V1ALPHA5: {
        "node_classes": {"default": {"amiFamily": "Bottlerocket"}},
        "node_pools": {"default": {"requirements": POOL["template"]["spec"]["requirements"]}},
    },
    Api.V1BETA1: {
        "node_classes": {"default": {"amiFamily": "AL2"}},
        "node_pools": {"default": POOL},
    },
    Api.V1: {"node_classes": {"default": CLASS}, "node_pools": {"default": POOL}},
}
"""The baseline's class and pool in each generation of the API."""


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
    given = settings(**changes)
    made = objects.node_classes(given, _generation(given), no_local)
    assert isinstance(made, dict)
    return made


def pools(**changes: Any) -> dict[str, Any]:
    given = settings(**changes)
    made = objects.node_pools(given, _generation(given), no_local)
    assert isinstance(made, dict)
    return made


def _generation(given: ProvisionerSettings) -> Generation:
    return generation(RELEASES[given.karpenter_version])
