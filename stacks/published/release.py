"""The module `karpenter-release`: Karpenter's CRDs and controller."""

from __future__ import annotations

from typing import Final

from modules.cdk import App
from modules.core.catalogue import Capability, Release
from modules.core.expressions import Expr
from modules.release.concepts import INSTANCE_PROFILE, key_of
from modules.release.construct import KarpenterRelease
from modules.release.settings import ReleaseSettings
from modules.release.validations import validations
from stacks.published.base import ModuleStack, Output, PublishedModule, handwritten, variables_of
from stacks.published.iam import OF_THE_QUEUE

NAME: Final = "karpenter-release"

COMMENTS: Final = {
    "helm_release.crds": "First, and by themselves: a chart's own copies of its CRDs are never "
    "upgraded by Helm.",
}


def published(app: App, release: Release) -> PublishedModule:
    """The module for a Karpenter release."""
    stack = ModuleStack(app, NAME)
    settings = ReleaseSettings.expressions(karpenter_version=release.version)
    placed = KarpenterRelease(stack, "release", settings)
    return PublishedModule(
        name=NAME,
        release=release,
        summary="Installs Karpenter's CRDs and its controller on an EKS cluster.",
        variables=variables_of(ReleaseSettings, validations(release), without=_without(release)),
        blocks=stack.blocks(),
        outputs=[
            Output(
                "controller_version",
                placed.controller_version,
                "Version of the installed controller chart.",
            ),
            *_crd_outputs(placed.crd_version),
            Output("namespace", Expr("var.namespace"), "Namespace of both releases."),
            Output(
                "service_account",
                Expr("var.service_account"),
                "Name of the controller's service account.",
            ),
        ],
        handwritten=handwritten("release"),
        providers=("helm",),
        comments=COMMENTS,
    )


def _without(release: Release) -> list[str]:
    """Settings that are no variables: a module is for one release, whose keys `values` takes."""
    left_out = ["settings"]
    if key_of(INSTANCE_PROFILE, release) is None:
        left_out.append("default_instance_profile")
    if not release.has(Capability.INTERRUPTION):
        left_out += OF_THE_QUEUE
    return left_out


def _crd_outputs(version: Expr | None) -> list[Output]:
    """None where the controller's chart brings the CRDs."""
    if version is None:
        return []
    return [Output("crd_version", version, "Version of the installed CRD chart.")]
