"""The provider versions that the modules ask for: checked, locked, and old enough to be true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from stacks.publish import GENERATED
from stacks.published.base import PROVIDERS
from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import OBJECTS, facts, root
from tests.terraform.standin.standin import Standin

FLOOR = {"aws": "6.0.0", "helm": "3.0.0"}
USED = yaml.safe_load(Path(__file__).with_name("floor.yaml").read_text(encoding="utf-8"))
META = {"count", "for_each", "depends_on", "lifecycle"}


def test_the_floor_is_the_one_that_is_tested() -> None:
    floors = {name: provider["version"].split(",")[0] for name, provider in PROVIDERS.items()}
    assert floors == {name: f">= {version[:-2]}" for name, version in FLOOR.items()}


@pytest.mark.slow
def test_the_modules_live_with_the_oldest_providers_they_allow(
    standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo")
    variables = {**facts("karpenter", cluster), **OBJECTS}
    folder = root(tmp_path / "root", "karpenter", variables, endpoint=cluster.endpoint)
    tf = terraform(folder, standin.mirror(tmp_path / "mirror", **FLOOR).environment())
    tf.init()
    lock = (folder / ".terraform.lock.hcl").read_text()
    for name, version in FLOOR.items():
        assert f'provider "registry.terraform.io/hashicorp/{name}"' in lock
        assert f'version     = "{version}"' in lock
        ceiling = f"{int(version[0]) + 1}.0.0"
        assert f'constraints = ">= {version}, < {ceiling}"' in lock
    tf.apply()
    assert tf.plan().empty
    tf.destroy()
    assert standin.leftovers() == []


@pytest.mark.parametrize(
    ("name", "version", "taken"),
    [
        ("aws", "5.100.0", False),
        ("aws", "6.0.0", True),
        ("aws", "6.999.0", True),
        ("aws", "7.0.0", False),
        ("helm", "2.17.0", False),
        ("helm", "3.0.0", True),
        ("helm", "3.999.0", True),
        ("helm", "4.0.0", False),
    ],
)
def test_a_provider_outside_the_range_is_refused(
    name: str,
    version: str,
    taken: bool,
    standin: Standin,
    terraform: MakeTerraform,
    tmp_path: Path,
) -> None:
    given = facts("karpenter", standin.eks_cluster("demo"))
    folder = root(tmp_path / "root", "karpenter", given)
    mirror = standin.mirror(tmp_path / "mirror", **{name: version})
    said = terraform(folder, mirror.environment()).init(fail=not taken).text
    assert ("no available releases match the given constraints" in said) is not taken


def test_nothing_newer_than_the_floor_is_set() -> None:
    used: dict[str, dict[str, set[str]]] = {"resource": {}, "data": {}}
    for path in GENERATED.glob("json/*/main.tf.json"):
        tree: dict[str, Any] = json.loads(path.read_text())
        for kind, types in used.items():
            for type_, named in tree.get(kind, {}).items():
                attributes = {key for block in named.values() for key in block}
                types.setdefault(type_, set()).update(attributes - META)
    listed = {kind: {t: set(names) for t, names in USED[kind].items()} for kind in used}
    assert used == listed


def test_nothing_newer_than_the_floor_is_read() -> None:
    read: dict[str, set[str]] = {}
    for path in GENERATED.rglob("*.tf"):
        for type_, attribute in re.findall(r"\bdata\.(\w+)\.\w+\.(\w+)", path.read_text()):
            read.setdefault(type_, set()).add(attribute)
    assert read == {type_: set(names) for type_, names in USED["read"].items()}
