"""What all tests share: the reference folder and the versions in the report's header."""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

import pytest


def pytest_report_header() -> str:
    packages = ("cdktf", "cdktf-cdktf-provider-aws", "cdktf-cdktf-provider-helm", "pydantic")
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)


@pytest.fixture(scope="session")
def reference_dir() -> Path:
    """Facts gathered from Karpenter's releases, which users do not have.

    CI sets REQUIRE_REFERENCE, so that there a missing folder fails instead of skipping.
    """
    folder = os.environ.get("KARPENTER_REFERENCE_DIR")
    if folder and Path(folder).is_dir():
        return Path(folder)
    message = "KARPENTER_REFERENCE_DIR names no reference folder"
    if os.environ.get("REQUIRE_REFERENCE"):
        pytest.fail(message)
    pytest.skip(message)
