"""What the tests and examples of other installers expect, where it holds here too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.cdk import App
from modules.core.faults import InvalidInput, dotted
from stacks.clusters import load_clusters
from stacks.karpenter import KarpenterStack
from tests.stacks.subset import differences

CASES = yaml.safe_load(Path(__file__).with_name("peer_cases.yaml").read_text(encoding="utf-8"))
BASELINE = {"name": "dev", "region": "us-west-2", "kubernetesVersion": "1.34"}


def of(kind: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{case['id']}: {case['about']}") for case in CASES if kind in case
    ]


def written(case: dict[str, Any], folder: Path) -> Path:
    path = folder / "clusters.yaml"
    path.write_text(yaml.safe_dump({"clusters": [{**BASELINE, **case["given"]}]}))
    return path


def test_every_case_expects_something() -> None:
    assert len(CASES) == len(of("faults")) + len(of("stack"))


@pytest.mark.parametrize("case", of("faults"))
def test_what_they_should_refuse_is_refused(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_clusters(written(case, tmp_path))
    found = {
        dotted(fault.path).removeprefix("clusters[0]."): fault for fault in caught.value.faults
    }
    assert found.keys() == case["faults"].keys()
    for path, fragment in case["faults"].items():
        assert fragment in str(found[path])


@pytest.mark.parametrize("case", of("stack"))
def test_what_they_should_make_is_made(case: dict[str, Any], tmp_path: Path) -> None:
    (cluster,) = load_clusters(written(case, tmp_path))
    app = App(outdir=str(tmp_path / "out"))
    KarpenterStack(app, "dev", cluster)
    app.synth()
    found = json.loads((tmp_path / "out/stacks/dev/cdk.tf.json").read_text(encoding="utf-8"))
    assert list(differences(case["stack"], found)) == []
    resources = {f"{kind}.{name}" for kind, named in found["resource"].items() for name in named}
    for absent in case.get("none", ()):
        assert not [name for name in resources if name.startswith(absent)]
