"""The policies let the controller do its work on its own cluster's nodes, and nothing near it.

Judged by `iam_logic.py`, which follows IAM's documentation; AWS itself is not asked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.iam.facts import Facts
from tests.iam.baseline import ACCOUNT, ROLE_ARN, all_groups
from tests.iam.iam_logic import allows

CASES = yaml.safe_load(Path(__file__).with_name("requests.yaml").read_text(encoding="utf-8"))
FACTS = Facts("blueprint", "aws", "us-west-2", ACCOUNT)
QUEUE_ARN = f"arn:aws:sqs:us-west-2:{ACCOUNT}:Karpenter-blueprint"
TAGS = {
    "kubernetes.io/cluster/blueprint": "owned",
    "eks:eks-cluster-name": "blueprint",
    "karpenter.sh/nodepool": "default",
    "karpenter.k8s.aws/ec2nodeclass": "default",
    "topology.kubernetes.io/region": "us-west-2",
}
TAG_SETS = {
    "all": TAGS,
    "foreign": {
        **{key: tag for key, tag in TAGS.items() if not key.endswith("blueprint")},
        "kubernetes.io/cluster/other": "owned",
        "eks:eks-cluster-name": "other",
    },
    "no pool": {key: tag for key, tag in TAGS.items() if key != "karpenter.sh/nodepool"},
    None: {},
}


def resource(case: dict[str, Any]) -> str:
    """`service account name` as an ARN; `-` is no account, `*` this one."""
    text = case["resource"]
    named = {"*": "*", "role": ROLE_ARN, "queue": QUEUE_ARN}
    if text in named:
        return named[text]
    service, account, name = text.split(" ")
    account = {"-": "", "*": ACCOUNT}.get(account, account)
    region = "" if service == "iam" else case.get("region", "us-west-2")
    return f"arn:aws:{service}:{region}:{account}:{name}"


def context(case: dict[str, Any]) -> dict[str, Any]:
    return {
        **{f"aws:RequestTag/{k}": tag for k, tag in TAG_SETS[case.get("tags")].items()},
        **{f"aws:ResourceTag/{k}": tag for k, tag in TAG_SETS[case.get("owner")].items()},
        **case.get("context", {}),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_request_is_judged(case: dict[str, Any]) -> None:
    release = RELEASES[case.get("version", DEFAULT_VERSION)]
    documents = [group.document for group in all_groups(release, FACTS, ROLE_ARN, QUEUE_ARN)]
    found = allows(documents, case["action"], resource(case), context(case))
    assert found is case["allowed"]


def test_a_deny_wins() -> None:
    allow = {"Effect": "Allow", "Action": "a:*", "Resource": "*"}
    deny = {"Effect": "Deny", "Action": "a:B", "Resource": "*"}
    documents = [{"Statement": [allow, deny]}]
    assert allows(documents, "a:A", "x", {})
    assert not allows(documents, "a:B", "x", {})
