"""Karpenter's two Helm releases: the CRDs, then the controller. Importing this loads no CDKTF."""

from __future__ import annotations

from modules.release.settings import ReleaseOptions, ReleaseSettings

__all__ = ["ReleaseOptions", "ReleaseSettings"]
