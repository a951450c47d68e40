"""Settings that are for one Karpenter release."""

from __future__ import annotations

from modules.core.catalogue import Release, find
from modules.core.faults import Fault
from modules.core.inputs import M, Settings

VERSION_FIELDS = ("karpenter_version", "accept_newer_version")
"""Literal in the published modules too: each is made for one release."""


class Versioned(Settings):
    """What names the release."""

    karpenter_version: str
    """Karpenter release, such as 1.14.2, or a line such as 1.14, which is its newest release."""

    accept_newer_version: bool = False
    """Whether a release newer than all known ones is taken to be like the newest of them."""

    @property
    def release(self) -> Release | Fault:
        """The release, or the fault of naming none."""
        return find(self.karpenter_version, "karpenterVersion", newer=self.accept_newer_version)

    @classmethod
    def expressions(cls: type[M], **given: object) -> M:
        """As for all settings, but the release is literal."""
        return super().expressions(**{"accept_newer_version": False, **given})
