"""One configured aws provider: its region, account, credentials and default tags."""

from __future__ import annotations

import threading
from typing import Any

import boto3

from ..errors import ProviderError
from ..values import UNKNOWN, State, known_text
from ..world import ACCOUNT, REGION, World

_boto = boto3.Session()
_clients: dict[tuple[str, str, str], Any] = {}
_clients_lock = threading.Lock()
_OWN = {"aws_access_key_id": "standin", "aws_secret_access_key": "standin"}


def client(service: str, region: str, credentials: dict[str, str] | None = None) -> Any:
    """A boto3 client on moto. Cached: making one costs more than most calls."""
    credentials = credentials or _OWN
    key = service, region, credentials["aws_access_key_id"]
    with _clients_lock:
        if key not in _clients:
            # Moto tells the partition by a region in the host, which IAM's in GovCloud has not.
            govcloud = service == "iam" and region.startswith("us-gov-")
            host = f"https://iam.{region}.amazonaws.com" if govcloud else None
            _clients[key] = _boto.client(
                service, region_name=region, endpoint_url=host, **credentials
            )
        return _clients[key]


def assume(world: World, role_arn: str, name: str, region: str) -> dict[str, str]:
    """Credentials in the role's account; moto keeps accounts apart by them."""
    if role_arn not in world.credentials:
        answer = client("sts", region).assume_role(RoleArn=role_arn, RoleSessionName=name)
        world.credentials[role_arn] = {
            "aws_access_key_id": answer["Credentials"]["AccessKeyId"],
            "aws_secret_access_key": answer["Credentials"]["SecretAccessKey"],
            "aws_session_token": answer["Credentials"]["SessionToken"],
        }
    return world.credentials[role_arn]


def account_credentials(world: World, account: str, region: str) -> dict[str, str]:
    """Credentials in an account, for what the stand-in or a test does there itself."""
    if account == ACCOUNT:
        return _OWN
    partition = client("sts", region).get_caller_identity()["Arn"].split(":")[1]
    return assume(world, f"arn:{partition}:iam::{account}:role/standin", "standin", region)


class AwsSession:
    """What the provider block of one configuration (or alias) says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.region = REGION
        self.default_tags: dict[str, str] = {}
        self.credentials: dict[str, str] = _OWN

    def configure(self, config: State) -> None:
        """:raises ProviderError: the account is not among the allowed ones."""
        self.region = known_text(config.get("region")) or REGION
        self.default_tags = {}
        for block in config.get("default_tags") or []:
            tags = block.get("tags")
            self.default_tags.update({} if tags in (None, UNKNOWN) else tags)
        account = self.world.profiles.get(known_text(config.get("profile")) or "", ACCOUNT)
        self.credentials = account_credentials(self.world, account, self.region)
        for role in config.get("assume_role") or []:
            arn = known_text(role.get("role_arn"))
            if arn:
                name = known_text(role.get("session_name")) or "standin"
                self.credentials = assume(self.world, arn, name, self.region)
        self._check_account(config)

    def _check_account(self, config: State) -> None:
        allowed = config.get("allowed_account_ids") or []
        forbidden = config.get("forbidden_account_ids") or []
        account = self.account
        if (allowed and account not in allowed) or account in forbidden:
            raise ProviderError(f"AWS account ID not allowed: {account}")

    def client(self, service: str, region: str | None = None) -> Any:
        return client(service, region or self.region, self.credentials)

    @property
    def identity(self) -> dict[str, str]:
        answer: dict[str, str] = self.client("sts").get_caller_identity()
        return answer

    @property
    def account(self) -> str:
        return self.identity["Account"]

    @property
    def partition(self) -> str:
        return self.identity["Arn"].split(":")[1]
