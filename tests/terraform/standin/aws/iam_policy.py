"""aws_iam_policy: a customer managed policy."""

from __future__ import annotations

import json

from typing_extensions import override

from ..values import State
from . import checks
from .resource import Resource, present, tag_list, tag_map
from .session import AwsSession


class Policy(Resource):
    type = "aws_iam_policy"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        checks.managed_policy(planned["policy"])
        arguments = present(
            PolicyName=planned["name"],
            Path=planned["path"],
            PolicyDocument=planned["policy"],
            Description=planned["description"],
            Tags=tag_list(planned),
        )
        return str(aws.client("iam").create_policy(**arguments)["Policy"]["Arn"])

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        iam, arn = aws.client("iam"), state["id"]
        policy = iam.get_policy(PolicyArn=arn)["Policy"]
        version = iam.get_policy_version(PolicyArn=arn, VersionId=policy["DefaultVersionId"])
        return {
            "arn": policy["Arn"],
            "name": policy["PolicyName"],
            "path": policy["Path"],
            "policy_id": policy["PolicyId"],
            "description": policy.get("Description", ""),
            "attachment_count": policy["AttachmentCount"],
            "policy": json.dumps(version["PolicyVersion"]["Document"]),
            "tags_all": tag_map(policy.get("Tags")),
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        iam, arn = aws.client("iam"), prior["id"]
        if planned["policy"] != prior["policy"]:
            checks.managed_policy(planned["policy"])
            # A policy keeps at most five versions; the provider drops the one it replaces last.
            versions = iam.list_policy_versions(PolicyArn=arn)["Versions"]
            for version in [v for v in versions if not v["IsDefaultVersion"]]:
                iam.delete_policy_version(PolicyArn=arn, VersionId=version["VersionId"])
            iam.create_policy_version(
                PolicyArn=arn, PolicyDocument=planned["policy"], SetAsDefault=True
            )
        iam.untag_policy(PolicyArn=arn, TagKeys=list(prior.get("tags_all") or {}))
        iam.tag_policy(PolicyArn=arn, Tags=tag_list(planned))

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        iam, arn = aws.client("iam"), state["id"]
        for version in iam.list_policy_versions(PolicyArn=arn)["Versions"]:
            if not version["IsDefaultVersion"]:
                iam.delete_policy_version(PolicyArn=arn, VersionId=version["VersionId"])
        iam.delete_policy(PolicyArn=arn)
