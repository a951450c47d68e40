"""aws_iam_instance_profile, aws_iam_openid_connect_provider, aws_iam_service_linked_role."""

from __future__ import annotations

from typing_extensions import override

from ..values import UNKNOWN, State
from .resource import Resource, present, tag_list, tag_map
from .session import AwsSession


class InstanceProfile(Resource):
    type = "aws_iam_instance_profile"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        iam, name = aws.client("iam"), planned["name"]
        iam.create_instance_profile(
            InstanceProfileName=name, Path=planned["path"], Tags=tag_list(planned)
        )
        if planned["role"]:
            iam.add_role_to_instance_profile(InstanceProfileName=name, RoleName=planned["role"])
        return str(name)

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        answer = aws.client("iam").get_instance_profile(InstanceProfileName=state["id"])
        profile = answer["InstanceProfile"]
        return {
            "arn": profile["Arn"],
            "name": profile["InstanceProfileName"],
            "path": profile["Path"],
            "unique_id": profile["InstanceProfileId"],
            "create_date": profile["CreateDate"].isoformat(),
            "role": next((role["RoleName"] for role in profile["Roles"]), ""),
            "tags_all": tag_map(profile.get("Tags")),
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        iam, name = aws.client("iam"), prior["id"]
        if planned["role"] != prior["role"]:
            if prior["role"]:
                iam.remove_role_from_instance_profile(
                    InstanceProfileName=name, RoleName=prior["role"]
                )
            if planned["role"]:
                iam.add_role_to_instance_profile(InstanceProfileName=name, RoleName=planned["role"])
        iam.untag_instance_profile(
            InstanceProfileName=name, TagKeys=list(prior.get("tags_all") or {})
        )
        iam.tag_instance_profile(InstanceProfileName=name, Tags=tag_list(planned))

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        iam, name = aws.client("iam"), state["id"]
        for role in iam.get_instance_profile(InstanceProfileName=name)["InstanceProfile"]["Roles"]:
            iam.remove_role_from_instance_profile(
                InstanceProfileName=name, RoleName=role["RoleName"]
            )
        iam.delete_instance_profile(InstanceProfileName=name)


class OpenIdConnectProvider(Resource):
    type = "aws_iam_openid_connect_provider"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        thumbprints = planned["thumbprint_list"]
        answer = aws.client("iam").create_open_id_connect_provider(
            Url=planned["url"],
            ClientIDList=planned["client_id_list"],
            # AWS finds the thumbprint of a well-known issuer by itself.
            ThumbprintList=["0" * 40] if thumbprints in (None, UNKNOWN) else thumbprints,
            Tags=tag_list(planned),
        )
        return str(answer["OpenIDConnectProviderArn"])

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        answer = aws.client("iam").get_open_id_connect_provider(
            OpenIDConnectProviderArn=state["id"]
        )
        return {
            "arn": state["id"],
            "client_id_list": answer["ClientIDList"],
            "thumbprint_list": answer["ThumbprintList"],
            "tags_all": tag_map(answer.get("Tags")),
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        iam, arn = aws.client("iam"), prior["id"]
        iam.update_open_id_connect_provider_thumbprint(
            OpenIDConnectProviderArn=arn, ThumbprintList=planned["thumbprint_list"]
        )
        iam.untag_open_id_connect_provider(
            OpenIDConnectProviderArn=arn, TagKeys=list(prior.get("tags_all") or {})
        )
        iam.tag_open_id_connect_provider(OpenIDConnectProviderArn=arn, Tags=tag_list(planned))

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("iam").delete_open_id_connect_provider(OpenIDConnectProviderArn=state["id"])

    @override
    def imported(self, identifier: str) -> State:
        return {"id": identifier, "url": "https://" + identifier.split("/", 1)[1]}


class ServiceLinkedRole(Resource):
    type = "aws_iam_service_linked_role"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        arguments = present(
            AWSServiceName=planned["aws_service_name"],
            CustomSuffix=planned["custom_suffix"],
            Description=planned["description"],
        )
        role = aws.client("iam").create_service_linked_role(**arguments)["Role"]
        return str(role["Arn"])

    def _name(self, state: State) -> str:
        return str(state["id"].rsplit("/", 1)[1])

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        role = aws.client("iam").get_role(RoleName=self._name(state))["Role"]
        return {
            "arn": role["Arn"],
            "name": role["RoleName"],
            "path": role["Path"],
            "unique_id": role["RoleId"],
            "create_date": role["CreateDate"].isoformat(),
            "aws_service_name": role["Path"].split("/")[2],
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        aws.client("iam").update_role_description(
            RoleName=self._name(prior), Description=planned["description"] or ""
        )

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("iam").delete_service_linked_role(RoleName=self._name(state))
