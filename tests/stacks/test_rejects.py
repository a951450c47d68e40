"""Bad cluster files as data: each gives exactly the faults it should, its right twin none."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.faults import InvalidInput, dotted
from stacks.clusters import load_clusters

BASELINE = """\
clusters:
  - name: dev
    region: us-west-2
    kubernetesVersion: "1.34"
"""

FOLDER = Path(__file__).parents[1] / "rejects"
CASES = [
    pytest.param(case, id=f"{file.stem}: {case['name']}")
    for file in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.safe_load(file.read_text(encoding="utf-8"))
]


def write(folder: Path, *, file: str | None = None, add: str = "", **change: str) -> Path:
    text = file
    if text is None:
        text = BASELINE
        for old, new in change.items():
            assert old in text
            text = text.replace(old, new)
        text += textwrap.indent(add, "    ")
    path = folder / "clusters.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_baseline_is_accepted(tmp_path: Path) -> None:
    (cluster,) = load_clusters(write(tmp_path))
    assert (cluster.stack_id, cluster.karpenter_version) == ("dev", "1.14.2")


@pytest.mark.parametrize("case", CASES)
def test_a_bad_file_gives_all_its_faults_and_no_others(
    case: dict[str, Any], tmp_path: Path
) -> None:
    path = write(tmp_path, file=case.get("file"), add=case.get("add", ""), **case.get("change", {}))
    with pytest.raises(InvalidInput) as caught:
        load_clusters(path)
    found = caught.value.faults
    assert [(dotted(f.path) or "(top level)", f.line) for f in found] == [
        (expected["path"], expected.get("line")) for expected in case["faults"]
    ]
    for fault, expected in zip(found, case["faults"], strict=True):
        for fragment in expected["says"]:
            assert fragment in str(fault)
        assert fault.allowed
        assert fault.fix


@pytest.mark.parametrize(
    "case", [case for case in CASES if {"right", "right_file"} & set(case.values[0])]
)
def test_its_right_twin_is_accepted(case: dict[str, Any], tmp_path: Path) -> None:
    load_clusters(write(tmp_path, file=case.get("right_file"), add=case.get("right", "")))


def test_the_message_lists_the_faults_in_the_order_of_the_file(tmp_path: Path) -> None:
    (case,) = (c.values[0] for c in CASES if "five faults" in c.values[0]["name"])
    with pytest.raises(InvalidInput) as caught:
        load_clusters(write(tmp_path, file=case["file"]))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path}/clusters.yaml: 7 faults, nothing was written\n\n1. ")
    places = [
        message.index(f"{n}. {e['path']} (line {e['line']})")
        for n, e in enumerate(case["faults"], 1)
    ]
    assert places == sorted(places)
