"""What is told of clusters in which nothing is wrong, and what a strict cluster makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.inputs import parse
from stacks.notices import as_text, notices
from stacks.rules import check_cluster, warnings
from stacks.settings import ClusterSettings

CASES: dict[str, dict[str, Any]] = {
    case["case"]: case
    for case in yaml.safe_load(Path(__file__).with_name("notices.yaml").read_text(encoding="utf-8"))
}
BASELINE = {"name": "dev", "region": "us-west-2", "kubernetesVersion": "1.34"}


def cluster(case: dict[str, Any], **changes: Any) -> ClusterSettings:
    settings, faults = parse(ClusterSettings, {**BASELINE, **case["given"], **changes})
    assert settings, faults
    return settings


@pytest.mark.parametrize("name", CASES)
def test_a_cluster_is_told_exactly_what_is_worth_a_word(name: str) -> None:
    given = cluster(CASES[name])
    assert check_cluster(given) == []
    assert notices(given) == CASES[name]["told"]


@pytest.mark.parametrize("name", CASES)
def test_a_strict_cluster_is_refused_for_its_warnings_and_for_nothing_else(name: str) -> None:
    case = CASES[name]
    faults = check_cluster(cluster(case, strict=True))
    assert faults == warnings(cluster(case))
    assert [as_text(fault) for fault in faults] == case["told"][: case.get("strict", 0)]
