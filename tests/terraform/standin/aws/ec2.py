"""aws_ec2_tag."""

from __future__ import annotations

from typing_extensions import override

from ..errors import Gone
from ..values import State
from .resource import Resource, region_of
from .session import AwsSession


class Tag(Resource):
    type = "aws_ec2_tag"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        self._set(aws, planned)
        return f"{planned['resource_id']},{planned['key']}"

    def _set(self, aws: AwsSession, planned: State) -> None:
        aws.client("ec2", region_of(aws, planned)).create_tags(
            Resources=[planned["resource_id"]],
            Tags=[{"Key": planned["key"], "Value": planned["value"]}],
        )

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        resource, _, key = state["id"].partition(",")
        filters = [
            {"Name": "resource-id", "Values": [resource]},
            {"Name": "key", "Values": [key]},
        ]
        tags = aws.client("ec2", region_of(aws, state)).describe_tags(Filters=filters)["Tags"]
        if not tags:
            raise Gone
        return {"resource_id": resource, "key": key, "value": tags[0]["Value"]}

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        self._set(aws, planned)

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("ec2", region_of(aws, state)).delete_tags(
            Resources=[state["resource_id"]], Tags=[{"Key": state["key"]}]
        )
