"""aws_sqs_queue, aws_sqs_queue_policy."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from ..errors import AwsError, Gone
from ..values import UNKNOWN, State, known_text
from . import checks
from .resource import Resource, region_of
from .session import AwsSession

# Terraform attribute -> the API's attribute.
_NUMBERS = {
    "delay_seconds": "DelaySeconds",
    "kms_data_key_reuse_period_seconds": "KmsDataKeyReusePeriodSeconds",
    "max_message_size": "MaximumMessageSize",
    "message_retention_seconds": "MessageRetentionPeriod",
    "receive_wait_time_seconds": "ReceiveMessageWaitTimeSeconds",
    "visibility_timeout_seconds": "VisibilityTimeout",
}
_TEXTS = {
    "kms_master_key_id": "KmsMasterKeyId",
    "policy": "Policy",
    "redrive_allow_policy": "RedriveAllowPolicy",
    "redrive_policy": "RedrivePolicy",
}
_FLAGS = {
    "content_based_deduplication": "ContentBasedDeduplication",
    "fifo_queue": "FifoQueue",
    "sqs_managed_sse_enabled": "SqsManagedSseEnabled",
}
# The API returns it for encrypted queues only; the provider fills in the default.
_DEFAULT_REUSE_SECONDS = 300


def _api_attributes(planned: State) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for name, key in (_NUMBERS | _TEXTS).items():
        value = planned.get(name)
        if value not in (None, "", UNKNOWN):
            attributes[key] = str(value)
    for name, key in _FLAGS.items():
        value = planned.get(name)
        # The API refuses FIFO attributes of a standard queue even when they are false.
        if value is True or (value is False and name == "sqs_managed_sse_enabled"):
            attributes[key] = str(value).lower()
    return attributes


class Queue(Resource):
    type = "aws_sqs_queue"

    @override
    def check_plan(self, planned: State) -> None:
        name = known_text(planned["name"])
        if name:
            try:
                checks.queue_name(name)
            except AwsError as error:
                raise AwsError("invalid queue name", f"{name}. {error.message}") from error

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        checks.queue_name(planned["name"])
        answer = aws.client("sqs", region_of(aws, planned)).create_queue(
            QueueName=planned["name"],
            Attributes=_api_attributes(planned),
            tags=planned.get("tags_all") or {},
        )
        return str(answer["QueueUrl"])

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        sqs = aws.client("sqs", region_of(aws, state))
        url = state["id"]
        told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
        result: dict[str, Any] = {name: int(told.get(key, 0)) for name, key in _NUMBERS.items()}
        result["kms_data_key_reuse_period_seconds"] = (
            result["kms_data_key_reuse_period_seconds"] or _DEFAULT_REUSE_SECONDS
        )
        result |= {name: told.get(key, "") for name, key in _TEXTS.items()}
        result |= {name: told.get(key, "false") == "true" for name, key in _FLAGS.items()}
        return {
            **result,
            "arn": told["QueueArn"],
            "name": url.rsplit("/", 1)[1],
            "url": url,
            "tags_all": sqs.list_queue_tags(QueueUrl=url).get("Tags", {}),
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        sqs, url = aws.client("sqs", region_of(aws, prior)), prior["id"]
        sqs.set_queue_attributes(QueueUrl=url, Attributes=_api_attributes(planned))
        sqs.untag_queue(QueueUrl=url, TagKeys=list(prior.get("tags_all") or {}))
        sqs.tag_queue(QueueUrl=url, Tags=planned.get("tags_all") or {})

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("sqs", region_of(aws, state)).delete_queue(QueueUrl=state["id"])


class QueuePolicy(Resource):
    type = "aws_sqs_queue_policy"

    def _set(self, aws: AwsSession, state: State, policy: str) -> None:
        aws.client("sqs", region_of(aws, state)).set_queue_attributes(
            QueueUrl=state["queue_url"], Attributes={"Policy": policy}
        )

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        self._set(aws, planned, planned["policy"])
        return str(planned["queue_url"])

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        answer = aws.client("sqs", region_of(aws, state)).get_queue_attributes(
            QueueUrl=state["id"], AttributeNames=["Policy"]
        )
        policy = answer.get("Attributes", {}).get("Policy")
        if not policy:
            raise Gone
        return {"policy": policy, "queue_url": state["id"]}

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        self._set(aws, planned, planned["policy"])

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        self._set(aws, state, "")
