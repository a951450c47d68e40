"""The published modules: ordinary Terraform modules made from the same constructs."""

from __future__ import annotations

from modules.cdk import App
from modules.core.catalogue import Release
from stacks.published import iam, karpenter, provisioners, release
from stacks.published.base import PublishedModule


def modules_for(karpenter_release: Release) -> list[PublishedModule]:
    """Every module for a Karpenter release; the whole installation first, then its parts."""
    app = App()
    parts = {
        "iam": iam.published(app, karpenter_release),
        "release": release.published(app, karpenter_release),
        "provisioners": provisioners.published(app, karpenter_release),
    }
    return [karpenter.published(app, karpenter_release, parts), *parts.values()]
