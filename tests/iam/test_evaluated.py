"""What Terraform makes of expressions is what Python makes of the same literals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import NEWEST_VERSION, RELEASES
from modules.core.expressions import Expr, json_document, template
from modules.core.names import CHINA_PARTITION
from modules.iam import naming, node, oidc, queue, trust
from modules.iam.facts import Facts
from modules.iam.settings import IamSettings
from tests.evaluation import evaluate
from tests.iam.baseline import ACCOUNT, ROLE_ARN, all_groups, settings

HOST = "oidc.eks.cn-north-1.amazonaws.com.cn/id/0123456789ABCDEF"
ARN = f"arn:{CHINA_PARTITION}:iam::{ACCOUNT}:oidc-provider/{HOST}"
QUEUE = f"arn:{CHINA_PARTITION}:sqs:cn-north-1:{ACCOUNT}:q"
LITERAL = {
    "cluster_name": "demo_1",
    "partition": CHINA_PARTITION,
    "region": "cn-north-1",
    "account_id": ACCOUNT,
    "node_role_arn": ROLE_ARN,
    "queue_arn": QUEUE,
    "namespace": "kube-system",
    "service_account": "karpenter",
    "url": f"https://{HOST}",
    "host": HOST,
    "arn": ARN,
    "long": "c" * 100,
    "short": "c",
    "nothing": None,
}


def documents(value: Any) -> dict[str, object]:
    """Every document, about what `value` gives for a name: a literal or a variable."""
    facts = Facts(*(value(n) for n in ("cluster_name", "partition", "region", "account_id")))
    groups = all_groups(RELEASES[NEWEST_VERSION], facts, value("node_role_arn"), value("queue_arn"))
    host = oidc.host(value("url"))
    provider = oidc.provider_arn(value("url"), host, facts.partition, facts.account_id)
    return {
        **{group.id: group.document for group in groups},
        "queue": queue.policy(value("queue_arn")),
        "ipv6": node.ipv6_cni_policy(facts.partition),
        "ec2": trust.ec2(facts.partition),
        "controller": trust.service_account(
            provider, host, value("namespace"), value("service_account")
        ),
    }


def texts(value: Any) -> dict[str, object]:
    """Every other text."""
    return {
        "host of a URL": oidc.host(value("url")),
        "host of a host": oidc.host(value("host")),
        "host of an ARN": oidc.host(value("arn")),
        "name of a role": node.role_name(value("node_role_arn")),
        **{
            f"{kind} of a {length} cluster": name(
                IamSettings.model_construct(
                    **{
                        **settings().model_dump(by_alias=False),
                        "cluster_name": value(length),
                        "queue_name": value("nothing"),
                        "controller_role_name": value("nothing"),
                    }
                )
            )
            for length in ("short", "long")
            for kind, name in {
                "role": naming.controller_role,
                "queue": naming.queue,
                "policy": lambda s: naming.controller_policy(s, "IAMIntegration"),
                "rule": lambda s: naming.event_rule(s, "CapacityReservationInterruption"),
            }.items()
        },
    }


def literal(name: str) -> object:
    return LITERAL[name]


def variable(name: str) -> Expr:
    return Expr(f"var.{name}")


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("evaluated")
    outputs = {
        **{name: json_document(made) for name, made in documents(variable).items()},
        **{name.replace(" ", "_"): template(text) for name, text in texts(variable).items()},
    }
    return evaluate(folder, outputs, variables=LITERAL)


@pytest.mark.parametrize("name", documents(literal))
def test_a_document_of_expressions_is_that_of_literals_to_the_byte(
    evaluated: dict[str, Any], name: str
) -> None:
    assert evaluated[name] == json.dumps(
        documents(literal)[name], sort_keys=True, separators=(",", ":")
    )


@pytest.mark.parametrize("name", texts(literal))
def test_a_text_of_expressions_is_that_of_literals(evaluated: dict[str, Any], name: str) -> None:
    assert evaluated[name.replace(" ", "_")] == texts(literal)[name]
