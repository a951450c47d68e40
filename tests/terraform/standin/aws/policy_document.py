"""data.aws_iam_policy_document: statements in HCL to the JSON that the provider writes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ..errors import ProviderError
from ..values import State

Statement = dict[str, Any]


def _one_or_many(values: list[str]) -> str | list[str]:
    # The provider sorts lists of actions and resources backwards and unwraps a single one.
    return values[0] if len(values) == 1 else sorted(values, reverse=True)


def _variables(value: str) -> str:
    # Terraform keeps ${...} to itself, so the provider writes IAM's variables as &{...}.
    return value.replace("&{", "${")


def _principals(blocks: list[State]) -> str | dict[str, str | list[str]]:
    if len(blocks) == 1 and blocks[0]["type"] == "*" and blocks[0]["identifiers"] == ["*"]:
        return "*"
    collected: dict[str, list[str]] = {}
    for block in blocks:
        collected.setdefault(block["type"], []).extend(block["identifiers"])
    return {kind: _one_or_many(names) for kind, names in sorted(collected.items())}


def _conditions(blocks: list[State]) -> dict[str, dict[str, Any]]:
    conditions: dict[str, dict[str, Any]] = {}
    for block in blocks:
        values = [_variables(value) for value in block["values"]]
        tests = conditions.setdefault(block["test"], {})
        tests[block["variable"]] = values[0] if len(values) == 1 else values
    return {test: dict(sorted(keys.items())) for test, keys in sorted(conditions.items())}


def _statement(block: State) -> Statement:
    statement: Statement = {}
    if block.get("sid"):
        statement["Sid"] = block["sid"]
    statement["Effect"] = block.get("effect") or "Allow"
    for name, key in (
        ("actions", "Action"),
        ("not_actions", "NotAction"),
        ("resources", "Resource"),
        ("not_resources", "NotResource"),
    ):
        if block.get(name):
            statement[key] = _one_or_many([_variables(value) for value in block[name]])
    for name, key in (("principals", "Principal"), ("not_principals", "NotPrincipal")):
        if block.get(name):
            statement[key] = _principals(block[name])
    if block.get("condition"):
        statement["Condition"] = _conditions(block["condition"])
    return statement


def _merge(into: list[Statement], more: list[Statement], *, replace: bool) -> None:
    for statement in more:
        sid = statement.get("Sid")
        index = next((i for i, known in enumerate(into) if sid and known.get("Sid") == sid), None)
        if index is None:
            into.append(statement)
        elif replace:
            into[index] = statement
        else:
            raise ProviderError(f"duplicate Sid ({sid})")


def _statements(document: str) -> list[Statement]:
    found = json.loads(document)["Statement"]
    return found if isinstance(found, list) else [found]


def render(config: State) -> State:
    """The data source's computed attributes.

    :raises ProviderError: a Sid is twice in one document or in two source documents.
    """
    sources = [text for text in config.get("source_policy_documents") or [] if text]
    overrides = [text for text in config.get("override_policy_documents") or [] if text]
    own = [_statement(block) for block in config.get("statement") or []]
    merged: list[Statement] = []
    for text in sources:
        _merge(merged, _statements(text), replace=False)
    _merge(merged, own, replace=bool(sources))
    for text in overrides:
        _merge(merged, _statements(text), replace=True)
    document: dict[str, Any] = {"Version": config.get("version") or "2012-10-17"}
    if config.get("policy_id"):
        document["Id"] = config["policy_id"]
    if merged:
        document["Statement"] = merged
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return {
        "id": str(int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)),
        "json": text,
        "minified_json": json.dumps(document, separators=(",", ":"), ensure_ascii=False),
        "version": document["Version"],
    }
