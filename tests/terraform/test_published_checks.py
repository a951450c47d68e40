"""What the published modules say of pools and classes, in a plan of the real module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import CLASS, OBJECTS, POOL, facts, root
from tests.terraform.standin.standin import Standin

UNKNOWN: dict[str, Any] = {"resource": {"terraform_data": {"made": {"input": "x"}}}}
"""A resource whose id is known only after it is made."""
ID = "${terraform_data.made.id}"

BUDGET = {"consolidateAfter": "1d", "budgets": [{"nodes": "120%"}, {"nodes": "5", "reasons": "x"}]}
SPECS: dict[str, Any] = {
    "node_pools": {
        "default": {**POOL, "disruption": BUDGET, "weight": 101},
        "other": {**POOL, "limits": {"cpu": True}},
    },
    "node_classes": {
        "default": {**CLASS, "role": "arn:aws:iam::111122223333:role/x"},
        "other": {**CLASS, "metadataOptions": {"httpTokens": "always"}},
    },
}
POOL_FAULTS = (
    "default: disruption.consolidateAfter: is not allowed. Allowed: a duration of hours",
    "default: disruption.budgets[0].nodes: is not allowed. Allowed: a number of nodes",
    "default: disruption.budgets[1].reasons: is not a list. Allowed: a list. Fix: write the",
    "default: weight: is not allowed. Allowed: a whole number of points from 1 to 100. Fix: use 1",
    "other: limits.cpu: is not allowed. Allowed: a Kubernetes quantity",
)
CLASS_FAULTS = (
    "default: role: is not allowed. Allowed: the name of an IAM role (no ARN, no path)",
    "other: metadataOptions.httpTokens: is not allowed. Allowed: one of required, optional.",
)


def told(module: str, given: dict[str, Any], folder: Path, at: Any, make: MakeTerraform) -> str:
    """What a plan that must fail says."""
    tf = make(root(folder, module, {**facts(module, at), **given}, **UNKNOWN))
    tf.init()
    return tf.run("plan", "-input=false", "-no-color", fail=True).text


@pytest.mark.parametrize("module", ["karpenter", "karpenter-provisioners"])
def test_a_plan_tells_every_fault_of_the_values(
    module: str, tmp_path: Path, standin: Standin, terraform: MakeTerraform
) -> None:
    text = told(module, SPECS, tmp_path, standin.eks_cluster("demo", version="1.34"), terraform)
    assert [fault for fault in (*POOL_FAULTS, *CLASS_FAULTS) if fault not in text] == []
    assert text.count("default: ") == 5
    assert text.count("other: ") == 2


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"node_pools": {"default": {**POOL, "wieght": 1}}},
            "default: wieght: is not a known key. Allowed: one of disruption, limits, replicas, ",
        ),
        (
            {"node_classes": {"default": {**CLASS, "metadataOptions": {"httpToken": "x"}}}},
            "default: metadataOptions.httpToken: is not a known key. Allowed: one of httpEndpoint,",
        ),
        (
            {"node_pools": {"default": {"template": {"spec": {}}}}},
            "default: template.spec.requirements: is missing. Allowed: a value for requirements.",
        ),
        ({"values": {"replica": 1}}, "values: has what is not a key of Karpenter"),
        ({"cluster_name": "a b"}, "cluster_name: is not allowed. Allowed: an EKS cluster name"),
        (
            {"interruption_handling": False},
            "interruption_handling: is off, while pools may launch spot instances: default. ",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_the_whole_module_is_refused_in_the_words_of_its_parts(
    given: dict[str, Any],
    says: str,
    tmp_path: Path,
    standin: Standin,
    terraform: MakeTerraform,
) -> None:
    cluster = standin.eks_cluster("demo", version="1.34")
    assert says in told("karpenter", {**OBJECTS, **given}, tmp_path, cluster, terraform)


@pytest.mark.parametrize(
    "linked",
    [
        {"role": ID},
        {"tags": {"example.com/id": ID}},
        {"subnetSelectorTerms": [{"id": ID}], "securityGroupSelectorTerms": [{"id": ID}]},
        {"blockDeviceMappings": [{"ebs": {"volumeSize": "50Gi", "kmsKeyID": ID}}]},
        {"userData": ID},
    ],
    ids=lambda linked: next(iter(linked)),
)
def test_a_linked_value_that_is_not_known_yet_hides_no_fault_in_what_is_written(
    linked: dict[str, Any], tmp_path: Path, standin: Standin, terraform: MakeTerraform
) -> None:
    classes = {**SPECS["node_classes"], "linked": {**CLASS, **linked}}
    cluster = standin.eks_cluster("demo", version="1.34")
    given = {**SPECS, "node_classes": classes}
    text = told("karpenter-provisioners", given, tmp_path, cluster, terraform)
    assert [fault for fault in (*POOL_FAULTS, CLASS_FAULTS[1]) if fault not in text] == []


def test_a_linked_value_that_is_wrong_stops_the_apply_before_the_release(
    tmp_path: Path, standin: Standin, terraform: MakeTerraform
) -> None:
    cluster = standin.eks_cluster("demo", version="1.34")
    given = {**OBJECTS, "node_classes": {"default": {**CLASS, "role": f"a/{ID}"}}}
    folder = root(
        tmp_path,
        "karpenter-provisioners",
        {**facts("karpenter-provisioners", cluster), **given},
        endpoint=cluster.endpoint,
        **UNKNOWN,
    )
    tf = terraform(folder)
    tf.init()
    text = tf.run("apply", "-auto-approve", "-input=false", "-no-color", fail=True).text
    assert "default: role: is not allowed." in text
    assert not any(call.type == "helm_release" for call in standin.log.changes())
