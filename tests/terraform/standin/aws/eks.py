"""EKS types, which moto lacks: they live in Terraform's state and ``World.state_only`` alone.

A test sees them there, and drift is made by changing or removing them there.
"""

from __future__ import annotations

import hashlib

from botocore.exceptions import ClientError
from typing_extensions import override

from ..errors import AwsError, Gone
from ..values import UNKNOWN, State
from .resource import Resource, region_of
from .session import AwsSession

_MOMENT = "2026-01-01T00:00:00Z"


def _arn(aws: AwsSession, state: State, path: str) -> str:
    return f"arn:{aws.partition}:eks:{region_of(aws, state)}:{aws.account}:{path}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("/".join(parts).encode()).hexdigest()[:20]


class StateOnly(Resource):
    """An object without a backend: no check but that the same one is not made twice."""

    key: tuple[str, ...]
    separator = ":"

    def identifier(self, planned: State) -> str:
        return self.separator.join(planned[name] for name in self.key)

    def computed(self, aws: AwsSession, planned: State, identifier: str) -> State:
        """What AWS would tell of a new object beside what it was given."""
        raise NotImplementedError

    def check(self, aws: AwsSession, planned: State) -> None:
        """What EKS refuses."""

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        identifier = self.identifier(planned)
        if (self.type, identifier) in aws.world.state_only:
            raise AwsError(
                "ResourceInUseException",
                "The specified resource is already in use on this cluster.",
            )
        self.check(aws, planned)
        given = {name: value for name, value in planned.items() if value is not UNKNOWN}
        given |= self.computed(aws, planned, identifier)
        aws.world.state_only[self.type, identifier] = given
        return identifier

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        try:
            return dict(aws.world.state_only[self.type, state["id"]])
        except KeyError as error:
            raise Gone from error

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        self.check(aws, planned)
        known = {name: value for name, value in planned.items() if value is not UNKNOWN}
        aws.world.state_only[self.type, prior["id"]].update(known)

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.world.state_only.pop((self.type, state["id"]), None)


class AccessEntry(StateOnly):
    type = "aws_eks_access_entry"
    key = ("cluster_name", "principal_arn")

    @override
    def check(self, aws: AwsSession, planned: State) -> None:
        principal, kind = planned["principal_arn"], planned["type"]
        if role := principal.partition(":role/")[2].rsplit("/", 1)[-1]:
            try:
                aws.client("iam").get_role(RoleName=role)
            except ClientError as error:
                raise AwsError(
                    "InvalidParameterException",
                    f"The specified principalArn is invalid: invalid principal. ({principal})",
                ) from error
        if kind != "STANDARD" and planned.get("kubernetes_groups") not in (None, [], UNKNOWN):
            raise AwsError(
                "InvalidParameterException",
                f"Kubernetes groups cannot be given for an access entry of type {kind}",
            )

    @override
    def computed(self, aws: AwsSession, planned: State, identifier: str) -> State:
        cluster, principal = planned["cluster_name"], planned["principal_arn"]
        name = principal.rsplit("/", 1)[-1]
        path = f"access-entry/{cluster}/role/{aws.account}/{name}/{_digest(identifier)}"
        groups = planned.get("kubernetes_groups")
        user = planned.get("user_name")
        node = "system:node:{{EC2PrivateDNSName}}"
        return {
            "access_entry_arn": _arn(aws, planned, path),
            "created_at": _MOMENT,
            "modified_at": _MOMENT,
            "kubernetes_groups": [] if groups in (None, UNKNOWN) else groups,
            "user_name": (principal if planned["type"] == "STANDARD" else node)
            if user in (None, UNKNOWN)
            else user,
        }


class AccessPolicyAssociation(StateOnly):
    type = "aws_eks_access_policy_association"
    key = ("cluster_name", "principal_arn", "policy_arn")
    separator = "#"

    @override
    def check(self, aws: AwsSession, planned: State) -> None:
        entry = f"{planned['cluster_name']}:{planned['principal_arn']}"
        if ("aws_eks_access_entry", entry) not in aws.world.state_only:
            raise AwsError(
                "ResourceNotFoundException",
                f"The specified principalArn could not be found: {planned['principal_arn']}",
            )

    @override
    def computed(self, aws: AwsSession, planned: State, identifier: str) -> State:
        return {"associated_at": _MOMENT, "modified_at": _MOMENT}


class PodIdentityAssociation(StateOnly):
    type = "aws_eks_pod_identity_association"
    key = ("cluster_name", "namespace", "service_account")

    @override
    def identifier(self, planned: State) -> str:
        return "a-" + _digest(*(planned[name] for name in self.key))

    @override
    def computed(self, aws: AwsSession, planned: State, identifier: str) -> State:
        path = f"podidentityassociation/{planned['cluster_name']}/{identifier}"
        return {
            "association_id": identifier,
            "association_arn": _arn(aws, planned, path),
            "external_id": "",
            "disable_session_tags": planned.get("disable_session_tags") is True,
        }


class Addon(StateOnly):
    type = "aws_eks_addon"
    key = ("cluster_name", "addon_name")

    @override
    def computed(self, aws: AwsSession, planned: State, identifier: str) -> State:
        path = f"addon/{planned['cluster_name']}/{planned['addon_name']}/{_digest(identifier)}"
        version = planned.get("addon_version")
        configuration = planned.get("configuration_values")
        return {
            "arn": _arn(aws, planned, path),
            "created_at": _MOMENT,
            "modified_at": _MOMENT,
            "addon_version": "v1.0.0-eksbuild.1" if version in (None, UNKNOWN) else version,
            "configuration_values": "" if configuration in (None, UNKNOWN) else configuration,
        }
