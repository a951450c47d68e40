"""Every fault of the provisioners' settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import is_known
from modules.core.faults import Fault, InvalidInput, Step, nearest
from modules.provisioners import manifests
from modules.provisioners.api.spec_checks import check_spec
from modules.provisioners.kinds import ObjectKind, generation
from modules.provisioners.object_rules import (
    IS_MAPPING,
    ObjectRule,
    envelope_rules,
    reference_rule,
    selector_rules,
)
from modules.provisioners.settings import OBJECT_NAME, ProvisionerOptions, ProvisionerSettings

Objects = dict[str, Any]


def check(settings: ProvisionerOptions, release: Release) -> list[Fault]:
    """Every fault in pools and classes that Python can see.

    Args:
        settings: the options alone, or with the cluster's facts, which then are judged with them.
        release: the Karpenter release that is to read the manifests.

    Returns:
        The faults, with paths as in YAML: `nodePools.<name>.…`.
    """
    faults: list[Fault] = []
    for kind, given, rules in _both(settings, release):
        for name, value in given.items():
            if not OBJECT_NAME.check(name):
                problem = "is no name for such an object"
                at = (kind.setting, name)
                faults.append(Fault(at, problem, OBJECT_NAME.allowed, OBJECT_NAME.fix, name))
            if is_known(value):
                found = _of_object(kind, name, value, rules, settings, release)
                faults += [fault.under(kind.setting, name) for fault in found]
    return faults


def checked(settings: ProvisionerSettings) -> Release:
    """The release that the settings name.

    Raises:
        InvalidInput: there is no such release, or the pools and classes do not fit it.
    """
    release = settings.release
    if isinstance(release, Fault):
        raise InvalidInput([release])
    if faults := check(settings, release):
        raise InvalidInput(faults)
    return release


def _both(
    settings: ProvisionerOptions, release: Release
) -> Iterator[tuple[ObjectKind, Objects, list[ObjectRule]]]:
    classes, pools = settings.node_classes, settings.node_pools
    api = generation(release)
    if is_known(classes):
        yield api.node_class, classes, selector_rules(api)
    if is_known(pools):
        rules = [reference_rule(api, classes)] if is_known(classes) else []
        yield api.node_pool, pools, rules


def _of_object(
    kind: ObjectKind,
    name: str,
    given: Any,
    rules: list[ObjectRule],
    settings: ProvisionerOptions,
    release: Release,
) -> list[Fault]:
    if not IS_MAPPING.holds(name, given):
        return [IS_MAPPING.fault(given)]
    faults = _broken(envelope_rules(kind), name, given)
    if not manifests.has_spec(given):
        return faults
    faults += (_with_nearest(f, settings.node_classes) for f in _broken(rules, name, given))
    return faults + _spec(kind, name, given, settings, release)


def _broken(rules: list[ObjectRule], name: str, given: Any) -> list[Fault]:
    return [rule.fault(given) for rule in rules if not rule.holds(name, given)]


def _spec(
    kind: ObjectKind, name: str, given: Any, settings: ProvisionerOptions, release: Release
) -> list[Fault]:
    steps: tuple[Step, ...] = ("spec",) if manifests.is_manifest(given) else ()
    spec = _complete(kind, name, given, settings, release)
    api = generation(release)
    told = {rule.path for rule in selector_rules(api) if not rule.holds(name, given)}
    if kind == api.node_pool:
        told.add((*api.reference, "name"))
    found = check_spec(kind.kind, spec, release)
    return [fault.under(*steps) for fault in found if fault.path not in told]


def _complete(
    kind: ObjectKind, name: str, given: Any, settings: ProvisionerOptions, release: Release
) -> Any:
    facts = _facts(settings, release)
    api = generation(release)
    if kind == api.node_class:
        return manifests.complete_class(given, facts, api)["spec"]
    default = manifests.class_of(name, settings.node_classes)
    return manifests.complete_pool(given, default, api)["spec"]


def _facts(settings: ProvisionerOptions, release: Release) -> ProvisionerSettings:
    """The settings; facts that are not known yet stand in, since no verdict depends on them."""
    if isinstance(settings, ProvisionerSettings):
        return settings
    return ProvisionerSettings(
        cluster_name="cluster", node_role_name="node", karpenter_version=release.version
    )


def _with_nearest(fault: Fault, class_names: Iterable[str]) -> Fault:
    """A fault of a class that is not there also names the one that may be meant."""
    if fault.path[-1:] != ("name",) or not isinstance(fault.value, str):
        return fault
    like = nearest(fault.value, class_names)
    return replace(fault, problem=f"{fault.problem}; the nearest is {like}") if like else fault
