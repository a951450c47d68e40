"""Specs written as Python objects are checked and completed as the same YAML."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.core.faults import dotted
from modules.provisioners.api.node_class import EC2NodeClassSpec
from modules.provisioners.api.node_pool import (
    Disruption,
    NodeClassRef,
    NodePoolSpec,
    NodeSpec,
    Requirement,
    Template,
)
from modules.provisioners.api.plain import plain
from modules.provisioners.api.selectors import AmiTerm, SecurityGroupTerm, SubnetTerm
from modules.provisioners.checks import check
from modules.provisioners.settings import ProvisionerOptions


def pool(**fields: Any) -> NodePoolSpec:
    spec = NodeSpec(
        node_class_ref=NodeClassRef(group="karpenter.k8s.aws", kind="EC2NodeClass", name="a"),
        requirements=[Requirement(key="example.com/x", operator="In", values=["y"], min_values=1)],
        expire_after="720h",
    )
    return NodePoolSpec(template=Template(spec=spec), **fields)


def node_class(**fields: Any) -> EC2NodeClassSpec:
    return EC2NodeClassSpec(
        ami_selector_terms=[AmiTerm(alias="al2023@v1")],
        subnet_selector_terms=[SubnetTerm(id="subnet-1")],
        security_group_selector_terms=[SecurityGroupTerm(id="sg-1")],
        role="nodes",
        **fields,
    )


POOL_DATA = {
    "template": {
        "spec": {
            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "a"},
            "requirements": [
                {"key": "example.com/x", "operator": "In", "values": ["y"], "minValues": 1}
            ],
            "expireAfter": "720h",
        }
    }
}


def test_an_object_is_the_data_that_yaml_would_give() -> None:
    assert plain(pool()) == POOL_DATA


def test_objects_may_stand_in_data_and_expressions_in_objects() -> None:
    role = Expr("var.address")
    given = {"spec": node_class(associate_public_ip_address=role)}
    assert plain(given)["spec"]["associatePublicIPAddress"] == role


def test_objects_are_settings_like_the_data_they_stand_for() -> None:
    made = ProvisionerOptions(node_pools={"a": pool()}, node_classes={"a": node_class()})
    assert made.node_pools == {"a": POOL_DATA}
    assert check(made, RELEASES["1.14.2"]) == []


def test_an_object_may_be_the_spec_of_a_manifest() -> None:
    manifest = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "spec": pool(weight=5)}
    made = ProvisionerOptions(node_pools={"a": manifest}, node_classes={"a": node_class()})
    assert check(made, RELEASES["1.14.2"]) == []


@pytest.mark.parametrize(("version", "refused"), [("1.7.6", True), ("1.8.0", False)])
def test_an_object_is_judged_by_the_release(version: str, refused: bool) -> None:
    given = {"a": pool(replicas=1, disruption=Disruption(consolidate_after="0s"))}
    made = ProvisionerOptions(node_pools=given, node_classes={"a": node_class()})
    found = [dotted(fault.path) for fault in check(made, RELEASES[version])]
    assert found == (["nodePools.a.replicas"] if refused else [])


def test_a_wrong_value_is_refused_where_the_object_is_made() -> None:
    with pytest.raises(ValidationError, match="use 1 to 100"):
        pool(weight=101)


def test_an_unknown_field_is_refused_where_the_object_is_made() -> None:
    with pytest.raises(ValidationError, match="wieght"):
        pool(wieght=1)
