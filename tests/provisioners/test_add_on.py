"""The add-on style: equal to Karpenter's own fields, and its faults told in its own words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import NEWEST_KNOWN, RELEASES, Release
from modules.core.faults import dotted
from modules.core.inputs import parse
from modules.provisioners.add_on import check_add_on, translate, warnings
from modules.provisioners.add_on_settings import AddOnSettings
from modules.provisioners.translation import duration
from tests.provisioners.facts import RELEASE

CASES: dict[str, dict[str, Any]] = {
    case.pop("case"): case
    for case in yaml.safe_load(Path(__file__).with_name("add_on.yaml").read_text())
}
REQUIREMENT = {"key": "kubernetes.io/arch", "op": "In", "vals": ["amd64"]}
TAGS = {"subnetTags": {"Name": "a"}, "securityGroupTags": {"Name": "b"}}
BLOCK = {"amiAlias": "al2023@v20250920", "requirements": [REQUIREMENT], **TAGS}


def read(block: dict[str, Any]) -> AddOnSettings:
    settings, faults = parse(AddOnSettings, block)
    assert settings, faults
    return settings


def release_of(case: dict[str, Any]) -> Release:
    return RELEASES[case.get("release", RELEASE.version)]


@pytest.mark.parametrize("name", CASES)
def test_both_styles_give_the_same_objects(name: str) -> None:
    case = CASES[name]
    block = read(case["add_on"])
    made = translate(block, release_of(case))
    assert made.node_classes == {"default": case["node_class"]}
    assert made.node_pools == {"default": case["node_pool"]}
    if "told" in case:
        assert list(made.told) == case["told"]


@pytest.mark.parametrize("name", CASES)
def test_what_the_translation_makes_is_valid(name: str) -> None:
    case = CASES[name]
    assert check_add_on(read(case["add_on"]), release_of(case)) == []


@pytest.mark.parametrize(
    ("block", "makes", "lacks"),
    [
        ({}, False, None),
        ({"values": {"replicas": 1}}, False, None),
        ({"weight": 3}, False, "subnetTags and securityGroupTags"),
        ({"subnetTags": {"Name": "a"}}, False, "securityGroupTags"),
        ({"securityGroupTags": {"Name": "a"}}, False, "subnetTags"),
        (TAGS, True, None),
        ({"ec2NodeClassSpec": {"amiFamily": "AL2"}}, False, "nodePoolSpec"),
        ({"ec2NodeClassSpec": {"amiFamily": "AL2"}, "weight": 3}, True, None),
        ({"ec2NodeClassSpec": {"amiFamily": "AL2"}, "nodePoolSpec": {}}, True, None),
    ],
)
def test_a_pool_is_made_only_where_its_place_is_selected(
    block: dict[str, Any], makes: bool, lacks: str | None
) -> None:
    made = translate(read(block), RELEASE)
    assert bool(made.node_pools) is bool(made.node_classes) is makes
    told = [fault.problem for fault in warnings(read(block))]
    alone = "makes no class and no pool, because it has no {}: Karpenter is installed alone"
    assert told == ([] if lacks is None else [alone.format(lacks)])


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
        ({"requirements": [{"key": "kubernetes.io/arch"}]}, ["requirements[0]"]),
        ({"requirements": [{**REQUIREMENT, "operator": "In"}]}, ["requirements[0]"]),
        ({"requirements": [{**REQUIREMENT, "values": ["amd64"]}]}, ["requirements[0]"]),
        ({"requirements": [{"key": "a", "operator": "In", "values": ["b"]}]}, []),
        ({"ttlSecondsUntilExpired": -1}, ["ttlSecondsUntilExpired"]),
        ({"amiFamily": "Debian"}, ["amiFamily"]),
        ({"subnetTag": {"Name": "x"}}, ["subnetTag"]),
        ({"podIdentity": True}, ["podIdentity"]),
        ({"podIdentity": False}, []),
        ({"installCRDs": True}, []),
        ({"helmChartTimeout": "5m"}, []),
        ({"helmChartTimeout": 60}, []),
        ({"helmChartTimeout": 59}, ["helmChartTimeout"]),
        ({"helmChartTimeout": "2h"}, ["helmChartTimeout"]),
        ({"helmChartTimeout": "5 m"}, ["helmChartTimeout"]),
        ({"repository": "charts.karpenter.sh"}, ["repository"]),
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
        ({"amiAlias": "", "amiFamily": "AL2023"}, ["amiAlias"]),
        ({"subnetTags": {"Name": ""}}, ["subnetTags"]),
        ({"subnetTags": {"aws-ids": ""}}, ["subnetTags"]),
        ({"amiFamily": "AL2"}, ["amiFamily"]),
        ({"amiFamily": "AL2023"}, []),
        ({"amiAlias": None, "amiFamily": "Ubuntu"}, ["amiFamily", "amiAlias"]),
        ({"amiSelector": {"Name": "x"}}, ["amiSelector", "amiFamily"]),
        ({"amiSelector": {"Name": "x"}, "amiFamily": "AL2023"}, ["amiSelector"]),
        ({"amiAlias": None, "amiFamily": "AL2023", "amiSelector": {"Name": "x"}}, []),
        ({"subnetTags": {}, "weight": 101}, ["weight"]),
        ({"subnetTags": {}, "amiAlias": "al2023"}, []),
        ({"requirements": [{**REQUIREMENT, "vals": []}]}, ["requirements[0]"]),
        ({"requirements": [{**REQUIREMENT, "op": "Gt"}]}, ["requirements[0].vals"]),
        ({"taints": [{"key": "a", "effect": "Sometimes"}]}, ["taints[0].effect"]),
        ({"startupTaints": [{"effect": "NoExecute"}]}, ["startupTaints[0].key"]),
        ({"labels": {"karpenter.sh/nodepool": "x"}}, ["labels"]),
        ({"weight": 101}, ["weight"]),
        ({"weight": 100}, []),
        ({"limits": {"cpu": "many"}}, ["limits.cpu"]),
        ({"tags": {"Name": "x"}}, []),
        ({"tags": {"karpenter.sh/nodepool": "x"}}, ["tags"]),
        ({"tags": {"karpenter.k8s.aws/x": "x"}}, ["tags"]),
        ({"tags": {"kubernetes.io/cluster/x": "owned"}}, ["tags"]),
        ({"tags": {"kubernetes.io/cluster": "x"}}, ["tags"]),
        ({"tags": {"karpenter.shop/x": "x"}}, []),
        ({"requirements": [], "provisionerSpecs": {"a": ["b"]}}, []),
        ({"provisionerSpecs": {"a": ["b"]}}, ["provisionerSpecs"]),
        (
            {"requirements": [], "provisionerSpecs": {"kubernetes.io/arch": []}},
            ["provisionerSpecs"],
        ),
        ({"nodePoolSpec": {}}, ["requirements"]),
        ({"requirements": [], "nodePoolSpec": {"weight": 101}}, ["nodePoolSpec.weight"]),
        ({"disruption": {"consolidateAfter": "5x"}}, ["disruption.consolidateAfter"]),
        (
            {"disruption": {"consolidateAfter": "5m"}, "consolidation": {"enabled": True}},
            ["consolidation"],
        ),
        ({"expireAfter": "5m", "ttlSecondsUntilExpired": 300}, ["ttlSecondsUntilExpired"]),
        ({"expireAfter": "soon"}, ["expireAfter"]),
        (
            {"requirements": [{**REQUIREMENT, "key": "eks.amazonaws.com/instance-cpu"}]},
            ["requirements[0].key"],
        ),
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
def test_durations_are_written_in_the_largest_whole_unit(seconds: int, text: str) -> None:
    assert duration(seconds) == text


CLASS = {"subnetSelectorTerms": [{"tags": {"Name": "a"}}]}
BOTH = {**CLASS, "securityGroupSelectorTerms": [{"tags": {"Name": "b"}}], "amiFamily": "AL2"}
OLD = {"subnetSelector": {"Name": "a"}, "securityGroupSelector": {"Name": "b"}}


@pytest.mark.parametrize(
    ("version", "block", "paths"),
    [
        ("0.14.0", {"consolidation": {"enabled": True}}, ["consolidation"]),
        ("0.15.0", {"consolidation": {"enabled": True}}, []),
        ("0.15.0", {"weight": 30}, ["weight"]),
        ("0.16.0", {"weight": 30}, []),
        ("0.31.5", {"disruption": {}}, []),
        (
            "0.31.5",
            {"nodePoolSpec": {"disruption": {"consolidateAfter": "5m"}}, "ec2NodeClassSpec": OLD},
            ["nodePoolSpec.disruption"],
        ),
        ("0.31.5", {"disruption": {"consolidateAfter": "5m"}}, ["disruption"]),
        ("0.31.5", {"expireAfter": "5m"}, ["expireAfter"]),
        (
            "0.32.0",
            {
                "expireAfter": "5m",
                "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "5m"},
            },
            [],
        ),
        ("0.37.8", {"terminationGracePeriod": "24h"}, ["terminationGracePeriod"]),
        ("1.0.0", {"terminationGracePeriod": "24h"}, []),
        ("1.0.0", {"terminationGracePeriod": "a day"}, ["terminationGracePeriod"]),
        ("0.37.8", {**TAGS, "amiFamily": "AL2", "amiAlias": "al2@latest"}, ["amiAlias"]),
        ("1.0.0", {**TAGS, "amiAlias": "al2@latest"}, []),
        (
            "0.23.0",
            {"nodePoolSpec": {}, "ec2NodeClassSpec": {**OLD, "detailedMonitoring": True}},
            [],
        ),
        (
            "0.22.1",
            {"nodePoolSpec": {}, "ec2NodeClassSpec": {**OLD, "detailedMonitoring": True}},
            ["ec2NodeClassSpec.detailedMonitoring"],
        ),
        (
            "0.33.5",
            {
                "nodePoolSpec": {"disruption": {"budgets": [{"nodes": "1"}]}},
                "ec2NodeClassSpec": BOTH,
            },
            ["nodePoolSpec.disruption.budgets"],
        ),
        (
            "0.34.0",
            {
                "nodePoolSpec": {"disruption": {"budgets": [{"nodes": "1"}]}},
                "ec2NodeClassSpec": BOTH,
            },
            [],
        ),
        (
            "0.34.1",
            {"nodePoolSpec": {}, "ec2NodeClassSpec": {**CLASS, "amiFamily": "AL2"}},
            ["ec2NodeClassSpec.securityGroupSelectorTerms"],
        ),
        (
            "0.34.1",
            {"nodePoolSpec": {}, "ec2NodeClassSpec": {"amiFamily": "AL2"}},
            ["ec2NodeClassSpec.securityGroupSelectorTerms", "ec2NodeClassSpec.subnetSelectorTerms"],
        ),
        ("0.34.1", {"nodePoolSpec": {}}, ["ec2NodeClassSpec"]),
        (
            "0.34.1",
            {"nodePoolSpec": {}, "ec2NodeClassSpec": BOTH, "amiFamily": "AL2"},
            ["amiFamily"],
        ),
        ("0.31.5", {"nodePoolSpec": {}, "ec2NodeClassSpec": OLD}, []),
        ("0.31.5", {"tags": {"karpenter.sh/x": "y"}}, ["tags"]),
        ("0.31.5", {**TAGS, "requirements": [{**REQUIREMENT, "vals": []}]}, ["requirements[0]"]),
        ("0.31.5", {**TAGS, "limits": {"cpu": "many"}}, ["limits.cpu"]),
    ],
)
def test_each_word_is_for_the_releases_that_understand_it(
    version: str, block: dict[str, Any], paths: list[str]
) -> None:
    faults = check_add_on(read(block), RELEASES[version])
    found = [dotted(fault.path) for fault in faults]
    assert len(found) == len(paths), found
    assert all(at.startswith(path) for at, path in zip(found, paths, strict=True)), found


@pytest.mark.parametrize(
    ("version", "block", "text"),
    [
        (
            "0.14.0",
            {"consolidation": {"enabled": True}},
            "consolidation: is nothing that Karpenter 0.14.0 understands\n"
            '    got:     {"enabled": true}\n'
            "    allowed: from Karpenter 0.15.0 on\n"
            "    fix:     use 0.15.0 or later, or ttlSecondsAfterEmpty, which removes empty nodes; "
            f"{NEWEST_KNOWN}",
        ),
        (
            "0.15.0",
            {"weight": 30},
            "weight: is nothing that Karpenter 0.15.0 understands\n"
            "    got:     30\n"
            "    allowed: from Karpenter 0.16.0 on\n"
            f"    fix:     use 0.16.0 or later, or remove it; {NEWEST_KNOWN}",
        ),
        (
            "1.14.2",
            {"tags": {"kubernetes.io/cluster/dev": "owned"}},
            'tags["kubernetes.io/cluster/dev"]: is a tag that Karpenter sets itself\n'
            '    got:     "owned"\n'
            "    allowed: any tags, Name too, but those in karpenter.sh, karpenter.k8s.aws, "
            "kubernetes.io/cluster\n"
            "    fix:     remove the tag, or rename it",
        ),
    ],
)
def test_a_fault_says_what_to_do(version: str, block: dict[str, Any], text: str) -> None:
    (fault,) = check_add_on(read(block), RELEASES[version])
    assert str(fault) == text
