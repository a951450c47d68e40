"""What the README shows can be used as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from modules.core.catalogue import DEFAULT_VERSION, NEWEST_VERSION, OLDEST_VERSION
from stacks.clusters import load_clusters
from stacks.publish import GENERATED

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, beginning: str) -> str:
    """The README's one block of a language that begins so."""
    found = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    (only,) = (text for text in found if text.startswith(beginning))
    return str(only)


def test_the_python_example_synthesizes_its_stack(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = block("python", "from modules.cdk")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "cdktf.out/stacks/demo/cdk.tf.json").is_file()


def test_the_cluster_file_of_the_readme_loads(tmp_path: Path) -> None:
    file = tmp_path / "clusters.yaml"
    file.write_text(block("yaml", "clusters:"))
    (cluster,) = load_clusters(file)
    assert (cluster.name, list(cluster.node_pools)) == ("demo", ["default"])


def test_the_module_call_is_the_one_of_the_basic_example() -> None:
    example = (GENERATED / "karpenter/examples/basic/main.tf").read_text(encoding="utf-8")
    called = block("hcl", 'module "karpenter"')
    source = r"^(  # .*\n)*  (source) = .*\n"
    assert re.sub(source, "", called, flags=re.MULTILINE) in re.sub(
        source, "", example, flags=re.MULTILINE
    )


@pytest.mark.parametrize("version", [OLDEST_VERSION, NEWEST_VERSION, DEFAULT_VERSION])
def test_the_releases_it_names_are_those_of_the_catalogue(version: str) -> None:
    assert re.search(rf"\b{re.escape(version)}\b", README)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(tests/[\w/.]+)`", README))))
def test_what_it_calls_a_proof_is_there(path: str) -> None:
    assert (ROOT / path).exists()
