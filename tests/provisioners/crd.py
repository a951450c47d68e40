"""Judges an object by the CRD of a Karpenter release, as a Kubernetes API server would.

Nulls are pruned, defaults filled in, then the OpenAPI schema, unknown fields, list types,
integer formats and the CEL rules are checked; those that compare with an older object only
where there is one.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import cel
import jsonschema

Schema = dict[str, Any]

_FORMATS = {"int32": 2**31 - 1, "int64": 2**63 - 1}


@cache
def _crds(reference: Path, release: str) -> list[Schema]:
    document = json.loads((reference / f"karpenter/crds-by-line/{release}.json").read_text())
    crds: list[Schema] = document["crds"]
    return crds


@cache
def crd_spec(reference: Path, release: str, kind: str, version: str = "v1") -> Schema:
    """The schema of a kind's `spec` in the CRDs of one release."""
    schema: Schema = crd_root(reference, release, kind, version)["properties"]["spec"]
    return schema


@cache
def crd_root(reference: Path, release: str, kind: str, version: str) -> Schema:
    """The schema of a kind's objects in the CRDs of one release.

    Raises:
        LookupError: there is none.
    """
    for crd in _crds(reference, release):
        if crd["spec"]["names"]["kind"] == kind:
            for served in crd["spec"]["versions"]:
                if served["name"] == version:
                    root: Schema = served["schema"]["openAPIV3Schema"]
                    return root
    raise LookupError(f"{kind} {version} is not among the CRDs of {release}")


def refusals(schema: Schema, value: Any) -> list[str]:
    """Why the API server would refuse this value; empty where it would take it."""
    return list(_refusals(_compiled(schema), value))


def takes(schema: Schema, value: Any) -> bool:
    """Whether the API server would take this value; the first fault ends the search."""
    return next(_refusals(_compiled(schema), value), None) is None


class _Compiled:
    """A schema with the validator made from it, which takes long to make."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.plain = jsonschema.Draft7Validator(_json_schema(schema))


_COMPILED: dict[int, _Compiled] = {}


def _compiled(schema: Schema) -> _Compiled:
    # The schema is kept with the rest, so that its id stays its own.
    if id(schema) not in _COMPILED:
        _COMPILED[id(schema)] = _Compiled(schema)
    return _COMPILED[id(schema)]


def _refusals(of: _Compiled, value: Any) -> Iterator[str]:
    value = _defaulted(of.schema, _without_nulls(of.schema, copy.deepcopy(value)))
    sound = True
    for told in _structural(of, value):
        sound = False
        yield told
    # Like the API server, CEL rules look only at what has the right shape.
    if sound:
        for path, rule, why in _rules(of.schema, value, None, ""):
            yield f"{path}: {why or rule.get('message', rule['rule'])}"


def _structural(of: _Compiled, value: Any) -> Iterator[str]:
    yield from _walk(of.schema, value, "")
    for error in of.plain.iter_errors(value):
        yield f"{_dotted(error.absolute_path)}: {error.message}"


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
    made = {key: _json_schema(inner) for key, inner in schema.items() if key not in left_out}
    if isinstance(made.get("pattern"), str):
        # In Go, `$` is the very end, and digits are ASCII.
        made["pattern"] = made["pattern"].replace("$", r"\Z").replace(r"\d", "[0-9]")
    return made


def rules_broken(schema: Schema, value: Any, old: Any = None) -> set[tuple[str, str]]:
    """The places, and the CEL rules there, that a value of the right shape breaks.

    Args:
        old: the value that it takes the place of, for the rules that compare the two.
    """
    value, old = (
        None if v is None else _defaulted(schema, _without_nulls(schema, copy.deepcopy(v)))
        for v in (value, old)
    )
    return {
        (re.sub(r"\[[0-9]+\]", "[]", path.lstrip(".")), rule["rule"])
        for path, rule, _ in _rules(schema, value, old, "")
    }


def _rules(
    schema: Schema, value: Any, old: Any, path: str
) -> Iterator[tuple[str, dict[str, str], str]]:
    """The path, the rule, and the error that broke it if there was one."""
    if rules := schema.get("x-kubernetes-validations"):
        context = _context(value, old)  # One for all of them: to make it is what takes long.
        for rule in rules:
            if old is not None or "oldSelf" not in rule["rule"]:
                held, why = _judged(rule["rule"], context)
                if not held:
                    yield path, rule, why
    if isinstance(value, dict):
        before = old if isinstance(old, dict) else {}
        for key, inner in value.items():
            below = _inner(schema, key) or {}
            yield from _rules(below, inner, before.get(key), f"{path}.{key}")
    elif isinstance(value, list):
        # Items have no counterpart in the old list: it is replaced as a whole.
        for index, item in enumerate(value):
            yield from _rules(schema.get("items", {}), item, None, f"{path}[{index}]")


def _walk(schema: Schema, value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            below = _inner(schema, key)
            if below is not None:
                yield from _walk(below, inner, f"{path}.{key}")
            elif "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
                yield f"{path}: unknown field {key}"
    elif isinstance(value, list):
        each = {json.dumps(item, sort_keys=True) for item in value}
        if schema.get("x-kubernetes-list-type") == "set" and len(each) < len(value):
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


_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))")


def _is_timestamp(text: str) -> bool:
    """As Go's strfmt, which the API server uses, reads a date-time."""
    day, _, time = text.lower().partition("t")
    found = _TIME.fullmatch(time)
    if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", day) is None or found is None:
        return False
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return found[1] <= "23" and found[2] <= "59" and found[3] <= "59"


def _context(value: Any, old: Any) -> Any:
    context = cel.Context()
    context.add_variable("self", value)
    if old is not None:
        context.add_variable("oldSelf", old)
    # Functions of Kubernetes' CEL library that the evaluator does not have.
    context.add_function("find", _find)
    context.add_function("split", lambda text, by: text.split(by))
    return context


def _judged(rule: str, context: Any) -> tuple[bool, str]:
    try:
        return _program(rule).execute(context) is True, ""
    except Exception as error:  # the evaluator raises many kinds; each refuses, as in Kubernetes
        return False, f"{error} in {rule}"


@cache
def _program(rule: str) -> Any:
    return cel.compile(rule)


def _find(text: str, pattern: str) -> str:
    match = re.search(pattern, text)
    return match[0] if match else ""
