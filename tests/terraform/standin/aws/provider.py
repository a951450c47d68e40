"""The aws provider as the protocol needs it."""

from __future__ import annotations

from collections.abc import Iterable

from botocore.exceptions import ClientError
from typing_extensions import override

from .. import planning, schema
from ..errors import AwsError, Gone, Problem, ProviderError
from ..planning import Plan
from ..provider import Provider
from ..values import UNKNOWN, State, known_text
from ..world import World
from . import data, resource, validation
from .ec2 import Tag
from .eks import AccessEntry, AccessPolicyAssociation, Addon, PodIdentityAssociation
from .events import Rule, Target
from .iam_other import InstanceProfile, OpenIdConnectProvider, ServiceLinkedRole
from .iam_policy import Policy
from .iam_role import Role, RolePolicy, RolePolicyAttachment
from .resource import Resource, generated_name
from .session import AwsSession
from .sqs import Queue, QueuePolicy

RESOURCES: dict[str, Resource] = {
    item.type: item
    for item in (
        AccessEntry(),
        AccessPolicyAssociation(),
        Addon(),
        InstanceProfile(),
        OpenIdConnectProvider(),
        PodIdentityAssociation(),
        Policy(),
        Queue(),
        QueuePolicy(),
        Role(),
        RolePolicy(),
        RolePolicyAttachment(),
        Rule(),
        ServiceLinkedRole(),
        Tag(),
        Target(),
    )
}


def _failed(doing: str, type_name: str, name: str, error: ClientError | AwsError) -> ProviderError:
    """An API error as the provider words it: what it did, to what, operation, code, message."""
    if isinstance(error, AwsError):
        return ProviderError(f"{doing} {type_name} ({name}): {error.code}: {error.message}")
    answer = error.response["Error"]
    operation = f"operation error {error.operation_name}"
    return ProviderError(
        f"{doing} {type_name} ({name}): {operation}, {answer['Code']}: {answer['Message']}"
    )


class AwsProvider(Provider):
    name = "aws"
    legacy_type_system = True

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._aws = AwsSession(world)

    @override
    def configure(self, config: State) -> None:
        self._aws.configure(config)

    @override
    def validate(self, type_name: str, config: State, *, data: bool) -> Iterable[Problem]:
        return validation.validate(type_name, config, data=data)

    @override
    def plan_create(self, type_name: str, planned: State) -> State:
        block = schema.resource_block(self.name, type_name)
        aws = self._aws
        planned = planning.plan_create(type_name, block, planned, aws.default_tags, aws.region)
        try:
            RESOURCES[type_name].check_plan(planned)
        except AwsError as error:
            raise ProviderError(str(error)) from error
        return planned

    @override
    def plan_update(self, type_name: str, prior: State, planned: State, config: State) -> Plan:
        block = schema.resource_block(self.name, type_name)
        aws = self._aws
        return planning.plan_update(type_name, block, prior, planned, aws.default_tags, aws.region)

    @override
    def create(self, type_name: str, planned: State) -> State:
        if planned.get("name") is UNKNOWN:
            planned["name"] = generated_name(known_text(planned.get("name_prefix")))
        kind = RESOURCES[type_name]
        try:
            identifier = kind.create(self._aws, planned)
            planned["id"] = identifier
            return resource.settled(planned, resource.read(kind, self._aws, planned))
        except (ClientError, AwsError) as error:
            raise _failed("creating", type_name, _label(planned), error) from error

    @override
    def read(self, type_name: str, state: State) -> State | None:
        kind = RESOURCES[type_name]
        try:
            told = resource.read(kind, self._aws, state)
        except Gone:
            return None
        except (ClientError, AwsError) as error:
            raise _failed("reading", type_name, _label(state), error) from error
        known = {name: value for name, value in told.items() if name in state}
        if "region" in state:
            known["region"] = resource.region_of(self._aws, state)
        return resource.refreshed(self._aws, state, known)

    @override
    def update(self, type_name: str, prior: State, planned: State) -> State:
        kind = RESOURCES[type_name]
        try:
            kind.update(self._aws, prior, planned)
            return resource.settled(planned, resource.read(kind, self._aws, {**prior, **planned}))
        except (ClientError, AwsError) as error:
            raise _failed("updating", type_name, _label(prior), error) from error

    @override
    def delete(self, type_name: str, state: State) -> None:
        try:
            resource.delete(RESOURCES[type_name], self._aws, state)
        except (ClientError, AwsError) as error:
            raise _failed("deleting", type_name, _label(state), error) from error

    @override
    def imported(self, type_name: str, identifier: str) -> State:
        return RESOURCES[type_name].imported(identifier)

    @override
    def read_data(self, type_name: str, config: State) -> State:
        return data.read(self._aws, type_name, config)


def _label(state: State) -> str:
    for name in ("name", "id", "queue_url", "role"):
        if value := known_text(state.get(name)):
            return value
    return "?"
