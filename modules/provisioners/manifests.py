"""Node classes and node pools: from what a user gives to what the chart makes.

The same completion exists twice, here for literals and in `expressions.py` as Terraform for
the published module; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from modules.core import names
from modules.core.expressions import Expr, quoted
from modules.provisioners.kinds import Generation, ObjectKind
from modules.provisioners.settings import ProvisionerSettings

Object = Mapping[str, Any]

ENVELOPE = ("apiVersion", "kind", "metadata", "spec")
"""The keys of a manifest; none of them is a field of either spec."""

KEPT_METADATA = ("annotations", "labels")
"""What is taken over from a pasted manifest's metadata; the name is the key it stands under."""

METADATA_DEFAULTS: dict[str, Any] = {
    "httpEndpoint": "enabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}
"""Session tokens and one hop, so that a pod cannot take its node's role: Karpenter's own v1
default, and what the EKS best-practices guide asks for. A pod that needs the metadata service
runs in the host's network, or its class sets the hop limit to 2."""


def is_manifest(given: Object) -> bool:
    """Whether this is a whole manifest rather than a bare spec."""
    return any(key in given for key in ENVELOPE)


def has_spec(given: Object) -> bool:
    """Whether there is a spec to read."""
    return isinstance(given.get("spec"), Mapping) if is_manifest(given) else True


def normalised(given: Object) -> dict[str, Any]:
    """A manifest or bare spec as `{annotations?, labels?, spec}`; null fields count as absent."""
    metadata = _mapping(given.get("metadata"))
    kept = {key: metadata[key] for key in KEPT_METADATA if metadata.get(key) is not None}
    return {**kept, "spec": _present(given.get("spec", given))}


def complete_class(given: Object, settings: ProvisionerSettings, api: Generation) -> dict[str, Any]:
    """A node class with what the cluster and the project's defaults add to it."""
    manifest = normalised(given)
    spec = dict(manifest["spec"])
    if api.has_role and not any(field in spec for field in api.identities):
        spec["role"] = settings.node_role_name
    if not any(field in spec for field in api.selectors):
        tags = {names.DISCOVERY_TAG: settings.cluster_name}
        spec.update(dict.fromkeys(api.selectors, [{"tags": tags}] if api.terms else tags))
    options = {**METADATA_DEFAULTS, "httpProtocolIPv6": ipv6_endpoint(settings.ip_family)}
    spec["metadataOptions"] = _merged(options, spec.get("metadataOptions", {}))
    if tagged := _merged(settings.tags, spec.get("tags", {})):
        spec["tags"] = tagged
    return {**manifest, "spec": spec}


def complete_pool(given: Object, default_class: str | Expr, api: Generation) -> dict[str, Any]:
    """A node pool whose reference to its class is complete.

    Args:
        default_class: the class's name where the pool gives none.
    """
    manifest = normalised(given)
    spec = manifest["spec"]
    if not _takes_reference(spec, api) or has_inline_class(spec, api):
        return manifest
    reference = {**api.reference_to, **reference_of(spec, api)}
    reference["name"] = named_class(spec, default_class, api)
    return {**manifest, "spec": _with(spec, api.reference, reference)}


def has_inline_class(spec: Object, api: Generation) -> bool:
    """Whether a pool says itself what its nodes are made of, as a Provisioner may."""
    return api.reference == ("providerRef",) and spec.get("provider") is not None


def reference_of(spec: Object, api: Generation) -> Object:
    """A pool's reference to its class, as far as it is given."""
    here = spec
    for step in api.reference:
        here = _mapping(here.get(step))
    return here


def named_class(spec: Object, default: str | Expr, api: Generation) -> Any:
    """The name of a pool's class."""
    name = reference_of(spec, api).get("name")
    return default if name in (None, "") else name


def class_of(pool: str | Expr, class_names: Collection[str] | Expr) -> str | Expr:
    """The class of a pool that names none: the only one there is, or the one of its name."""
    if isinstance(class_names, Expr):
        listed = class_names.text
        return Expr(f"length({listed}) == 1 ? {listed}[0] : {quoted(pool)}")
    return next(iter(class_names)) if len(class_names) == 1 else pool


def chart_values(kind: ObjectKind, objects: Mapping[str, Any] | Expr) -> dict[str, Any]:
    """Values of the local chart: it makes one object of this kind for each entry."""
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "awaitRemoval": kind.outlives_deletion,
        "objects": objects,
    }


def ipv6_endpoint(ip_family: str | Expr) -> str | Expr:
    """Whether nodes serve their metadata over IPv6 too, in EC2's words."""
    if isinstance(ip_family, Expr):
        return Expr(f'{ip_family.text} == "ipv6" ? "enabled" : "disabled"')
    return "enabled" if ip_family == "ipv6" else "disabled"


def _with(spec: Object, steps: Sequence[str], value: Any) -> dict[str, Any]:
    """The spec with a value at a place in it."""
    first, *rest = steps
    inner = _with(_mapping(spec.get(first)), rest, value) if rest else value
    return {**spec, first: inner}


def _takes_reference(spec: Object, api: Generation) -> bool:
    """Whether a reference to the class has a place: no mistake, no expression, stands in it."""
    here: Any = spec
    for step in api.reference:
        here = here.get(step)
        if here is None:
            return True
        if not isinstance(here, Mapping):
            return False
    return True


def _present(fields: Object) -> dict[str, Any]:
    return {field: value for field, value in fields.items() if value is not None}


def _mapping(value: Any) -> Object:
    """The value where it is a mapping; anything else is null, or a mistake for the checks."""
    return value if isinstance(value, Mapping) else {}


def _merged(defaults: Object, given: Any) -> Any:
    """Defaults under what is given; an expression or a mistake stays as it is."""
    return {**defaults, **given} if isinstance(given, Mapping) else given
