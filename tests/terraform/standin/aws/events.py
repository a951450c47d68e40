"""aws_cloudwatch_event_rule, aws_cloudwatch_event_target."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from ..errors import AwsError, Gone
from ..values import UNKNOWN, State
from . import checks
from .resource import Resource, generated_name, present, region_of, tag_list, tag_map
from .session import AwsSession

_DEFAULT_BUS = "default"


def _bus(state: State) -> str:
    bus = state.get("event_bus_name")
    return bus if isinstance(bus, str) and bus else _DEFAULT_BUS


class Rule(Resource):
    type = "aws_cloudwatch_event_rule"

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        events = aws.client("events", region_of(aws, planned))
        existing = events.list_rules(NamePrefix=planned["name"], EventBusName=_bus(planned))
        if planned["name"] in [rule["Name"] for rule in existing["Rules"]]:
            # PutRule would silently take the rule over; the provider asks first.
            raise AwsError(
                "ResourceAlreadyExistsException", f"Rule {planned['name']} already exists."
            )
        self._put(aws, planned, Tags=tag_list(planned))
        bus, name = _bus(planned), planned["name"]
        return str(name if bus == _DEFAULT_BUS else f"{bus}/{name}")

    def _put(self, aws: AwsSession, planned: State, **more: Any) -> None:
        if planned["event_pattern"]:
            checks.event_pattern(planned["event_pattern"])
        state = planned.get("state")
        arguments = present(
            Name=planned["name"],
            EventBusName=_bus(planned),
            EventPattern=planned["event_pattern"],
            ScheduleExpression=planned["schedule_expression"],
            Description=planned["description"],
            RoleArn=planned["role_arn"],
            State="ENABLED" if state in (None, UNKNOWN) else state,
            **more,
        )
        aws.client("events", region_of(aws, planned)).put_rule(**arguments)

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        events = aws.client("events", region_of(aws, state))
        name = state["id"].rsplit("/", 1)[-1]
        rule = events.describe_rule(Name=name, EventBusName=_bus(state))
        tags = events.list_tags_for_resource(ResourceARN=rule["Arn"])["Tags"]
        enabled = rule.get("State", "ENABLED") == "ENABLED"
        # The provider hides the difference between an unset state and ENABLED.
        states = {"state": "ENABLED" if enabled else "DISABLED", "is_enabled": enabled}
        states = {key: told for key, told in states.items() if state.get(key) or not enabled}
        return {
            "arn": rule["Arn"],
            "name": rule["Name"],
            "event_bus_name": _bus(state),
            "description": rule.get("Description", ""),
            "event_pattern": rule.get("EventPattern", ""),
            "schedule_expression": rule.get("ScheduleExpression", ""),
            "tags_all": tag_map(tags),
            **states,
        }

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        self._put(aws, planned)
        events = aws.client("events", region_of(aws, prior))
        events.untag_resource(ResourceARN=prior["arn"], TagKeys=list(prior.get("tags_all") or {}))
        events.tag_resource(ResourceARN=prior["arn"], Tags=tag_list(planned))

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        events = aws.client("events", region_of(aws, state))
        targets = events.list_targets_by_rule(Rule=state["name"], EventBusName=_bus(state))
        if targets["Targets"] and not state.get("force_destroy"):
            raise AwsError("ValidationException", "Rule can't be deleted since it has targets.")
        events.delete_rule(Name=state["name"], EventBusName=_bus(state))

    @override
    def imported(self, identifier: str) -> State:
        return {"id": identifier, "force_destroy": False}


class Target(Resource):
    type = "aws_cloudwatch_event_target"

    def _targets(self, aws: AwsSession, state: State) -> list[dict[str, Any]]:
        events = aws.client("events", region_of(aws, state))
        answer = events.list_targets_by_rule(Rule=state["rule"], EventBusName=_bus(state))
        targets: list[dict[str, Any]] = answer["Targets"]
        return targets

    @override
    def create(self, aws: AwsSession, planned: State) -> str:
        if planned["target_id"] is UNKNOWN:
            planned["target_id"] = generated_name(None)
        checks.another_target(len(self._targets(aws, planned)))
        self._put(aws, planned)
        return f"{planned['rule']}-{planned['target_id']}"

    def _put(self, aws: AwsSession, planned: State) -> None:
        target = present(
            Id=planned["target_id"],
            Arn=planned["arn"],
            RoleArn=planned["role_arn"],
            Input=planned["input"],
            InputPath=planned["input_path"],
        )
        answer = aws.client("events", region_of(aws, planned)).put_targets(
            Rule=planned["rule"], EventBusName=_bus(planned), Targets=[target]
        )
        for entry in answer.get("FailedEntries", []):
            raise AwsError(entry["ErrorCode"], f"{entry['TargetId']}: {entry['ErrorMessage']}")

    @override
    def read(self, aws: AwsSession, state: State) -> State:
        for target in self._targets(aws, state):
            if target["Id"] == state["target_id"]:
                return {
                    "arn": target["Arn"],
                    "role_arn": target.get("RoleArn", ""),
                    "input": target.get("Input", ""),
                    "input_path": target.get("InputPath", ""),
                }
        raise Gone

    @override
    def update(self, aws: AwsSession, prior: State, planned: State) -> None:
        self._put(aws, planned)

    @override
    def delete(self, aws: AwsSession, state: State) -> None:
        aws.client("events", region_of(aws, state)).remove_targets(
            Rule=state["rule"], EventBusName=_bus(state), Ids=[state["target_id"]]
        )

    @override
    def imported(self, identifier: str) -> State:
        rule, _, target = identifier.partition("/")
        return {
            "id": f"{rule}-{target}",
            "rule": rule,
            "target_id": target,
            "event_bus_name": _DEFAULT_BUS,
            "force_destroy": False,
        }
