"""Settings of the provisioners: node pools, node classes, and how long a drain may take."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from modules.core import names
from modules.core.inputs import Settings
from modules.core.rules import CLUSTER_NAME, IP_FAMILY, NAMESPACE, SUBDOMAIN, Rule, between
from modules.core.versioned import Versioned
from modules.provisioners.api.plain import plain

DRAIN_TIMEOUT = between(
    "drain_timeout",
    60,
    86_400,
    unit="seconds",
    fix="give the time that your slowest pods need to leave their nodes, 1800 as a start",
)

_NAME_LENGTH = 63
"""Longest value of a Kubernetes label; Karpenter labels nodes with the names of both objects."""

OBJECT_NAME = Rule(
    "object_name",
    f"{SUBDOMAIN.allowed}, {_NAME_LENGTH} characters at most",
    SUBDOMAIN.fix,
    check=lambda name: len(name) <= _NAME_LENGTH and SUBDOMAIN.check(name),
    condition=f"length({{v}}) <= {_NAME_LENGTH} && {SUBDOMAIN.condition}",
)
"""On the names of pools and classes."""


Objects = Annotated[dict[str, Any], BeforeValidator(plain)]
"""Objects by name. A Python program may give specs as the models of `modules.provisioners.api`."""


class ProvisionerOptions(Settings):
    """What a user may choose about the provisioners."""

    node_classes: Objects = {}
    """EC2NodeClasses by name; up to Karpenter 0.31 AWSNodeTemplates. Each value is Karpenter's own
    `spec`, or a whole manifest as in Karpenter's documentation. Left out, the node role, the
    metadata options and both discovery selectors are filled in."""

    node_pools: Objects = {}
    """NodePools by name; up to Karpenter 0.31 Provisioners. Each value is Karpenter's own `spec`,
    or a whole manifest as in Karpenter's documentation. Left out, the class is the only one there
    is, or the one of the pool's name."""

    drain_timeout_seconds: Annotated[int, DRAIN_TIMEOUT] = 1800
    """How long, in seconds, the removal of the node classes waits until every node they made is
    drained and gone. The nodes of all classes drain at once; the classes are waited for one after
    the other, each this long at most. When the time runs out, the removal fails, and the classes'
    release, the controller and its permissions stay in place. Run again, it waits again."""


class ProvisionerSettings(ProvisionerOptions, Versioned):
    """What the provisioners are made from: the user's choices and the facts of the cluster."""

    cluster_name: Annotated[str, CLUSTER_NAME]
    """Name of the EKS cluster. Subnets and security groups tagged `karpenter.sh/discovery` with
    this name are used where a class selects none."""

    node_role_name: str
    """Name, not ARN, of the IAM role that nodes run with, for classes that name neither `role`
    nor `instanceProfile`."""

    ip_family: Annotated[str, IP_FAMILY] = "ipv4"
    """IP family of the cluster's services and pods. On `ipv6`, nodes serve their metadata over
    IPv6 as well."""

    namespace: Annotated[str, NAMESPACE] = names.DEFAULT_NAMESPACE
    """Namespace that keeps the Helm releases; the objects themselves have none."""

    tags: dict[str, str] = {}
    """Tags of everything that Karpenter launches. A class's own `tags` win."""
