"""Karpenter's CloudFormation template, in the words of the catalogue's table of statements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from modules.iam.facts import SHORT
from modules.iam.policy import PHRASES

_POLICY: Final = "AWS::IAM::ManagedPolicy"
_RULE: Final = "AWS::Events::Rule"
_ROLE: Final = "AWS::IAM::Role"
_NODE_ROLE: Final = "KarpenterNodeRole"
_NAMES: Final = {
    "${KarpenterNodeRole.Arn}": "{node_role}",
    "${KarpenterInterruptionQueue.Arn}": "{queue}",
    "${ClusterName}": "{cluster_name}",
    "${AWS::Partition}": "{partition}",
    "${AWS::Region}": "{region}",
    "${AWS::AccountId}": "{account_id}",
}
"""What the template names so: what our table does."""
_PHRASE: Final = re.compile(r"Karpenter(?:Controller)?(\w+)Policy")


@dataclass
class Template:
    """What a template says.

    Args:
        statements: by sid: the group, and the statement in the catalogue's words.
        events: by the detail type: the sender and the phrase of the rule.
        node_policies: names of the policies of the nodes' role.
        unknown: what cannot be said in the catalogue's words.
    """

    statements: dict[str, dict[str, Any]] = field(default_factory=dict)
    events: dict[str, tuple[str, str]] = field(default_factory=dict)
    node_policies: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def read(text: str) -> Template:
    """The template.

    Raises:
        yaml.YAMLError: it is not YAML.
    """
    data = yaml.load(text, Loader=_Loader)
    found = Template()
    resources = data.get("Resources") if isinstance(data, Mapping) else None
    if not isinstance(resources, Mapping):
        found.unknown.append("it has no Resources")
        return found
    for name, resource in resources.items():
        kind, properties = resource.get("Type"), resource.get("Properties") or {}
        if kind == _POLICY:
            _add_policy(found, str(name), properties)
        elif kind == _RULE:
            pattern = properties["EventPattern"]
            phrase = str(name).removesuffix("Rule")
            for detail_type in pattern["detail-type"]:
                found.events[detail_type] = (pattern["source"][0], phrase)
        elif kind == _ROLE and name == _NODE_ROLE:
            arns = [str(_text(arn)) for arn in properties["ManagedPolicyArns"]]
            found.node_policies = [arn.rpartition("/")[2] for arn in arns]
    return found


def _add_policy(found: Template, name: str, properties: Mapping[str, Any]) -> None:
    phrase = _PHRASE.fullmatch(name)
    group = next((g for g, p in PHRASES.items() if phrase and p == phrase[1]), None)
    if group is None:
        found.unknown.append(f"the policy {name} is of no group known here")
        return
    document = _text(properties["PolicyDocument"])
    if isinstance(document, str):
        document = json.loads(document)
    for statement in document["Statement"]:
        if statement.get("Effect") != "Allow" or not statement.get("Sid"):
            found.unknown.append(f"a statement of {name} has no sid, or does not allow")
            continue
        found.statements[statement["Sid"]] = {
            "group": group,
            "actions": _listed(statement["Action"]),
            "resources": [_ours(r) for r in _listed(statement["Resource"])],
            "conditions": [*_conditions(statement.get("Condition") or {})],
        }


def _conditions(given: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for test, keys in given.items():
        for key, value in keys.items():
            condition: dict[str, Any] = {"test": test, "key": _ours(key)}
            if isinstance(value, list):
                condition["values"] = [_ours(v) for v in value]
            else:
                condition["value"] = _ours(value)
            yield condition


def _ours(text: object) -> str:
    """A text with our names for what the template names otherwise."""
    found = str(text)
    for theirs, ours in _NAMES.items():
        found = found.replace(theirs, ours)
    # The longest first: what is short may be a part of it.
    for name, meaning in sorted(SHORT.items(), key=lambda pair: -len(pair[1])):
        found = found.replace(meaning, f"{{{name}}}")
    return found


def _text(value: Any) -> Any:
    """What stands in a `Fn::Sub`, or the value itself."""
    if isinstance(value, Mapping) and set(value) == {"Fn::Sub"}:
        value = value["Fn::Sub"]
    return value[0] if isinstance(value, list) and value and isinstance(value[0], str) else value


def _listed(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


class _Loader(yaml.SafeLoader):
    """Knows the short forms of CloudFormation's functions."""


def _function(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt":
        parts = value if isinstance(value, list) else [value]
        return f"${{{'.'.join(parts)}}}"
    return {"Fn::Sub": value} if suffix == "Sub" else value


_Loader.add_multi_constructor("!", _function)
