"""What a destroy may do to the CRDs, which depends on the chart that brings them."""

from __future__ import annotations

from dataclasses import dataclass

from modules.core.catalogue import Capability, Release
from modules.core.faults import Fault


@dataclass(frozen=True)
class CrdsRule:
    """A choice of `delete_crds` that a release's charts cannot follow.

    Args:
        refused: the choice.
    """

    refused: bool
    problem: str
    allowed: str
    fix: str

    def judge(self, chosen: object) -> list[Fault]:
        """The fault of this choice."""
        if chosen is not self.refused:
            return []
        return [Fault(("deleteCrds",), self.problem, self.allowed, self.fix, chosen)]


def crds_rule(release: Release) -> CrdsRule | None:
    """The choice that is refused at a release, if there is one."""
    problem = f"cannot be had with Karpenter {release.version}"
    kept = Capability.KEPT_CRDS.first
    if not release.has(Capability.CRD_CHART):
        return CrdsRule(
            True,
            problem,
            "false, or nothing: Helm never deletes the CRDs of the controller's chart",
            "remove it, and delete the CRDs by hand after the destroy",
        )
    if not release.has(Capability.KEPT_CRDS):
        return CrdsRule(
            False,
            problem,
            f"true, or nothing: only charts from {kept} can keep their CRDs",
            f"remove it, or upgrade Karpenter to {kept} or later",
        )
    return None
