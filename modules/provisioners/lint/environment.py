"""Rules on what a release, a Kubernetes version and the surroundings of a cluster take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from modules.core import names
from modules.core.catalogue import Api, Capability, Version
from modules.core.faults import ABSENT, Fault
from modules.provisioners.api.judge import KINDS
from modules.provisioners.lint import look
from modules.provisioners.lint.allowed import admits
from modules.provisioners.lint.class_view import CLASSES, class_of, family
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.pool_view import (
    POOLS,
    labels,
    node,
    requirement_on,
    requirements,
)

_WITHOUT_AL2: Final = "1.33"
"""First Kubernetes version for which AWS builds no images of AL2."""

_TRUNK_LABEL: Final = "vpc.amazonaws.com/has-trunk-attached"
_ACCELERATORS = tuple(
    f"{names.NODE_CLASS_GROUP}/instance-{thing}-{what}"
    for thing in ("gpu", "accelerator")
    for what in ("count", "name", "manufacturer", "memory")
)


def _al2(node_class: Manifest, context: Context) -> Iterator[Fault]:
    wanted = context.kubernetes
    if wanted is None or Version.of(wanted) < Version.of(_WITHOUT_AL2):
        return
    selected = "amiSelectorTerms" in node_class.spec or "amiSelector" in node_class.spec
    alias = next(look.items(node_class.spec, "amiSelectorTerms"), (None, {}))[1].get("alias")
    if family(node_class) == "AL2" and (alias is not None or not selected):
        yield Fault(
            ("amiSelectorTerms", 0, "alias") if alias is not None else ("amiFamily",),
            f"is AL2, of which there are no images for Kubernetes {wanted}",
            f"al2023 or bottlerocket; al2 up to the version before {_WITHOUT_AL2}",
            "write al2023@ and a version, and look through userData: bootstrap.sh is gone",
            alias if alias is not None else node_class.spec.get("amiFamily", ABSENT),
        )


def _isolated(node_class: Manifest, context: Context) -> Iterator[Fault]:
    role = look.text(node_class.spec, "role")
    if context.facts.isolated_vpc and role is not None:
        yield Fault(
            ("role",),
            "makes Karpenter create an instance profile by IAM, which an isolated VPC cannot reach",
            "instanceProfile with the name of a ready profile",
            "make the profile with Terraform and name it in instanceProfile",
            role,
        )


def _no_queue(pool: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.queue is not False or not context.release.has(Capability.INTERRUPTION):
        return
    if admits(pool, names.CAPACITY_TYPE_LABEL, names.SPOT):
        said = requirement_on(pool, names.CAPACITY_TYPE_LABEL)
        yield Fault(
            (*node(pool), "requirements") if said is None else said.path,
            "allow spot, while the controller reads no interruption queue"
            if said is None
            else "allows spot, while the controller reads no interruption queue",
            "spot with a queue, or on-demand alone",
            f"switch interruption handling on, or require {names.CAPACITY_TYPE_LABEL} In on-demand",
            ABSENT if said is None else list(said.values),
        )


def _no_plugin(pool: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.device_plugins is not False:
        return
    asked = next((r for r in requirements(pool) if r.key in _ACCELERATORS), None)
    if asked is None or asked.operator in ("DoesNotExist", "NotIn", "Lt", "Lte"):
        return
    node_class = class_of(pool, context)
    # Bottlerocket's images for NVIDIA bring the plugin themselves.
    if node_class is None or family(node_class) != "Bottlerocket":
        yield Fault(
            (*asked.path, "key"),
            "asks for accelerators, while no device plugin runs on the nodes",
            "a device plugin for the accelerator",
            "install the plugin of its maker, or use Bottlerocket, whose images bring NVIDIA's",
            asked.key,
        )


def _old_api(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    release = context.release
    for manifest in context.manifests:
        kind = KINDS.get((manifest.api_version, manifest.kind))
        if kind is None or kind.api in (None, release.api) or not kind.served_by(release):
            continue
        if list(Api).index(kind.api) < list(Api).index(release.api):
            yield (
                manifest,
                Fault(
                    ("apiVersion",),
                    f"is of an old generation: Karpenter {release.line} is the last to serve it",
                    f"the generation of this release: {release.api.value}",
                    "rewrite it with `pipenv run migrate` before the next upgrade",
                    manifest.api_version,
                ),
            )


def _no_trunk(pool: Manifest, context: Context) -> Iterator[Fault]:
    path, given = labels(pool)
    if context.facts.pod_security_groups and given.get(_TRUNK_LABEL) != "false":
        yield Fault(
            (*path, _TRUNK_LABEL),
            "is missing, while pods have security groups of their own",
            f'{_TRUNK_LABEL}: "false"',
            f'add the label {_TRUNK_LABEL}: "false", and set reservedENIs to 1 in the chart',
            given.get(_TRUNK_LABEL, ABSENT),
        )


def _reserved_early(pool: Manifest, context: Context) -> Iterator[Fault]:
    for requirement in requirements(pool):
        if requirement.key == names.CAPACITY_TYPE_LABEL and "reserved" in requirement.values:
            yield Fault(
                (*requirement.path, "values"),
                f"lists reserved, which Karpenter knows from 1.3.0 on; this is "
                f"{context.release.version}",
                "on-demand and spot with this release",
                "remove reserved, or upgrade Karpenter to 1.3.0 or later",
                list(requirement.values),
            )


RULES = (
    LintRule(
        "KPT601",
        "images of AL2 on a Kubernetes without them",
        Severity.ERROR,
        "No image is found and the class is never ready.",
        "EKS: AL2 images end with Kubernetes 1.32",
        CLASSES,
        _al2,
    ),
    LintRule(
        "KPT602",
        "a role in a VPC without a way to IAM",
        Severity.WARNING,
        "IAM has no endpoint inside a VPC, so that the class is never ready.",
        "aws/karpenter-provider-aws#8501, #8609",
        (names.NODE_CLASS,),
        _isolated,
        since="0.32.2",
    ),
    LintRule(
        "KPT603",
        "spot without an interruption queue",
        Severity.ERROR,
        "EC2 takes the node back two minutes after a warning that nobody reads.",
        "aws/karpenter-provider-aws#5943; EKS best practices: handle interruptions with spot",
        POOLS,
        _no_queue,
        since="0.19.0",
    ),
    LintRule(
        "KPT604",
        "accelerators without a device plugin",
        Severity.ERROR,
        "The node never shows its accelerators, is never initialized, and pods stay pending.",
        "aws/karpenter-provider-aws#3862",
        POOLS,
        _no_plugin,
    ),
    LintRule(
        "KPT605",
        "an old generation of the API",
        Severity.WARNING,
        "The next line does not serve it, and objects that are left then cannot be read.",
        "aws/karpenter-provider-aws#7694, #7696",
        check_all=_old_api,
    ),
    LintRule(
        "KPT606",
        "security groups for pods without the label of their nodes",
        Severity.WARNING,
        "Karpenter does not know of the trunk interface, and launches nodes that pods do not fit.",
        "Karpenter's settings: reservedENIs; EKS: security groups for pods",
        POOLS,
        _no_trunk,
    ),
    LintRule(
        "KPT609",
        "reserved capacity before Karpenter knew it",
        Severity.WARNING,
        "The value means nothing to this release.",
        "Karpenter 1.3: capacity reservations",
        (names.NODE_POOL,),
        _reserved_early,
        until="1.3.0",
    ),
)
