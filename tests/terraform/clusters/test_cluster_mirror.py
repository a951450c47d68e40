"""A cluster's stack with providers that Terraform finds, checks, locks and starts itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.terraform.clusters.cases import PLAIN
from tests.terraform.clusters.conftest import Synthesize
from tests.terraform.clusters.installation import copied
from tests.terraform.standin.standin import Standin


@pytest.fixture
def directory(synthesize: Synthesize, tmp_path: Path) -> Path:
    return copied(synthesize(PLAIN), tmp_path / "stack")


@pytest.mark.slow
def test_a_stack_locks_its_providers_and_lives_with_them(
    standin: Standin, terraform: Any, directory: Path, tmp_path: Path
) -> None:
    standin.eks_cluster("plain")
    tf = terraform(directory, standin.mirror(tmp_path / "mirror").environment())
    tf.init()
    lock = (directory / ".terraform.lock.hcl").read_text()
    for provider, version in standin.mirror(tmp_path / "again").versions.items():
        assert f'provider "registry.terraform.io/hashicorp/{provider}"' in lock
        assert f'version     = "{version}"' in lock
    tf.apply()
    assert tf.plan().empty
    tf.destroy()
    assert standin.leftovers() == []
