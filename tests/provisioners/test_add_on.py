"""The add-on style: equal to Karpenter's own fields, and its faults told in its own words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES
from modules.core.faults import dotted
from modules.core.inputs import parse
from modules.provisioners.add_on import check_add_on, duration, translate
from modules.provisioners.add_on_settings import AddOnSettings
from tests.provisioners.facts import RELEASE, classes, pools

CASES: dict[str, dict[str, Any]] = {
    case.pop("case"): case
    for case in yaml.safe_load(Path(__file__).with_name("add_on.yaml").read_text())
}
REQUIREMENT = {"key": "kubernetes.io/arch", "op": "In", "vals": ["amd64"]}
BLOCK = {"amiAlias": "al2023@v20250920", "requirements": [REQUIREMENT]}


def read(block: dict[str, Any]) -> AddOnSettings:
    settings, faults = parse(AddOnSettings, block)
    assert settings, faults
    return settings


@pytest.mark.parametrize("name", CASES)
def test_both_styles_give_the_same_manifests(name: str) -> None:
    case = CASES[name]
    made = translate(read(case["add_on"]))
    translated = {"node_classes": made.node_classes, "node_pools": made.node_pools}
    own = {
        "node_classes": {"default": case["node_class"]},
        "node_pools": {"default": case["node_pool"]},
    }
    assert classes(**translated) == classes(**own)
    assert pools(**translated) == pools(**own)
    assert made.interruption_handling == case.get("interruption_handling")
    assert made.values == case.get("values", {})


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("version", ["1.0.0", RELEASE.version])
def test_what_the_translation_makes_is_valid(name: str, version: str) -> None:
    assert check_add_on(read(CASES[name]["add_on"]), RELEASES[version]) == []


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        ({}, []),
        ({"consolidation": {"enabled": True}, "ttlSecondsAfterEmpty": 30}, [""]),  # ceb-11
        ({"consolidation": {"enabled": False}, "ttlSecondsAfterEmpty": 30}, []),
        ({"consolidation": {"enabled": True}}, []),
        ({"consolidation": {"enable": True}}, ["consolidation.enable", "consolidation.enabled"]),
        ({"requirements": [{**REQUIREMENT, "op": "Within"}]}, ["requirements[0].op"]),
        ({"requirements": [{**REQUIREMENT, "vals": [1]}]}, ["requirements[0].vals[0]"]),
        ({"requirements": [{"key": "kubernetes.io/arch"}]}, ["requirements[0].op"]),
        ({"requirements": [{**REQUIREMENT, "operator": "In"}]}, ["requirements[0].operator"]),
        ({"ttlSecondsUntilExpired": -1}, ["ttlSecondsUntilExpired"]),
        ({"amiFamily": "Ubuntu"}, ["amiFamily"]),
        ({"subnetTag": {"Name": "x"}}, ["subnetTag"]),
    ],
)
def test_the_block_itself_is_checked(changes: dict[str, Any], paths: list[str]) -> None:
    _, faults = parse(AddOnSettings, {**BLOCK, **changes})
    assert sorted(dotted(fault.path) for fault in faults) == paths


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        ({}, []),
        ({"amiAlias": None}, ["amiAlias"]),
        ({"amiAlias": "al2023"}, ["amiAlias"]),
        ({"amiFamily": "AL2"}, ["amiFamily"]),
        ({"amiFamily": "AL2023"}, []),
        ({"subnetTags": {"Name": "x"}}, ["securityGroupTags"]),
        ({"securityGroupTags": {"Name": "x"}}, ["subnetTags"]),
        ({"securityGroupTags": {"Name": "x"}, "subnetTags": {"Name": "x"}}, []),
        ({"requirements": [{**REQUIREMENT, "vals": []}]}, ["requirements[0]"]),
        ({"requirements": [{**REQUIREMENT, "op": "Gt"}]}, ["requirements[0].vals"]),
        ({"taints": [{"key": "a", "effect": "Sometimes"}]}, ["taints[0].effect"]),
        ({"startupTaints": [{"effect": "NoExecute"}]}, ["startupTaints[0].key"]),
        ({"labels": {"karpenter.sh/nodepool": "x"}}, ["labels"]),
        ({"weight": 101}, ["weight"]),
        ({"weight": 100}, []),
        ({"limits": {"cpu": "many"}}, ["limits.cpu"]),
        ({"tags": {"karpenter.sh/nodepool": "x"}}, ["tags"]),
    ],
)
def test_faults_of_the_translation_stand_where_the_user_wrote(
    changes: dict[str, Any], paths: list[str]
) -> None:
    faults = check_add_on(read({**BLOCK, **changes}), RELEASE)
    found = [dotted(fault.path) for fault in faults]
    assert len(found) == len(paths)
    assert all(at.startswith(path) for at, path in zip(found, paths, strict=True)), found
    assert not any("SelectorTerms" in str(fault) for fault in faults)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "Never"),
        (0, "0s"),
        (30, "30s"),
        (59, "59s"),
        (60, "1m"),
        (61, "61s"),
        (3599, "3599s"),
        (3600, "1h"),
        (5400, "90m"),
        (2592000, "720h"),
    ],
)
def test_durations_are_written_in_the_largest_whole_unit(seconds: int | None, text: str) -> None:
    assert duration(seconds) == text
