"""The module `karpenter-provisioners`: node classes and node pools."""

from __future__ import annotations

from typing import Final

from modules.cdk import App
from modules.core.catalogue import Release
from modules.core.expressions import Expr
from modules.provisioners import chart_package
from modules.provisioners.construct import KarpenterProvisioners
from modules.provisioners.kinds import generation
from modules.provisioners.settings import ProvisionerSettings
from modules.provisioners.validations import validations
from stacks.published.base import ModuleStack, Output, PublishedModule, handwritten, variables_of

NAME: Final = "karpenter-provisioners"

_CHART: Final = "chart"
_CHECKS: Final = "checks.tf"

COMMENTS: Final = {
    "helm_release.classes": "Removed last: the removal waits until every node of these classes "
    "is drained and gone.",
    "helm_release.pools": "Removed first, so that nothing launches nodes while the classes drain.",
}


def published(app: App, release: Release) -> PublishedModule:
    """The module for a Karpenter release."""
    stack = ModuleStack(app, NAME)
    settings = ProvisionerSettings.expressions(karpenter_version=release.version)
    chart = str(Expr("path.module")) + f"/{_CHART}"
    placed = KarpenterProvisioners(stack, "provisioners", settings, chart=chart)
    api = generation(release)
    classes, pools = _plural(api.node_class.kind), _plural(api.node_pool.kind)
    waits = [element for element in (placed.classes, placed.pools) if element is not None]
    return PublishedModule(
        name=NAME,
        release=release,
        summary=f"Creates Karpenter's {classes} and {pools} on an EKS cluster.",
        variables=variables_of(ProvisionerSettings, validations(release)),
        blocks=stack.blocks(),
        outputs=[
            Output("node_class_names", _names(placed.class_names), f"Names of the {classes}."),
            Output(
                "node_pool_names",
                _names(placed.pool_names),
                f"Names of the {pools}; they exist once this output is known.",
                after=waits,
            ),
        ],
        handwritten=handwritten("provisioners"),
        providers=("helm",),
        comments=COMMENTS,
        apart={_CHECKS: placed.checks},
        copied={f"{_CHART}/{path}": content for path, content in chart_package.files().items()},
    )


def _plural(kind: str) -> str:
    return f"{kind}es" if kind.endswith("s") else f"{kind}s"


def _names(names: list[str] | Expr) -> Expr:
    assert isinstance(names, Expr), "a module's pools and classes are variables"
    return names
