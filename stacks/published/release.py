"""The module `karpenter-release`: Karpenter's CRDs and controller."""

from __future__ import annotations

from typing import Final

from modules.cdk import App
from modules.core.catalogue import Release
from modules.release.construct import KarpenterRelease
from modules.release.settings import ReleaseSettings
from modules.release.validations import validations
from stacks.published.base import ModuleStack, Output, PublishedModule, handwritten, variables_of

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
        variables=variables_of(ReleaseSettings, validations(release)),
        blocks=stack.blocks(),
        outputs=[
            Output(
                "controller_version",
                placed.controller_version,
                "Version of the installed controller chart.",
            ),
            Output("crd_version", placed.crd_version, "Version of the installed CRD chart."),
        ],
        handwritten=handwritten("release"),
        providers=("helm",),
        comments=COMMENTS,
    )
