"""Attributes of the two `helm_release` resources, as literals and expressions.

Decided here:
- `atomic` and `cleanup_on_fail` stay off. On a failure they delete: with a CRD goes every
  node pool, class and claim, and with a purged controller go the events and logs that tell
  what failed. A failed upgrade leaves the old replica running (the chart's rolling update
  takes one of two away) and the next apply repeats it.
- Helm never deletes a namespace that it created, so that whatever else lives there stays.
- `take_ownership` stays off: it came with release 3.1 of the helm provider, and 3.0 is allowed.
  CRDs that something else installed are handed over by Helm's own label and annotations.
- No registry credentials: Terraform would keep them in its state, where they expire.
"""

from __future__ import annotations

from typing import Any, Final

from modules.core import names
from modules.core.catalogue import Capability, Release
from modules.core.expressions import Expr, json_document, quoted
from modules.release.settings import ReleaseSettings
from modules.release.values import controller_values, crd_values

_MAX_HISTORY: Final = 10
"""Revisions that Helm keeps, as its command line does; the provider would keep them all."""


def crds_release(settings: ReleaseSettings, release: Release) -> dict[str, Any]:
    """The attributes of the release of the CRDs. It comes first, so it makes the namespace.

    There is none where a release has no chart of them: the controller's chart brings them then.
    """
    values = crd_values(settings, release)
    return {
        **_common(settings, release),
        "name": names.CRD_CHART,
        "chart": names.CRD_CHART,
        "create_namespace": _is_created(settings.namespace),
        **({"values": [json_document(values)]} if values else {}),
    }


def controller_release(settings: ReleaseSettings, release: Release) -> dict[str, Any]:
    """The attributes of the release of the controller."""
    has_crd_chart = release.has(Capability.CRD_CHART)
    return {
        **_common(settings, release),
        "name": names.CHART,
        "chart": names.CHART,
        # The copies in this chart are installed once and never upgraded: only where there is no
        # other chart of them.
        "skip_crds": has_crd_chart,
        **({} if has_crd_chart else {"create_namespace": _is_created(settings.namespace)}),
        "values": [json_document(d) for d in controller_values(settings, release)],
    }


def _common(settings: ReleaseSettings, release: Release) -> dict[str, Any]:
    return {
        "repository": _repository(settings.chart_repository, release),
        "version": release.chart_version,
        "namespace": settings.namespace,
        "timeout": settings.timeout_seconds,
        "wait": True,
        "max_history": _MAX_HISTORY,
    }


def _repository(chosen: str | Expr | None, release: Release) -> str | Expr:
    if isinstance(chosen, Expr):
        return Expr(f"coalesce({chosen.text}, {quoted(release.chart_repository)})")
    return chosen or release.chart_repository


def _is_created(namespace: str | Expr) -> bool | Expr:
    if isinstance(namespace, Expr):
        return Expr(f"{namespace.text} != {quoted(names.DEFAULT_NAMESPACE)}")
    return namespace != names.DEFAULT_NAMESPACE
