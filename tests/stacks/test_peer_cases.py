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
from stacks.notices import notices
from tests.stacks.subset import differences

ALL = yaml.safe_load(Path(__file__).with_name("peer_cases.yaml").read_text(encoding="utf-8"))
CASES = ALL["cases"]
TOP = Path(__file__).parents[2]
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
    assert len(CASES) == sum(len(of(kind)) for kind in ("faults", "told", "stack"))


def test_every_case_of_the_others_is_run_or_left_out_for_a_reason(reference_dir: Path) -> None:
    theirs = json.loads((reference_dir.parent / "cases/peer-cases.json").read_text())["cases"]
    here = {case["id"] for case in CASES}
    elsewhere = [id_ for ids in ALL["elsewhere"].values() for id_ in ids]
    listed = [*here, *elsewhere, *ALL["left_out"]]
    assert sorted(listed) == sorted(case["id"] for case in theirs)
    assert (len(here), len(elsewhere), len(ALL["left_out"])) == (49, 6, 9)


def test_a_case_that_other_tests_run_is_named_there() -> None:
    for file, ids in ALL["elsewhere"].items():
        text = (TOP / file).read_text(encoding="utf-8")
        assert all(f"({id_})" in text for id_ in ids)


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


@pytest.mark.parametrize("case", of("told"))
def test_what_they_should_warn_of_is_told(case: dict[str, Any], tmp_path: Path) -> None:
    (cluster,) = load_clusters(written(case, tmp_path))
    lines = notices(cluster)
    assert len(lines) == len(case["told"])
    assert all(fragment in line for fragment, line in zip(case["told"], lines, strict=True))


@pytest.mark.parametrize("case", of("stack"))
def test_what_they_should_make_is_made(case: dict[str, Any], tmp_path: Path) -> None:
    (cluster,) = load_clusters(written(case, tmp_path))
    app = App(outdir=str(tmp_path / "out"))
    KarpenterStack(app, "dev", cluster)
    app.synth()
    found = json.loads((tmp_path / "out/stacks/dev/cdk.tf.json").read_text(encoding="utf-8"))
    assert list(differences(case["stack"], found)) == []
    resources = {f"{kind}.{name}" for kind, named in found["resource"].items() for name in named}
    if "lacks" in case:
        assert list(differences(case["lacks"], found))
    for absent in case.get("none", ()):
        assert not [name for name in resources if name.startswith(absent)]
