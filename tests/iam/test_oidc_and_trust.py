"""The issuer in its three forms, and who may assume the roles."""

from __future__ import annotations

import pytest

from modules.core.expressions import Expr
from modules.core.placing import Placed
from modules.iam import node, oidc, trust
from tests.iam.baseline import ACCOUNT

HOST = "oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF"
FORMS = {
    "URL": f"https://{HOST}",
    "host": HOST,
    "ARN": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{HOST}",
}
ELSEWHERE = f"arn:aws-cn:iam::444455556666:oidc-provider/{HOST}"


@pytest.mark.parametrize("issuer", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same_host_url_and_arn(issuer: str) -> None:
    host = oidc.host(issuer)
    assert host == HOST
    assert oidc.url(host) == f"https://{HOST}"
    assert oidc.provider_arn(issuer, host, "aws", ACCOUNT) == FORMS["ARN"]


def test_a_given_arn_is_used_as_it_is() -> None:
    assert oidc.provider_arn(ELSEWHERE, HOST, "aws", ACCOUNT) == ELSEWHERE


@pytest.mark.parametrize(
    ("issuer", "create", "looks_up"),
    [
        (FORMS["URL"], False, True),
        (FORMS["host"], False, True),
        (Expr("data.aws_eks_cluster.cluster.identity[0].oidc[0].issuer"), False, True),
        (FORMS["URL"], True, False),
        (FORMS["ARN"], False, False),
        # A published module: its cluster may be made in the same apply.
        (Expr("var.oidc_issuer"), Expr("var.create_oidc_provider"), False),
    ],
)
def test_the_provider_is_looked_up_where_it_must_exist_already(
    issuer: str | Expr, create: bool | Expr, looks_up: bool
) -> None:
    assert oidc.looks_up(issuer, create) is looks_up


def test_a_provider_that_was_looked_up_must_accept_the_audience() -> None:
    [(condition, message)] = oidc.conditions(
        Placed("data.aws_iam_openid_connect_provider.iam_cluster")
    )
    assert condition.text == (
        "contains(data.aws_iam_openid_connect_provider.iam_cluster.client_id_list, "
        '"sts.amazonaws.com")'
    )
    assert "aws iam add-client-id-to-open-id-connect-provider" in message


def test_a_provider_that_was_not_looked_up_is_not_judged() -> None:
    assert oidc.conditions(None) == []


def test_one_service_account_may_assume_the_controller_s_role() -> None:
    assert trust.service_account(FORMS["ARN"], HOST, "kube-system", "karpenter") == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"Federated": FORMS["ARN"]},
                "Action": "sts:AssumeRoleWithWebIdentity",
                "Condition": {
                    "StringEquals": {
                        f"{HOST}:aud": "sts.amazonaws.com",
                        f"{HOST}:sub": "system:serviceaccount:kube-system:karpenter",
                    }
                },
            }
        ],
    }


@pytest.mark.parametrize(
    ("partition", "principal"),
    [
        ("aws", "ec2.amazonaws.com"),
        ("aws-cn", "ec2.amazonaws.com.cn"),
        ("aws-us-gov", "ec2.amazonaws.com"),
        ("aws-iso", "ec2.amazonaws.com"),
        ("aws-eusc", "ec2.amazonaws.com"),
    ],
)
def test_ec2_may_assume_the_nodes_role(partition: str, principal: str) -> None:
    assert trust.ec2(partition) == {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": principal}, "Action": "sts:AssumeRole"}
        ],
    }


@pytest.mark.parametrize(
    ("arn", "name"),
    [
        (f"arn:aws:iam::{ACCOUNT}:role/nodes", "nodes"),
        (f"arn:aws:iam::{ACCOUNT}:role/platform/eks/nodes", "nodes"),
        (f"arn:aws:iam::{ACCOUNT}:role/aws-reserved/x+=,.@_-", "x+=,.@_-"),
    ],
)
def test_the_name_of_a_role_stands_after_its_path(arn: str, name: str) -> None:
    assert node.role_name(arn) == name
