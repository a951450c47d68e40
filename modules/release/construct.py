"""Places Karpenter's two Helm releases; the files beside it decide what is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modules.cdk import Construct, HelmRelease
from modules.core.catalogue import Capability
from modules.core.expressions import Expr, template
from modules.core.placing import Placed, depend, place, when
from modules.release.checks import checked
from modules.release.releases import controller_release, crds_release
from modules.release.settings import ReleaseSettings


class KarpenterRelease(Construct):
    """The CRDs and the controller of one Karpenter release.

    Args:
        scope: the stack, or a construct in it.
        id_: `release` in a cluster stack.
        settings: literals or Terraform expressions.
        after: what must be there before Karpenter starts and stay until it has gone:
            its permissions, its queue.

    Raises:
        InvalidInput: the version is unknown, or the settings do not fit it.

    Attributes:
        crds, crd_version: None where the controller's chart brings the CRDs.
        controller, controller_version: of the controller.
    """

    def __init__(
        self, scope: Construct, id_: str, settings: ReleaseSettings, after: Sequence[Placed] = ()
    ) -> None:
        super().__init__(scope, id_)
        release = checked(settings)
        self.crds = when(
            release.has(Capability.CRD_CHART),
            lambda: self._helm_release("crds", crds_release(settings, release), after),
        )
        waits_for = [*after, self.crds]
        controller = self._helm_release(
            "controller", controller_release(settings, release), waits_for
        )
        self.controller = place(controller)
        self.crd_version = self.crds.attribute("version") if self.crds else None
        self.controller_version = self.controller.attribute("version")

    def _helm_release(
        self, id_: str, attributes: Mapping[str, Any], after: Sequence[Placed | None]
    ) -> HelmRelease:
        given: dict[str, Any] = {}
        overrides: dict[str, Expr] = {}
        for name, value in attributes.items():
            if isinstance(value, Expr):
                overrides[name] = value  # The bindings want numbers and booleans as such.
            else:
                # Values documents are template text already.
                given[name] = template(value) if isinstance(value, str) else value
        element = HelmRelease(self, id_, **given)
        for name, expression in overrides.items():
            element.add_override(name, str(expression))
        depend(element, after)
        return element
