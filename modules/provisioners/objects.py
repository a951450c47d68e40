"""The objects of both releases, whether the user's pools and classes are literal or expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import Expr
from modules.provisioners import expressions, manifests, spec_faults
from modules.provisioners.kinds import Generation
from modules.provisioners.settings import ProvisionerSettings

Named = Mapping[str, Any] | Expr
Local = Callable[[str, Expr], Expr]
"""Gives an expression a name in the plan, and gives back the reference to it."""
Conditions = Sequence[tuple[Expr, Expr]]
"""What must hold, and what to say where it does not."""


def node_classes(settings: ProvisionerSettings, api: Generation, local: Local) -> Named:
    """The complete node classes by name."""
    given: Named = settings.node_classes
    if isinstance(given, Expr):
        specs = local("node_class_specs", expressions.specs(given))
        return local("node_classes", expressions.classes(settings, given, specs, api))
    return {name: manifests.complete_class(value, settings, api) for name, value in given.items()}


def node_pools(settings: ProvisionerSettings, api: Generation, local: Local) -> Named:
    """The complete node pools by name."""
    given: Named = settings.node_pools
    class_names = object_names(settings.node_classes)
    if isinstance(given, Expr):
        specs = local("node_pool_specs", expressions.specs(given))
        return local("node_pools", expressions.pools(given, specs, class_names, api))
    return {
        name: manifests.complete_pool(value, manifests.class_of(name, class_names), api)
        for name, value in given.items()
    }


def object_names(given: Named) -> list[str] | Expr:
    """The names of the objects, in alphabetical order."""
    return Expr(f"keys({given.text})") if isinstance(given, Expr) else sorted(given)


def are_given(given: Named) -> bool | Expr:
    """Whether there is any object; its names are known at plan."""
    return Expr(f"length({given.text}) > 0") if isinstance(given, Expr) else bool(given)


def conditions(settings: ProvisionerSettings, release: Release, local: Local) -> Conditions:
    """What must hold of classes and pools that are expressions; literals are judged before."""
    classes: Named = settings.node_classes
    pools: Named = settings.node_pools
    if not isinstance(classes, Expr) or not isinstance(pools, Expr):
        return []
    types = spec_faults.types(local)
    lists = [
        *spec_faults.node_class_faults(classes, types, release, local),
        *spec_faults.node_pool_faults(pools, types, release, local),
    ]
    return [_none(faults) for faults in lists]


def _none(faults: Expr) -> tuple[Expr, Expr]:
    return Expr(f"length({faults.text}) == 0"), Expr(f'join("\\n", {faults.text})')
