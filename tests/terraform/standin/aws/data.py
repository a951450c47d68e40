"""Data sources of the aws provider."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from ..errors import ProviderError
from ..values import State, known_text
from ..world import EksCluster
from . import policy_document
from .resource import region_of, tag_map
from .session import AwsSession

Source = Callable[[AwsSession, State], State]


def _caller_identity(aws: AwsSession, _config: State) -> State:
    identity = aws.identity
    return {
        "id": identity["Account"],
        "account_id": identity["Account"],
        "arn": identity["Arn"],
        "user_id": identity["UserId"],
    }


def _dns_suffix(partition: str) -> str:
    return "amazonaws.com.cn" if partition == "aws-cn" else "amazonaws.com"


def _partition(aws: AwsSession, _config: State) -> State:
    suffix = _dns_suffix(aws.partition)
    return {
        "id": aws.partition,
        "partition": aws.partition,
        "dns_suffix": suffix,
        "reverse_dns_prefix": ".".join(reversed(suffix.split("."))),
    }


def _region(aws: AwsSession, config: State) -> State:
    region = region_of(aws, config)
    endpoint = f"ec2.{region}.{_dns_suffix(aws.partition)}"
    return {
        "id": region,
        "name": region,
        "region": region,
        "description": region,
        "endpoint": endpoint,
    }


def _find_cluster(aws: AwsSession, config: State) -> EksCluster:
    name = config["name"]
    cluster = aws.world.clusters.get((aws.account, region_of(aws, config), name))
    if cluster is None:
        raise ProviderError(
            f"reading EKS Cluster ({name}): couldn't find resource",
            f"The test declares no cluster {name} in {region_of(aws, config)} "
            f"of account {aws.account}; see Standin.eks_cluster.",
        )
    return cluster


def _eks_cluster(aws: AwsSession, config: State) -> State:
    cluster = _find_cluster(aws, config)
    prefix = f"arn:{cluster.partition}"
    ipv6 = cluster.ip_family == "ipv6"
    network = {
        "ip_family": cluster.ip_family,
        "service_ipv4_cidr": "" if ipv6 else "10.100.0.0/16",
        "service_ipv6_cidr": "fd00:ec2::/108" if ipv6 else "",
        "elastic_load_balancing": [{"enabled": False}],
    }
    access = {
        "authentication_mode": cluster.authentication_mode,
        "bootstrap_cluster_creator_admin_permissions": False,
    }
    vpc = {
        "cluster_security_group_id": "sg-0123456789abcdef0",
        "endpoint_private_access": True,
        "endpoint_public_access": False,
        "public_access_cidrs": [],
        "security_group_ids": [],
        "subnet_ids": ["subnet-0a", "subnet-0b"],
        "vpc_id": "vpc-0123456789abcdef0",
    }
    return {
        "id": cluster.name,
        "arn": f"{prefix}:eks:{cluster.region}:{cluster.account}:cluster/{cluster.name}",
        "endpoint": cluster.endpoint,
        "version": cluster.version,
        "status": cluster.status,
        "platform_version": "eks.1",
        "role_arn": f"{prefix}:iam::{cluster.account}:role/{cluster.name}-cluster",
        "created_at": "2026-01-01T00:00:00Z",
        "certificate_authority": [{"data": "LS0tLS1CRUdJTg=="}],
        "identity": [{"oidc": [{"issuer": cluster.issuer}]}],
        "access_config": [access],
        "kubernetes_network_config": [network],
        "vpc_config": [vpc],
        "tags": cluster.tags,
    }


def _eks_cluster_auth(aws: AwsSession, config: State) -> State:
    _find_cluster(aws, config)
    return {"id": config["name"], "token": f"k8s-aws-v1.{config['name']}"}


def _openid_connect_provider(aws: AwsSession, config: State) -> State:
    iam, arn, url = aws.client("iam"), known_text(config.get("arn")), known_text(config.get("url"))
    wanted = (url or "").removeprefix("https://")
    known = [
        item["Arn"] for item in iam.list_open_id_connect_providers()["OpenIDConnectProviderList"]
    ]
    found = [item for item in known if item == arn or item.split("/", 1)[1] == wanted]
    if not found:
        by = f"url ({url})" if url else f"arn ({arn})"
        raise ProviderError(f"finding IAM OIDC Provider by {by}: couldn't find resource")
    told = iam.get_open_id_connect_provider(OpenIDConnectProviderArn=found[0])
    return {
        "id": found[0],
        "arn": found[0],
        "url": told["Url"].removeprefix("https://"),
        "client_id_list": told["ClientIDList"],
        "thumbprint_list": told["ThumbprintList"],
        "tags": tag_map(told.get("Tags")),
    }


def _iam_role(aws: AwsSession, config: State) -> State:
    role = aws.client("iam").get_role(RoleName=config["name"])["Role"]
    return {
        "id": role["RoleName"],
        "arn": role["Arn"],
        "path": role["Path"],
        "unique_id": role["RoleId"],
        "create_date": role["CreateDate"].isoformat(),
        "description": role.get("Description", ""),
        "max_session_duration": role["MaxSessionDuration"],
        "assume_role_policy": json.dumps(role["AssumeRolePolicyDocument"]),
        "tags": tag_map(role.get("Tags")),
    }


def _iam_policy(aws: AwsSession, config: State) -> State:
    iam, arn, name = aws.client("iam"), known_text(config.get("arn")), config.get("name")
    policies = [
        policy
        for page in iam.get_paginator("list_policies").paginate(Scope="All")
        for policy in page["Policies"]
        if policy["Arn"] == arn or (not arn and policy["PolicyName"] == name)
    ]
    if not policies:
        raise ProviderError(f"reading IAM Policy ({arn or name}): couldn't find resource")
    policy = policies[0]
    version = iam.get_policy_version(PolicyArn=policy["Arn"], VersionId=policy["DefaultVersionId"])
    return {
        "id": policy["Arn"],
        "arn": policy["Arn"],
        "name": policy["PolicyName"],
        "path": policy["Path"],
        "policy_id": policy["PolicyId"],
        "description": policy.get("Description", ""),
        "attachment_count": policy["AttachmentCount"],
        "policy": json.dumps(version["PolicyVersion"]["Document"]),
        "tags": tag_map(policy.get("Tags")),
    }


def _sqs_queue(aws: AwsSession, config: State) -> State:
    sqs = aws.client("sqs", region_of(aws, config))
    url = sqs.get_queue_url(QueueName=config["name"])["QueueUrl"]
    told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]
    tags = sqs.list_queue_tags(QueueUrl=url).get("Tags", {})
    return {"id": url, "url": url, "arn": told["QueueArn"], "tags": tags}


def _ssm_parameter(aws: AwsSession, config: State) -> State:
    ssm = aws.client("ssm", region_of(aws, config))
    told = ssm.get_parameter(Name=config["name"], WithDecryption=True)["Parameter"]
    value = told["Value"]
    return {
        "id": told["Name"],
        "arn": told["ARN"],
        "type": told["Type"],
        "value": value,
        "insecure_value": "" if told["Type"] == "SecureString" else value,
        "version": told["Version"],
    }


def _ecrpublic_token(aws: AwsSession, config: State) -> State:
    if region_of(aws, config) != "us-east-1":
        raise ProviderError(
            "reading ECR Public Authorization Token: no such host",
            f"ECR Public has an API in us-east-1 only, not in {region_of(aws, config)}.",
        )
    return {
        "id": "us-east-1",
        "user_name": "AWS",
        "password": "standin-registry-password",
        "authorization_token": "QVdTOnN0YW5kaW4tcmVnaXN0cnktcGFzc3dvcmQ=",
        "expires_at": "2030-01-01T00:00:00Z",
    }


SOURCES: dict[str, Source] = {
    "aws_caller_identity": _caller_identity,
    "aws_ecrpublic_authorization_token": _ecrpublic_token,
    "aws_eks_cluster": _eks_cluster,
    "aws_eks_cluster_auth": _eks_cluster_auth,
    "aws_iam_openid_connect_provider": _openid_connect_provider,
    "aws_iam_policy": _iam_policy,
    "aws_iam_policy_document": lambda _aws, config: policy_document.render(config),
    "aws_iam_role": _iam_role,
    "aws_partition": _partition,
    "aws_region": _region,
    "aws_sqs_queue": _sqs_queue,
    "aws_ssm_parameter": _ssm_parameter,
}


def read(aws: AwsSession, type_name: str, config: State) -> dict[str, Any]:
    """:raises ProviderError: nothing is found, worded as the real provider does."""
    try:
        told = SOURCES[type_name](aws, config)
    except ClientError as error:
        answer = error.response["Error"]
        name = config.get("name") or config.get("arn") or ""
        raise ProviderError(
            f"reading {type_name} ({name}): {answer['Code']}: {answer['Message']}"
        ) from error
    return {**told, **aws.world.data.get(type_name, {})}
