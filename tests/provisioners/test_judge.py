"""The verdict on whole manifests: what surrounds the spec, defaults, and where keys belong."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest

from modules.core.catalogue import RELEASES, Api
from modules.core.faults import dotted
from modules.provisioners.api.judge import KINDS, defaulted, judge, refusals, stricter
from modules.provisioners.api.kind import Sort
from tests.provisioners.cases import baseline, changed

NEW = RELEASES["1.14.2"]
BETA = RELEASES["0.37.8"]


def manifest(**changes: Any) -> dict[str, Any]:
    """A NodePool of v1 with other things at its top; None takes one away."""
    whole = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "default"},
        "spec": baseline("NodePool"),
        **changes,
    }
    return {key: value for key, value in whole.items() if value is not None}


TOP = [
    ({}, None, None),
    ({"status": {"nodes": 1}}, None, None),
    ({"stauts": {}}, "stauts", Sort.UNKNOWN),
    ({"apiVersion": None}, "apiVersion", Sort.MISSING),
    ({"apiVersion": 1}, "apiVersion", Sort.TYPE),
    ({"apiVersion": "karpenter.sh/v2"}, "apiVersion", Sort.NOT_SERVED),
    ({"apiVersion": "karpenter.sh/v1beta1"}, "apiVersion", Sort.NOT_SERVED),
    ({"kind": None}, "kind", Sort.MISSING),
    ({"kind": "NodePol"}, "kind", Sort.NOT_SERVED),
    ({"spec": None}, "spec", Sort.MISSING),
    ({"spec": []}, "spec", Sort.TYPE),
    ({"metadata": None}, "metadata.name", Sort.MISSING),
    ({"metadata": {"generateName": "a-"}}, None, None),
    ({"metadata": {"name": "A"}}, "metadata.name", Sort.VALUE),
    ({"metadata": {"name": "a." * 126 + "ab"}}, "metadata.name", Sort.VALUE),
    ({"metadata": {"name": "a", "namespace": "b"}}, None, None),
    ({"metadata": {"name": "a", "lables": {}}}, "metadata.lables", Sort.UNKNOWN),
    ({"metadata": {"name": "a", "labels": {"a b": "c"}}}, 'metadata.labels["a b"]', Sort.VALUE),
    ({"metadata": {"name": "a", "labels": {"a": 1}}}, "metadata.labels.a", Sort.TYPE),
    ({"metadata": {"name": "a", "labels": {1: "b"}}}, None, None),
    ({"metadata": {"name": "a", "annotations": {"A.B/c": "d e"}}}, None, None),
    ({"metadata": {"name": "a", "annotations": {"c": True}}}, "metadata.annotations.c", Sort.TYPE),
]


@pytest.mark.parametrize(("changes", "at", "sort"), TOP)
def test_what_surrounds_the_spec_is_judged(
    changes: dict[str, Any], at: str | None, sort: Sort | None
) -> None:
    found = [(dotted(j.fault.path), j.sort) for j in refusals(manifest(**changes), NEW)]
    assert found == ([] if at is None else [(at, sort)])


@pytest.mark.parametrize("data", [None, 1, "x", [], {}])
def test_what_is_no_manifest_is_refused_without_a_crash(data: Any) -> None:
    assert judge(data, NEW)


NUMBERS = [("weight", 10.0, True), ("weight", 10.5, False), ("limits", {"cpu": 10.0}, True)]


@pytest.mark.parametrize(("key", "value", "taken"), NUMBERS)
def test_a_whole_number_may_be_written_with_a_point(key: str, value: Any, taken: bool) -> None:
    made = manifest(spec={**baseline("NodePool"), key: value})
    assert (judge(made, NEW) == []) == taken


SERVED = [
    ("karpenter.sh/v1alpha5", "Provisioner", "0.14.0", True),
    ("karpenter.sh/v1alpha5", "Provisioner", "0.32.10", True),
    ("karpenter.sh/v1alpha5", "Provisioner", "0.33.0", False),
    ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate", "0.14.0", True),
    ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate", "0.32.10", True),
    ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate", "0.33.0", False),
    ("karpenter.sh/v1beta1", "NodePool", "0.31.5", False),
    ("karpenter.sh/v1beta1", "NodePool", "0.32.0", True),
    ("karpenter.sh/v1beta1", "NodePool", "1.0.14", True),
    ("karpenter.sh/v1beta1", "NodePool", "1.1.0", False),
    ("karpenter.sh/v1", "NodePool", "0.33.5", False),
    ("karpenter.sh/v1", "NodePool", "0.33.6", True),
    ("karpenter.sh/v1", "NodePool", "0.33.12", True),
    ("karpenter.sh/v1", "NodePool", "0.34.6", False),
    ("karpenter.sh/v1", "NodePool", "0.34.7", True),
    ("karpenter.sh/v1", "NodePool", "0.35.5", False),
    ("karpenter.sh/v1", "NodePool", "0.35.6", True),
    ("karpenter.sh/v1", "NodePool", "0.36.2", False),
    ("karpenter.sh/v1", "NodePool", "0.36.3", True),
    ("karpenter.sh/v1", "NodePool", "0.37.0", False),
    ("karpenter.sh/v1", "NodePool", "0.37.1", True),
    ("karpenter.sh/v1", "NodePool", "1.15.1", True),
    ("karpenter.sh/v1alpha1", "NodeOverlay", "1.6.8", False),
    ("karpenter.sh/v1alpha1", "NodeOverlay", "1.7.0", True),
    ("karpenter.sh/v1alpha1", "NodeOverlay", "1.7.1", True),
    ("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", "1.13.1", False),
    ("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", "1.14.0", True),
    ("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", "1.14.1", True),
]


@pytest.mark.parametrize(("api_version", "kind", "version", "served"), SERVED)
def test_a_kind_is_served_by_some_releases(
    api_version: str, kind: str, version: str, served: bool
) -> None:
    assert KINDS[api_version, kind].served_by(RELEASES[version]) == served
    found = refusals(manifest(apiVersion=api_version, kind=kind), RELEASES[version])
    assert any(judged.sort is Sort.NOT_SERVED for judged in found) != served


def test_a_version_that_is_not_served_is_told_with_those_that_serve_it() -> None:
    (fault,) = judge(manifest(), RELEASES["0.37.0"])
    assert "0.37.1 to " in fault.problem
    assert fault.fix == "write apiVersion: karpenter.sh/v1beta1"


def test_a_misspelt_kind_is_told_with_the_nearest() -> None:
    (fault,) = judge(manifest(kind="NodePol"), NEW)
    assert fault.fix == "did you mean NodePool?"


BELONGS = [
    ("v1", "NodePool", "template.spec.kubelet", {}, "EC2NodeClass, as spec.kubelet"),
    ("v1", "NodePool", "template.spec.labels", {}, "template.metadata.labels"),
    ("v1", "NodePool", "ttlSecondsUntilExpired", 1, "template.spec.expireAfter"),
    ("v1", "NodePool", "disruption.expireAfter", "1h", "template.spec.expireAfter"),
    ("v1beta1", "NodePool", "template.spec.expireAfter", "1h", "disruption.expireAfter"),
    ("v1beta1", "NodePool", "ttlSecondsUntilExpired", 1, "disruption.expireAfter"),
    ("v1beta1", "NodePool", "ttlSecondsAfterEmpty", 1, "WhenEmpty"),
    ("v1beta1", "NodePool", "consolidation", {}, "WhenUnderutilized"),
    ("v1beta1", "NodePool", "labels", {}, "template.metadata.labels"),
    ("v1beta1", "NodePool", "kubeletConfiguration", {}, "template.spec.kubelet"),
    ("v1beta1", "NodePool", "template.spec.nodeClassRef.group", "a", "v1beta1"),
    ("v1beta1", "NodePool", "replicas", 1, "1.8.0"),
    ("v1beta1", "NodePool", "wieght", 1, "did you mean weight?"),
    ("v1beta1", "EC2NodeClass", "kubelet", {}, "template.spec.kubelet"),
    ("v1beta1", "EC2NodeClass", "amiSelectorTerms[0].alias", "al2@latest", "amiFamily"),
    ("v1beta1", "EC2NodeClass", "subnetSelector", {}, "subnetSelectorTerms"),
    ("v1beta1", "EC2NodeClass", "launchTemplate", "a", "userData"),
    ("v1beta1", "EC2NodeClass", "taints", [], "NodePool"),
]


@pytest.mark.parametrize(("version", "kind", "path", "value", "fix"), BELONGS)
def test_a_key_of_another_place_or_version_is_told_where_it_belongs(
    version: str, kind: str, path: str, value: object, fix: str
) -> None:
    group = "karpenter.sh" if kind == "NodePool" else "karpenter.k8s.aws"
    spec = changed(baseline(kind, Api(version)), {path: value})
    made = manifest(apiVersion=f"{group}/{version}", kind=kind, spec=spec)
    (fault,) = judge(made, BETA)
    assert dotted(fault.path) == f"spec.{path}"
    assert fix in fault.fix


def test_what_only_we_refuse_has_a_code_and_is_no_refusal() -> None:
    spec = changed(baseline("NodePool"), {"template.spec.nodeClassRef.kind": "NodeClass"})
    made = manifest(spec=spec)
    assert judge(made, NEW) == []
    (found,) = stricter(made, NEW)
    assert (found.code, dotted(found.fault.path)) == (
        "KPT173",
        "spec.template.spec.nodeClassRef.kind",
    )


TERMS = [{"id": "ami-1", "name": "a"}, {"id": "ami-2", "ssmParameter": "/b"}]


def test_a_fault_that_the_api_server_tells_is_not_told_again_with_a_code() -> None:
    spec = changed(baseline("EC2NodeClass"), {"amiSelectorTerms": TERMS, "amiFamily": "AL2023"})
    made = manifest(apiVersion="karpenter.k8s.aws/v1", kind="EC2NodeClass", spec=spec)
    assert [dotted(fault.path) for fault in judge(made, NEW)] == ["spec.amiSelectorTerms"]
    assert stricter(made, NEW) == []


DEFAULTS = [
    ("karpenter.k8s.aws/v1beta1", "0.37.8", {}, 2),
    ("karpenter.k8s.aws/v1beta1", "1.0.0", {}, 1),
    ("karpenter.k8s.aws/v1beta1", "1.0.0", {"httpTokens": "optional"}, 2),
    ("karpenter.k8s.aws/v1", "0.37.8", {}, 1),
    ("karpenter.k8s.aws/v1", "1.14.2", {"httpTokens": "optional"}, 1),
    ("karpenter.k8s.aws/v1", "1.14.2", {"httpPutResponseHopLimit": 3}, 3),
]


@pytest.mark.parametrize(("api_version", "version", "options", "hops"), DEFAULTS)
def test_the_hop_limit_that_is_left_out_differs_by_generation(
    api_version: str, version: str, options: dict[str, Any], hops: int
) -> None:
    spec = {"metadataOptions": options} if options else {}
    made = manifest(apiVersion=api_version, kind="EC2NodeClass", spec=spec)
    full = defaulted(made, RELEASES[version])["spec"]["metadataOptions"]
    assert full["httpPutResponseHopLimit"] == hops
    assert full["httpTokens"] == options.get("httpTokens", "required")


def test_defaults_are_filled_in_at_every_depth_and_nothing_else_changes() -> None:
    made = manifest(spec={"template": {"spec": {}}, "disruption": {"budgets": [{}], "x": None}})
    before = copy.deepcopy(made)
    assert defaulted(made, NEW)["spec"] == {
        "template": {"spec": {"expireAfter": "720h"}},
        "disruption": {
            "budgets": [{"nodes": "10%"}],
            "consolidationPolicy": "WhenEmptyOrUnderutilized",
        },
    }
    assert made == before


def test_an_object_of_another_kind_stays_as_it_is() -> None:
    made = {"apiVersion": "v1", "kind": "ConfigMap", "spec": {}}
    assert defaulted(made, NEW) == made


def test_two_hundred_pools_are_judged_within_a_second() -> None:
    made = manifest()
    judge(made, NEW)
    start = time.process_time()
    for _ in range(200):
        refusals(made, NEW)
    assert time.process_time() - start < 1
