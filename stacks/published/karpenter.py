"""The module `karpenter`: the whole installation, made by calling the other three modules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from modules.cdk import App, TerraformHclModule
from modules.core.catalogue import Release
from modules.core.expressions import Expr
from modules.core.inputs import Variable
from stacks import spot
from stacks.published.base import (
    PROVIDERS,
    ModuleStack,
    PublishedModule,
    required_first,
)

NAME: Final = "karpenter"

_FROM_IAM: Final = {
    "release": {
        "controller_role_arn": "controller_role_arn",
        "default_instance_profile": "instance_profile_name",
        "queue_name": "queue_name",
    },
    "provisioners": {"node_role_name": "node_role_name"},
}
"""By called module: its variables that are outputs of the module `iam`."""

_DESCRIPTIONS: Final = {
    "namespace": "Kubernetes namespace that Karpenter runs in; any other than kube-system is "
    "created and never deleted.",
    "tags": "Tags of every AWS resource made here, and of everything that Karpenter launches. A "
    "class's own `tags` win.",
}
"""Of variables that mean something to several parts; any other has its first part's."""

_RULES: Final = {"interruption_handling": (spot.validation("interruption_handling", "node_pools"),)}
"""Rules across the parts, which none of them can say alone."""

COMMENTS: Final = {
    "iam": "Each call waits for the one before it, so that a destroy takes the nodes away first, "
    "then the controller, then its permissions.",
}


def published(app: App, release: Release, parts: Mapping[str, PublishedModule]) -> PublishedModule:
    """The module for a Karpenter release.

    Args:
        parts: the modules that it calls, in the order in which they are applied, by the name of
            the call.
    """
    stack = ModuleStack(app, NAME)
    waits_for: str | None = None
    for id_, part in parts.items():
        _call(stack, id_, part, waits_for)
        waits_for = f"module.{id_}"
    return PublishedModule(
        name=NAME,
        release=release,
        summary="Installs Karpenter on an EKS cluster, with its AWS side, its node classes and "
        "its node pools.",
        variables=_passed_on(parts),
        blocks=stack.blocks(),
        outputs=[
            replace(output, value=Expr(f"module.{id_}.{output.name}"), after=())
            for id_, part in parts.items()
            for output in part.outputs
        ],
        handwritten=Path(__file__).with_name("whole"),
        providers=tuple(PROVIDERS),
        comments=COMMENTS,
    )


def _call(stack: ModuleStack, id_: str, part: PublishedModule, waits_for: str | None) -> None:
    wired = {name: f"module.iam.{output}" for name, output in _FROM_IAM.get(id_, {}).items()}
    call = TerraformHclModule(
        stack,
        id_,
        source=f"../{part.name}",
        # Else CDKTF would copy the folder and name its copy.
        skip_asset_creation_from_local_modules=True,
        variables={
            variable.name: str(Expr(wired.get(variable.name, f"var.{variable.name}")))
            for variable in part.variables
        },
    )
    if waits_for:
        call.add_override("depends_on", [waits_for])


def _passed_on(parts: Mapping[str, PublishedModule]) -> list[Variable]:
    """The variables of all parts, each once, but for those that are wired.

    Their validations are not repeated: each part says them of what it is given.
    """
    found: dict[str, Variable] = {}
    for id_, part in parts.items():
        for variable in part.variables:
            if variable.name not in _FROM_IAM.get(id_, {}):
                _must_agree(found.setdefault(variable.name, variable), variable)
    return required_first(
        [
            replace(
                variable,
                description=_DESCRIPTIONS.get(name, variable.description),
                validations=_RULES.get(name, ()),
            )
            for name, variable in found.items()
        ]
    )


def _must_agree(one: Variable, other: Variable) -> None:
    """Raises `ValueError` where two variables of one name take different values."""
    if (one.type, one.default) != (other.type, other.default):
        raise ValueError(f"two modules differ in the variable {one.name}: {one} and {other}")
