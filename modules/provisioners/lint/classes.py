"""Rules on a class by itself: its metadata service, addresses and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from modules.core import names
from modules.core.expressions import is_known
from modules.core.faults import Fault
from modules.core.inputs import PLACEHOLDER
from modules.provisioners.lint import look
from modules.provisioners.lint.class_view import CLASSES, class_of, family
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.look import Path
from modules.provisioners.lint.pool_view import POOLS, kubelet

_STABLE: Final = f"{names.NODE_CLASS_GROUP}/v1"
_BOTTLEROCKET: Final = "Bottlerocket"
_HOPS: Final = "httpPutResponseHopLimit"
_MOST_PODS: Final = 250
"""What Amazon EKS recommends at most, for instances of more than 30 vCPU."""


def _one_hop(node_class: Manifest, _: Context) -> Iterator[Fault]:
    options = look.mapping(node_class.spec, "metadataOptions")
    # Earlier generations of the API have 2 by default.
    if options.get(_HOPS) is None and node_class.api_version == _STABLE:
        yield Fault(
            ("metadataOptions", _HOPS),
            "is 1 where it is left out, which keeps the metadata service from pods",
            "1 where no pod asks the service, 2 where one does",
            "write 1 if that is meant; 2 if a load balancer controller or CSI driver asks it",
        )


def _first_version(node_class: Manifest, _: Context) -> Iterator[Fault]:
    if look.text(node_class.spec, "metadataOptions", "httpTokens") == "optional":
        yield Fault(
            ("metadataOptions", "httpTokens"),
            "lets any process read the node's credentials without a session (IMDSv1)",
            "required",
            "write required, or leave it out",
            "optional",
        )


def _no_service(node_class: Manifest, _: Context) -> Iterator[Fault]:
    if look.text(node_class.spec, "metadataOptions", "httpEndpoint") == "disabled":
        yield Fault(
            ("metadataOptions", "httpEndpoint"),
            "takes the metadata service from the node, which joins the cluster with its help",
            "enabled",
            f"leave it out; httpTokens: required and {_HOPS}: 1 keep pods from it",
            "disabled",
        )


def _public(node_class: Manifest, _: Context) -> Iterator[Fault]:
    if look.at(node_class.spec, "associatePublicIPAddress") is True:
        yield Fault(
            ("associatePublicIPAddress",),
            "gives every node a public address",
            "false, and private subnets with a way out",
            "remove it, unless the nodes are meant to be reached from outside",
            True,
        )


def _placeholder(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for key, given in node_class.spec.items():
        if key == "userData":
            continue
        for path, value in _texts(given, (key,)):
            if PLACEHOLDER in value:
                yield Fault(
                    path,
                    "holds a placeholder that nothing fills in",
                    "the value itself",
                    f"write what is to stand in place of {PLACEHOLDER}…}}",
                    value,
                )


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Each literal text in a value, and where it is."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))
    elif isinstance(value, str) and is_known(value):
        yield path, value


def _pods_per_core(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    for found, path, given in _kubelets(context):
        per_core = given.get("podsPerCore")
        if per_core is not None and _reads(found, context) == _BOTTLEROCKET:
            yield (
                found,
                Fault(
                    (*path, "podsPerCore"),
                    "is ignored by Bottlerocket",
                    "maxPods with this family",
                    "use maxPods",
                    per_core,
                ),
            )


def _too_many_pods(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    for found, path, given in _kubelets(context):
        most = look.number(given, "maxPods")
        if most is not None and most > _MOST_PODS:
            yield (
                found,
                Fault(
                    (*path, "maxPods"),
                    "is more than the control plane and the kubelet are tested with",
                    f"up to {_MOST_PODS}, and 110 on nodes of up to 30 vCPU",
                    "lower it, or use more and smaller nodes",
                    most,
                ),
            )


def _kubelets(context: Context) -> Iterator[tuple[Manifest, Path, Mapping[str, Any]]]:
    for node_class in context.of_kinds(names.NODE_CLASS):
        yield node_class, ("kubelet",), look.mapping(node_class.spec, "kubelet")
    for pool in context.of_kinds(*POOLS):
        yield pool, *kubelet(pool)


def _reads(found: Manifest, context: Context) -> str | None:
    """The family whose kubelet reads an object's settings."""
    node_class = found if found.kind in CLASSES else class_of(found, context)
    return None if node_class is None else family(node_class)


RULES = (
    LintRule(
        "KPT203",
        "podsPerCore with Bottlerocket",
        Severity.WARNING,
        "The setting is ignored, while Karpenter reckons with it.",
        "kubernetes-sigs/karpenter#2111",
        check_all=_pods_per_core,
    ),
    LintRule(
        "KPT204",
        "a hop limit of the metadata service that is left to the default",
        Severity.INFO,
        "Load balancer controllers, CSI drivers and others ask it from a pod and get no answer.",
        "aws/karpenter-provider-aws#7200, #7548; kubernetes-sigs/karpenter#1769",
        CLASSES,
        _one_hop,
    ),
    LintRule(
        "KPT220",
        "the first version of the metadata service",
        Severity.WARNING,
        "A request forged through any process on the node gets the node's credentials.",
        "EKS best practices: require IMDSv2",
        CLASSES,
        _first_version,
    ),
    LintRule(
        "KPT221",
        "no metadata service",
        Severity.ERROR,
        "Images of EKS ask it who they are, and do not join the cluster without an answer.",
        "EKS: bootstrap of AL2, AL2023 and Bottlerocket",
        CLASSES,
        _no_service,
    ),
    LintRule(
        "KPT222",
        "public addresses for all nodes",
        Severity.WARNING,
        "Security groups alone stand between the nodes and the internet.",
        "EKS best practices: nodes in private subnets",
        CLASSES,
        _public,
    ),
    LintRule(
        "KPT223",
        "a placeholder that nothing fills in",
        Severity.WARNING,
        "The text is taken as it stands, and matches nothing.",
        "YAML, JSON and Kubernetes have no placeholders",
        CLASSES,
        _placeholder,
    ),
    LintRule(
        "KPT224",
        "more pods on a node than EKS recommends",
        Severity.WARNING,
        "The kubelet and the network plugin fall behind, and nodes become not ready.",
        "EKS: choosing an instance type; 110 pods up to 30 vCPU, 250 above",
        check_all=_too_many_pods,
    ),
)
