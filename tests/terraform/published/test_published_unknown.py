"""A root that makes what a module is given in the same apply: the plan does not know it yet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import CLASS, OBJECTS, POOL, facts, root
from tests.terraform.standin.standin import Standin
from tests.terraform.standin.terraform import Plan, Terraform

TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"Service": "ec2.amazonaws.com"},
                "Action": "sts:AssumeRole",
            }
        ],
    }
)
POLICY = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*"}],
    }
)
CALLED = "module.called."


def replaced(plan: Plan) -> list[str]:
    return [address for address, actions in plan.actions.items() if len(actions) > 1]


def made_here(values: Mapping[str, Any]) -> dict[str, Any]:
    """A resource whose output is known only after it is made."""
    return {"resource": {"terraform_data": {"made": {"input": dict(values)}}}}


def from_there(names: Mapping[str, Any]) -> dict[str, str]:
    return {name: f"${{terraform_data.made.output.{name}}}" for name in names}


def life(tf: Terraform, standin: Standin) -> Plan:
    tf.init()
    plan = tf.plan()
    tf.apply()
    assert tf.plan().empty
    tf.destroy()
    assert standin.leftovers() == []
    return plan


@pytest.mark.parametrize(
    "given",
    [
        OBJECTS,
        {"interruption_handling": False},
        {"create_oidc_provider": True},
        {"create_node_role": False, "node_role_arn": "arn:aws:iam::123456789012:role/nodes"},
    ],
    ids=", ".join,
)
def test_every_fact_of_the_cluster_may_be_unknown(
    given: dict[str, Any], standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo", oidc_provider="create_oidc_provider" not in given)
    unknown = facts("karpenter", cluster)
    if arn := given.get("node_role_arn"):
        unknown["node_role_arn"] = arn
    variables = {**given, **from_there(unknown)}
    folder = root(tmp_path, "karpenter", variables, endpoint=cluster.endpoint, **made_here(unknown))
    plan = life(terraform(folder), standin)
    role = plan.change(f"{CALLED}module.iam.aws_iam_role.controller")
    assert role["after_unknown"]["name"] is True
    assert role["after_unknown"]["assume_role_policy"] is True


def test_arns_of_policies_and_ids_in_specs_may_be_unknown(
    standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo")
    made = {
        "subnet": "subnet-0123abcd",
        "group": "sg-0123abcd",
        "zone": "us-west-2a",
        "tag": "platform",
        "key": "arn:aws:kms:us-west-2:123456789012:key/1",
    }
    of = from_there(made)
    node_class = {
        **CLASS,
        "subnetSelectorTerms": [{"id": of["subnet"]}],
        "securityGroupSelectorTerms": [{"id": of["group"]}],
        "tags": {"team": of["tag"]},
    }
    zone = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": [of["zone"]]}
    spec = POOL["template"]["spec"]
    pool = {"template": {"spec": {"requirements": [*spec["requirements"], zone]}}}
    variables = {
        **facts("karpenter", cluster),
        "node_classes": {"default": node_class},
        "node_pools": {"default": pool},
        "permissions_boundary_arn": "${aws_iam_policy.own.arn}",
        "controller_role_policy_arns": {"own": "${aws_iam_policy.own.arn}"},
        "node_role_policy_arns": {"own": "${aws_iam_policy.own.arn}"},
        "controller_policy_statements": [
            {"Effect": "Allow", "Action": "kms:Decrypt", "Resource": of["key"]}
        ],
        "tags": {"team": of["tag"]},
        "values": {"podAnnotations": {"team": of["tag"]}},
    }
    blocks = made_here(made)
    blocks["resource"]["aws_iam_policy"] = {"own": {"name": "own", "policy": POLICY}}
    folder = root(tmp_path, "karpenter", variables, endpoint=cluster.endpoint, **blocks)
    plan = life(terraform(folder), standin)
    added = "aws_iam_role_policy_attachment.node_additional"
    assert f'{CALLED}module.iam.{added}["own"]' in plan.actions


def test_a_role_made_beside_it_may_be_the_nodes(
    standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo")
    variables = {
        **facts("karpenter", cluster),
        **OBJECTS,
        "create_node_role": False,
        "node_role_arn": "${aws_iam_role.nodes.arn}",
    }
    role = {"aws_iam_role": {"nodes": {"name": "nodes", "assume_role_policy": TRUST}}}
    folder = root(tmp_path, "karpenter", variables, endpoint=cluster.endpoint, resource=role)
    plan = life(terraform(folder), standin)
    assert f"{CALLED}module.iam.aws_iam_role.node[0]" not in plan.actions


def test_waiting_for_something_that_changes_replaces_nothing(
    standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo")
    variable = {"variable": {"input": {"type": "string"}}}
    folder = root(
        tmp_path,
        "karpenter",
        {**facts("karpenter", cluster), **OBJECTS, "depends_on": ["terraform_data.cluster"]},
        endpoint=cluster.endpoint,
        resource={"terraform_data": {"cluster": {"input": "${var.input}"}}},
        **variable,
    )
    tf = terraform(folder)
    tf.init()
    tf.apply(variables={"input": "one"})
    assert tf.plan(variables={"input": "one"}).empty
    plan = tf.plan(variables={"input": "two"})
    assert plan.actions["terraform_data.cluster"] == ["update"]
    assert replaced(plan) == []
    tf.apply(variables={"input": "two"})
    assert tf.plan(variables={"input": "two"}).empty
