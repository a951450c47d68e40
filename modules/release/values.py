"""Values documents of the two releases.

Precedence in the controller's: this module's defaults, over them the user's values, over
them the facts that the module owns.
"""

from __future__ import annotations

from typing import Any, Final

from modules.core import names
from modules.core.catalogue import Capability, Release
from modules.core.expressions import Expr, json_document, quoted
from modules.release import concepts
from modules.release.controller_settings import values_of
from modules.release.merge import merged
from modules.release.settings import ReleaseSettings

KEEP: Final = {"helm.sh/resource-policy": "keep"}
"""Annotation that makes Helm leave an object behind when it uninstalls the release."""

# Karpenter's installation guide: requests equal to limits, so that the controller is never
# the first pod to be evicted. The chart itself asks for nothing.
_RESOURCES: Final = {"cpu": "1", "memory": "1Gi"}
_DEFAULTS: Final = {"controller": {"resources": {"requests": _RESOURCES, "limits": _RESOURCES}}}

_WEBHOOK_DEFAULTS: Final[dict[str, Any]] = {"enabled": True, "port": 8443}
"""What both charts agree on, unless told otherwise, about the conversion webhook."""


def controller_values(settings: ReleaseSettings, release: Release) -> list[Any]:
    """The controller's values documents; Helm merges them, the last one winning.

    Literal values of the user are merged here, into a single document. Values that only
    Terraform knows are a document of their own between the other two, merged by Helm in the
    same order and by the same rules.
    """
    user: Any = settings.values
    facts = _facts(settings, release)
    defaults = merged(_DEFAULTS, _webhook_default(release), _chosen(settings, release))
    if isinstance(user, Expr):
        return [defaults, user, facts]
    return [merged(defaults, user, facts)]


def crd_values(settings: ReleaseSettings, release: Release) -> dict[str, Any]:
    """The values of the CRD chart; empty where its defaults are right."""
    values: dict[str, Any] = {}
    if release.has(Capability.KEPT_CRDS):
        values |= _kept(settings.delete_crds)
    if release.has(Capability.CONVERSION_WEBHOOK):
        values["webhook"] = _webhook(settings)
    return values


def _webhook_default(release: Release) -> dict[str, Any]:
    """Some charts leave off the webhook that their CRDs call."""
    needed = release.has(Capability.CONVERSION_WEBHOOK)
    off = concepts.default_of(concepts.WEBHOOK, release) is False
    return concepts.placed(concepts.WEBHOOK, release, True) if needed and off else {}


def _chosen(settings: ReleaseSettings, release: Release) -> dict[str, Any]:
    chosen: Any = settings.settings
    return {} if isinstance(chosen, Expr) else values_of(chosen, release)


def _facts(settings: ReleaseSettings, release: Release) -> dict[str, Any]:
    profile: str | Expr | None = settings.default_instance_profile
    return merged(
        concepts.placed(concepts.CLUSTER_NAME, release, settings.cluster_name),
        concepts.placed(concepts.CLUSTER_ENDPOINT, release, settings.cluster_endpoint),
        _interruption(settings.interruption_handling, settings.queue_name, release),
        {} if profile is None else concepts.placed(concepts.INSTANCE_PROFILE, release, profile),
        {
            "serviceAccount": {
                "create": True,
                "name": settings.service_account,
                "annotations": {names.ROLE_ANNOTATION: settings.controller_role_arn},
            },
        },
    )


def _interruption(
    switch: bool | Expr, queue_name: str | Expr | None, release: Release
) -> dict[str, Any]:
    if release.has(Capability.QUEUE_NAMED_AS_CLUSTER):
        return concepts.placed(concepts.INTERRUPTION, release, switch)
    if isinstance(switch, Expr):
        # An empty name is the chart's own default: interruption handling is off.
        named: object = Expr(f'{switch.text} ? {quoted(queue_name)} : ""')
        return concepts.placed(concepts.INTERRUPTION, release, named)
    return concepts.placed(concepts.INTERRUPTION, release, queue_name) if switch else {}


def _kept(delete_crds: bool | Expr | None) -> dict[str, Any]:
    if isinstance(delete_crds, Expr):
        pairs = ", ".join(f"{quoted(key)} = {quoted(value)}" for key, value in KEEP.items())
        # Not a conditional: Terraform wants both of its sides to be of one type.
        kept = f"{{ for key, value in {{ {pairs} }} : key => value if {delete_crds.text} != true }}"
        return {"additionalAnnotations": Expr(kept)}
    return {} if delete_crds else {"additionalAnnotations": KEEP}


def _webhook(settings: ReleaseSettings) -> dict[str, Any]:
    """How the CRDs reach the controller's conversion webhook, as the user's values have it."""
    user: Any = settings.values
    given = Expr(f"{user.text}.webhook") if isinstance(user, Expr) else user.get("webhook", {})
    if isinstance(given, Expr):
        # Both defaults read the same in JSON and in Terraform.
        given = {
            key: Expr(f"try({given.text}.{key}, {json_document(default)})")
            for key, default in _WEBHOOK_DEFAULTS.items()
        }
    return {
        **{key: given.get(key, default) for key, default in _WEBHOOK_DEFAULTS.items()},
        "serviceName": names.CHART,
        "serviceNamespace": settings.namespace,
    }
