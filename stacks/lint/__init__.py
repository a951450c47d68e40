"""Linting files: manifests of Karpenter's kinds, and cluster files."""

from modules.provisioners.lint.finding import Facts, Severity
from stacks.lint.run import Report, Request

__all__ = ["Facts", "Report", "Request", "Severity"]
