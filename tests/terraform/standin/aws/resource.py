"""The base of every aws resource, and how what AWS says becomes Terraform state."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

from ..documents import equivalent
from ..errors import Gone
from ..values import UNKNOWN, State
from .session import AwsSession

_GONE_CODES = frozenset(
    {
        "AWS.SimpleQueueService.NonExistentQueue",
        "NoSuchEntity",
        "NotFoundException",
        "QueueDoesNotExist",
        "ResourceNotFoundException",
    }
)
_counter = itertools.count(1)


def is_gone(error: ClientError) -> bool:
    return error.response["Error"]["Code"] in _GONE_CODES


def present(**arguments: Any) -> dict[str, Any]:
    """The arguments that say something: an API call is given no empty ones."""
    return {name: value for name, value in arguments.items() if value not in (None, "", [], {})}


def tag_list(state: State) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in (state.get("tags_all") or {}).items()]


def tag_map(tags: Iterable[dict[str, str]] | None) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in tags or []}


def generated_name(prefix: str | None) -> str:
    """A name as the plugin SDK makes it: 18 digits of time and 8 of a counter, 26 in all."""
    moment = datetime.now(UTC).strftime("%Y%m%d%H%M%S%f")[:18]
    return f"{prefix or 'terraform-'}{moment}{next(_counter):08x}"


class Resource:
    """One resource type. Methods raise ``ClientError`` or ``AwsError`` when AWS refuses."""

    type: str

    def check_plan(self, planned: State) -> None:
        """What the provider's CustomizeDiff refuses, by ``AwsError``. Unknowns are in here."""

    def create(self, aws: AwsSession, planned: State) -> str:
        """Make the object; returns its Terraform id."""
        raise NotImplementedError

    def read(self, aws: AwsSession, state: State) -> State:
        """The attributes that AWS tells; raises ``Gone`` or a not-found ``ClientError``."""
        raise NotImplementedError

    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        """Change in place. Types whose every attribute forces a replacement have none."""
        raise NotImplementedError

    def delete(self, aws: AwsSession, state: State) -> None:
        raise NotImplementedError

    def imported(self, identifier: str) -> State:
        """What ``terraform import`` knows from the identifier alone."""
        return {"id": identifier}


def region_of(aws: AwsSession, state: State) -> str:
    region = state.get("region")
    return region if isinstance(region, str) and region else aws.region


def _empty(value: Any) -> bool:
    return value in (None, "", [], {})


def refreshed(aws: AwsSession, state: State, told: State) -> State:
    """The state after a refresh: equivalent JSON and emptiness in another form are no change."""
    result = dict(state)
    for name, value in told.items():
        if name == "tags_all":
            own = state.get("tags") or {}
            shown = {
                key: item
                for key, item in value.items()
                if key in own or aws.default_tags.get(key) != item
            }
            result["tags_all"] = value
            if not (_empty(shown) and _empty(state.get("tags"))):
                result["tags"] = shown
        elif not (_empty(value) and _empty(state.get(name))) and not equivalent(
            name, state.get(name), value
        ):
            result[name] = value
    return result


def settled(planned: State, told: State) -> State:
    """The state after a create or update: what was unknown is told now, the plan stands."""
    return {
        name: told.get(name, UNKNOWN) if value is UNKNOWN else value
        for name, value in planned.items()
    }


def read(resource: Resource, aws: AwsSession, state: State) -> State:
    """``Resource.read`` with one way to say that the object is gone."""
    try:
        return resource.read(aws, state)
    except ClientError as error:
        if is_gone(error):
            raise Gone from error
        raise


def delete(resource: Resource, aws: AwsSession, state: State) -> None:
    """Delete; an object that is gone already is no error, as with the real provider."""
    try:
        resource.delete(aws, state)
    except ClientError as error:
        if not is_gone(error):
            raise
