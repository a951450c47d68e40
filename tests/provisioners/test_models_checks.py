"""What the check of specs tells, beyond its verdict."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.core.faults import dotted
from modules.provisioners.api.spec_checks import MODELS, check_spec
from tests.provisioners.cases import baseline, changed

NEW = RELEASES["1.14.2"]

FIXES = [
    ("NodePool", "template.spec.labels", {"a": "b"}, "template.metadata.labels"),
    ("NodePool", "template.spec.kubelet", {}, "EC2NodeClass, as spec.kubelet"),
    ("NodePool", "disruption.expireAfter", "720h", "template.spec.expireAfter"),
    ("NodePool", "template.spec.nodeClassRef.apiVersion", "x", "group: karpenter.k8s.aws"),
    ("NodePool", "consolidation", {}, "disruption.consolidationPolicy"),
    ("NodePool", "ttlSecondsUntilExpired", 60, "template.spec.expireAfter"),
    ("NodePool", "ttlSecondsAfterEmpty", 60, "WhenEmpty"),
    ("NodePool", "providerRef", {}, "template.spec.nodeClassRef"),
    ("NodePool", "taints", [], "template.spec.taints"),
    ("NodePool", "wieght", 1, "did you mean weight?"),
    ("NodePool", "nothing_like_it", 1, "remove it"),
    ("EC2NodeClass", "subnetSelector", {}, "subnetSelectorTerms takes a list of id or tags"),
    ("EC2NodeClass", "launchTemplate", "x", "userData"),
    ("EC2NodeClass", "weight", 1, "NodePool"),
    ("EC2NodeClass", "metadataOptions.httpToken", "x", "did you mean httpTokens?"),
    ("EC2NodeClass", "associatePublicIpAddress", True, "associatePublicIPAddress"),
]


@pytest.mark.parametrize(("kind", "path", "value", "fix"), FIXES)
def test_an_unknown_key_is_told_where_it_belongs(
    kind: str, path: str, value: object, fix: str
) -> None:
    (fault,) = check_spec(kind, changed(baseline(kind), {path: value}), NEW)
    assert dotted(fault.path) == path
    assert fault.value == value
    assert fix in fault.fix


def test_a_field_that_is_too_new_is_told_with_both_releases() -> None:
    spec = changed(baseline("EC2NodeClass"), {"ipPrefixCount": 1})
    (fault,) = check_spec("EC2NodeClass", spec, RELEASES["1.7.6"])
    assert fault.problem == "needs Karpenter 1.8.0 or later; this is 1.7.6"


def test_a_word_that_is_too_new_is_told_with_its_release() -> None:
    spec = changed(baseline("NodePool"), {"disruption.consolidationPolicy": "Balanced"})
    (fault,) = check_spec("NodePool", spec, RELEASES["1.13.1"])
    assert "Balanced needs Karpenter 1.14.0 or later" in fault.allowed


def test_all_faults_are_told_at_once() -> None:
    changes = {"weight": 0, "wieght": 1, "limits.cpu": "x", "disruption.consolidateAfter": None}
    found = check_spec("NodePool", changed(baseline("NodePool"), changes), NEW)
    assert {dotted(fault.path) for fault in found} == set(changes)


@pytest.mark.parametrize("value", [Expr("var.role"), "${TfToken[TOKEN.1]}"])
def test_a_terraform_expression_is_left_to_terraform(value: object) -> None:
    spec = changed(baseline("EC2NodeClass"), {"role": value})
    assert check_spec("EC2NodeClass", spec, NEW) == []


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("data", [None, 1, "x", [], {}])
def test_what_is_no_spec_is_refused_without_a_crash(kind: str, data: object) -> None:
    assert check_spec(kind, data, NEW)


@pytest.mark.parametrize("kind", MODELS)
def test_editors_take_the_baseline_and_refuse_an_unknown_key(kind: str) -> None:
    schema = MODELS[kind].model_json_schema(by_alias=True)
    judge = jsonschema.Draft202012Validator(schema)
    assert list(judge.iter_errors(baseline(kind))) == []
    assert list(judge.iter_errors({**baseline(kind), "wieght": 1}))


LINKED = Expr("local.linked")


@pytest.mark.parametrize(
    "changes",
    [
        {"amiFamily": None, "amiSelectorTerms": LINKED},
        {"amiFamily": None, "amiSelectorTerms": [LINKED]},
        {"kubelet": {"evictionSoft": LINKED, "evictionSoftGracePeriod": {}}},
        {"kubelet": {"evictionSoft": {}, "evictionSoftGracePeriod": LINKED}},
    ],
)
def test_a_rule_whose_values_only_terraform_knows_is_left_to_it(changes: dict[str, Any]) -> None:
    assert check_spec("EC2NodeClass", changed(baseline("EC2NodeClass"), changes), NEW) == []
