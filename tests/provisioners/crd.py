"""Judges an object by the CRD of a Karpenter release, as a Kubernetes API server would.

Nulls are pruned, defaults filled in, then the OpenAPI schema, unknown fields, list types,
integer formats and the CEL rules are checked. Rules that compare with an older object are
left out: what is judged here is always new.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import cel
import jsonschema

Schema = dict[str, Any]

_FORMATS = {"int32": 2**31 - 1, "int64": 2**63 - 1}


@cache
def crd_spec(reference: Path, release: str, kind: str) -> Schema:
    """The schema of a kind's `spec` (v1) in the CRDs of one release."""
    document = json.loads((reference / f"karpenter/crds-by-line/{release}.json").read_text())
    for crd in document["crds"]:
        if crd["spec"]["names"]["kind"] == kind:
            versions = {version["name"]: version for version in crd["spec"]["versions"]}
            root: Schema = versions["v1"]["schema"]["openAPIV3Schema"]
            schema: Schema = root["properties"]["spec"]
            return schema
    raise LookupError(f"{kind} is not among the CRDs of {release}")


def refusals(schema: Schema, value: Any) -> list[str]:
    """Why the API server would refuse this value; empty where it would take it."""
    value = _defaulted(schema, _without_nulls(schema, copy.deepcopy(value)))
    plain = jsonschema.Draft7Validator(_json_schema(schema))
    found = [f"{_dotted(e.absolute_path)}: {e.message}" for e in plain.iter_errors(value)]
    found += _walk(schema, value, "")
    # Like the API server, CEL rules look only at what has the right shape.
    return found or list(_rules(schema, value, ""))


def _dotted(path: Any) -> str:
    return ".".join(map(str, path))


def _inner(schema: Schema, key: str) -> Schema | None:
    """The schema of what stands under a key, or None where the key is unknown."""
    found = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
    return found if isinstance(found, dict) else None


def _without_nulls(schema: Schema, value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_nulls(_inner(schema, key) or {}, inner)
            for key, inner in value.items()
            if inner is not None
        }
    if isinstance(value, list):
        return [_without_nulls(schema.get("items", {}), item) for item in value]
    return value


def _defaulted(schema: Schema, value: Any) -> Any:
    if isinstance(value, dict):
        for key, inner in schema.get("properties", {}).items():
            if key not in value and "default" in inner:
                value[key] = copy.deepcopy(inner["default"])
        for key in value:
            value[key] = _defaulted(_inner(schema, key) or {}, value[key])
    elif isinstance(value, list):
        value = [_defaulted(schema.get("items", {}), item) for item in value]
    return value


def _json_schema(schema: Any) -> Any:
    """OpenAPI as JSON Schema; what `_walk` checks, and what is no constraint, is left out."""
    if isinstance(schema, list):
        return [_json_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    left_out = ("format", "x-kubernetes-validations", "default", "description")
    return {key: _json_schema(inner) for key, inner in schema.items() if key not in left_out}


def _rules(schema: Schema, value: Any, path: str) -> Iterator[str]:
    for rule in schema.get("x-kubernetes-validations", []):
        if "oldSelf" not in rule["rule"]:
            yield from _judged(rule, value, path)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _rules(_inner(schema, key) or {}, inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _rules(schema.get("items", {}), item, f"{path}[{index}]")


def _walk(schema: Schema, value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            below = _inner(schema, key)
            if below is not None:
                yield from _walk(below, inner, f"{path}.{key}")
            elif "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
                yield f"{path}: unknown field {key}"
    elif isinstance(value, list):
        if schema.get("x-kubernetes-list-type") == "set" and len(set(value)) < len(value):
            yield f"{path}: duplicate value"
        for index, item in enumerate(value):
            yield from _walk(schema.get("items", {}), item, f"{path}[{index}]")
    elif isinstance(value, str) and schema.get("format") == "date-time":
        if not _is_timestamp(value):
            yield f"{path}: no date-time"
    elif isinstance(value, int) and schema.get("format") in _FORMATS:
        limit = _FORMATS[schema["format"]]
        if not -limit - 1 <= value <= limit:
            yield f"{path}: out of range of {schema['format']}"


def _is_timestamp(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _judged(rule: dict[str, str], value: Any, path: str) -> Iterator[str]:
    context = cel.Context()
    context.add_variable("self", value)
    # Functions of Kubernetes' CEL library that the evaluator does not have.
    context.add_function("find", _find)
    context.add_function("split", lambda text, by: text.split(by))
    try:
        held = _program(rule["rule"]).execute(context)
    except Exception as error:  # the evaluator raises many kinds; each refuses, as in Kubernetes
        yield f"{path}: {error} in {rule['rule']}"
        return
    if held is not True:
        yield f"{path}: {rule.get('message', rule['rule'])}"


@cache
def _program(rule: str) -> Any:
    return cel.compile(rule)


def _find(text: str, pattern: str) -> str:
    match = re.search(pattern, text)
    return match[0] if match else ""
