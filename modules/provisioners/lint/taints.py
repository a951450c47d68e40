"""Rules on the taints of a pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import (
    POOLS,
    never_expires,
    node,
    requirements,
    startup_taints,
    taints,
)

_EBS_CSI: Final = "ebs.csi.aws.com/agent-not-ready"
_OF_CNI = {"cilium": "node.cilium.io/agent-not-ready"}
"""Network plugin -> the taint that it removes once it works on a node."""

_REMOVED = {
    **{taint: plugin.title() for plugin, taint in _OF_CNI.items()},
    _EBS_CSI: "the EBS CSI driver",
    "efs.csi.aws.com/agent-not-ready": "the EFS CSI driver",
    "fsx.csi.aws.com/agent-not-ready": "the FSx CSI driver",
    "s3.csi.aws.com/agent-not-ready": "the Mountpoint for S3 CSI driver",
    "cni.istio.io/not-ready": "Istio's CNI plugin",
    "node.kubernetes.io/not-ready": "Kubernetes",
    "node.cloudprovider.kubernetes.io/uninitialized": "the cloud controller",
}
"""Startup taint -> what removes it."""
_NIDHOGG: Final = "nidhogg.uswitch.com/"
"""How the taints begin that Nidhogg removes once a daemon set is ready."""

_ACCELERATORS = (
    *("instance-gpu-count", "instance-gpu-name", "instance-gpu-manufacturer"),
    *("instance-accelerator-count", "instance-accelerator-name"),
    "instance-accelerator-manufacturer",
)


def _keys(found: Iterator[tuple[look.Path, object]]) -> Iterator[tuple[look.Path, str]]:
    for path, taint in found:
        key = look.text(taint, "key")
        if key is not None:
            yield (*path, "key"), key


def _remover(key: str) -> str | None:
    return "Nidhogg" if key.startswith(_NIDHOGG) else _REMOVED.get(key)


def _never_removed(pool: Manifest, context: Context) -> Iterator[Fault]:
    for path, key in _keys(startup_taints(pool)):
        if _remover(key) is None and key not in context.facts.startup_taints_removed:
            yield Fault(
                path,
                "is a startup taint that nothing known removes",
                f"a taint that something removes, such as {', '.join(_REMOVED)}",
                "make sure that a daemon removes it, and say so; else move it to taints",
                key,
            )


def _stuck(pool: Manifest, _: Context) -> Iterator[Fault]:
    given = [path for path, _ in startup_taints(pool)]
    if given and never_expires(pool):
        yield Fault(
            (*node(pool), "startupTaints"),
            "keep a node from pods until something removes them, while no node expires",
            "startup taints with an age at which nodes are replaced",
            "set expireAfter, so that a node whose taint stays does not stay for ever",
        )


def _cni_missing(pool: Manifest, context: Context) -> Iterator[Fault]:
    cni = context.facts.cni or ""
    wanted = _OF_CNI.get(cni)
    if wanted is not None and wanted not in {key for _, key in _keys(startup_taints(pool))}:
        yield Fault(
            (*node(pool), "startupTaints"),
            f"lack {wanted}, which {cni.title()} sets on new nodes by itself",
            f"{wanted} among the startup taints",
            f'add {{ key: {wanted}, value: "true", effect: NoExecute }}',
        )


def _stays(pool: Manifest, _: Context) -> Iterator[Fault]:
    for path, key in _keys(taints(pool)):
        remover = _remover(key)
        if remover is not None:
            yield Fault(
                path,
                f"is a taint that {remover} removes, and is listed among those that stay",
                "it among startupTaints",
                "move it to startupTaints",
                key,
            )


def _csi_missing(pool: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.ebs_csi and _EBS_CSI not in {key for _, key in _keys(startup_taints(pool))}:
        yield Fault(
            (*node(pool), "startupTaints"),
            f"lack {_EBS_CSI}: pods with volumes may reach a node before its driver does",
            f"{_EBS_CSI} among the startup taints",
            f"add {{ key: {_EBS_CSI}, effect: NoExecute }}; the driver removes it",
        )


def _accelerators_open(pool: Manifest, _: Context) -> Iterator[Fault]:
    asked = next(
        (
            r
            for r in requirements(pool)
            if r.key in {f"{names.NODE_CLASS_GROUP}/{label}" for label in _ACCELERATORS}
            and r.operator in ("In", "Exists", "Gt", "Gte")
        ),
        None,
    )
    if asked is not None and not any(True for _ in taints(pool)):
        yield Fault(
            (*node(pool), "taints"),
            "are missing, so that any pod may land on a node with accelerators",
            "a taint that only pods for accelerators tolerate",
            "add { key: nvidia.com/gpu, effect: NoSchedule } or one of your own",
        )


RULES = (
    LintRule(
        "KPT107",
        "a startup taint that nothing known removes",
        Severity.WARNING,
        "The node is never initialized: no pod runs on it, and Karpenter does not disrupt it.",
        "kubernetes-sigs/karpenter#1479, #3242",
        POOLS,
        _never_removed,
    ),
    LintRule(
        "KPT108",
        "startup taints on nodes that never expire",
        Severity.WARNING,
        "A node whose taint stays is paid for until somebody deletes it.",
        "kubernetes-sigs/karpenter#3242",
        POOLS,
        _stuck,
    ),
    LintRule(
        "KPT109",
        "the taint of the network plugin is not declared",
        Severity.WARNING,
        "Karpenter does not expect it, launches nodes twice, and may loop.",
        "aws/karpenter-provider-aws#5497, #6355",
        POOLS,
        _cni_missing,
    ),
    LintRule(
        "KPT110",
        "a taint that something removes, among those that stay",
        Severity.ERROR,
        "Karpenter reckons with a taint that pods do not tolerate, so that they never fit.",
        "Karpenter's concepts: taints and startupTaints",
        POOLS,
        _stays,
    ),
    LintRule(
        "KPT111",
        "no startup taint for the EBS CSI driver",
        Severity.INFO,
        "Pods may be bound before the driver has told how many volumes the node takes.",
        "EBS CSI driver: node startup taint",
        POOLS,
        _csi_missing,
    ),
    LintRule(
        "KPT118",
        "nodes with accelerators that any pod may use",
        Severity.WARNING,
        "Ordinary pods keep dear nodes busy, and keep them from being consolidated.",
        "EKS best practices: taint nodes with accelerators",
        POOLS,
        _accelerators_open,
    ),
)
