"""aws_iam_role, aws_iam_role_policy, aws_iam_role_policy_attachment."""

from __future__ import annotations

import json

from typing_extensions import override

from ..errors import Gone
from ..values import State
from . import checks
from .resource import Resource, present, tag_list, tag_map
from .session import AwsSession


class Role(Resource):
    type = "aws_iam_role"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        checks.trust_policy(planned["assume_role_policy"])
        arguments = present(
            RoleName=planned["name"],
            Path=planned["path"],
            AssumeRolePolicyDocument=planned["assume_role_policy"],
            Description=planned["description"],
            MaxSessionDuration=planned["max_session_duration"],
            PermissionsBoundary=planned["permissions_boundary"],
            Tags=tag_list(planned),
        )
        role = aws.client("iam").create_role(**arguments)["Role"]
        return str(role["RoleName"])

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        iam = aws.client("iam")
        role = iam.get_role(RoleName=state["id"])["Role"]
        attached = iam.list_attached_role_policies(RoleName=state["id"])["AttachedPolicies"]
        return {
            "arn": role["Arn"],
            "name": role["RoleName"],
            "path": role["Path"],
            "unique_id": role["RoleId"],
            "create_date": role["CreateDate"].isoformat(),
            "description": role.get("Description", ""),
            "max_session_duration": role["MaxSessionDuration"],
            "permissions_boundary": role.get("PermissionsBoundary", {}).get(
                "PermissionsBoundaryArn", ""
            ),
            "assume_role_policy": json.dumps(role["AssumeRolePolicyDocument"]),
            "managed_policy_arns": sorted(policy["PolicyArn"] for policy in attached),
            "tags_all": tag_map(role.get("Tags")),
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        iam, name = aws.client("iam"), prior["id"]
        checks.trust_policy(planned["assume_role_policy"])
        iam.update_assume_role_policy(RoleName=name, PolicyDocument=planned["assume_role_policy"])
        iam.update_role(
            RoleName=name,
            Description=planned["description"] or "",
            MaxSessionDuration=planned["max_session_duration"],
        )
        if planned["permissions_boundary"]:
            iam.put_role_permissions_boundary(
                RoleName=name, PermissionsBoundary=planned["permissions_boundary"]
            )
        elif prior["permissions_boundary"]:
            iam.delete_role_permissions_boundary(RoleName=name)
        iam.untag_role(RoleName=name, TagKeys=list(prior.get("tags_all") or {}))
        iam.tag_role(RoleName=name, Tags=tag_list(planned))

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        iam = aws.client("iam")
        if state.get("force_detach_policies"):
            for policy in iam.list_attached_role_policies(RoleName=state["id"])["AttachedPolicies"]:
                iam.detach_role_policy(RoleName=state["id"], PolicyArn=policy["PolicyArn"])
        iam.delete_role(RoleName=state["id"])

    @override
    def imported(self, identifier: str) -> State:
        return {"id": identifier, "name": identifier, "force_detach_policies": False}


class RolePolicy(Resource):
    type = "aws_iam_role_policy"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        self._put(aws, planned)
        return f"{planned['role']}:{planned['name']}"

    def _put(self, aws: AwsSession, planned: State) -> None:
        iam, role = aws.client("iam"), planned["role"]
        others = [
            json.dumps(iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"])
            for name in iam.list_role_policies(RoleName=role)["PolicyNames"]
            if name != planned["name"]
        ]
        checks.inline_policies(role, [*others, planned["policy"]])
        iam.put_role_policy(
            RoleName=role, PolicyName=planned["name"], PolicyDocument=planned["policy"]
        )

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        role, _, name = state["id"].partition(":")
        policy = aws.client("iam").get_role_policy(RoleName=role, PolicyName=name)
        return {"role": role, "name": name, "policy": json.dumps(policy["PolicyDocument"])}

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        self._put(aws, planned)

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("iam").delete_role_policy(RoleName=state["role"], PolicyName=state["name"])


class RolePolicyAttachment(Resource):
    type = "aws_iam_role_policy_attachment"

    def _attached(self, aws: AwsSession, role: str) -> list[str]:
        answer = aws.client("iam").list_attached_role_policies(RoleName=role)
        return [policy["PolicyArn"] for policy in answer["AttachedPolicies"]]

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        role, policy = planned["role"], planned["policy_arn"]
        attached = self._attached(aws, role)
        if policy not in attached:
            checks.another_attachment(len(attached))
        aws.client("iam").attach_role_policy(RoleName=role, PolicyArn=policy)
        return f"{role}/{policy}"

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        if state["policy_arn"] not in self._attached(aws, state["role"]):
            raise Gone
        return {}

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("iam").detach_role_policy(RoleName=state["role"], PolicyArn=state["policy_arn"])

    @override
    def imported(self, identifier: str) -> State:
        role, _, policy = identifier.partition("/")
        return {"id": identifier, "role": role, "policy_arn": policy}
