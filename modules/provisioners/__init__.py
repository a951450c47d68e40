"""Provisioners: node pools and node classes, applied through a local Helm chart."""

from modules.provisioners.settings import ProvisionerOptions, ProvisionerSettings

__all__ = ["ProvisionerOptions", "ProvisionerSettings"]
