"""The committed schema: as data, as protocol messages, and walked over a value."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from typing import Any

from tf.gen import tfplugin_pb2 as pb

from .derive import SCHEMA_FILE, source_address
from .values import UNKNOWN, State

Block = dict[str, Any]
Visit = Callable[[str, Block, Any], Any]

_FLAGS = ("required", "optional", "computed", "sensitive")


@functools.cache
def provider_schema(provider: str) -> dict[str, Any]:
    """The provider's entry of ``schema.json``."""
    document = json.loads(SCHEMA_FILE.read_text())
    schema: dict[str, Any] = document["provider_schemas"][source_address(provider)]
    return schema


def resource_block(provider: str, type_name: str) -> Block:
    block: Block = provider_schema(provider)["resource_schemas"][type_name]["block"]
    return block


def data_block(provider: str, type_name: str) -> Block:
    block: Block = provider_schema(provider)["data_source_schemas"][type_name]["block"]
    return block


def _attribute(name: str, attribute: Block) -> pb.Schema.Attribute:
    message = pb.Schema.Attribute(
        name=name, **{flag: True for flag in _FLAGS if attribute.get(flag)}
    )
    if nested := attribute.get("nested_type"):
        mode = pb.Schema.Object.NestingMode.Value(nested["nesting_mode"].upper())
        inner = [_attribute(key, value) for key, value in sorted(nested["attributes"].items())]
        message.nested_type.CopyFrom(pb.Schema.Object(nesting=mode, attributes=inner))
    else:
        message.type = json.dumps(attribute["type"]).encode()
    return message


def _block(block: Block) -> pb.Schema.Block:
    nested = [
        pb.Schema.NestedBlock(
            type_name=name,
            block=_block(kind["block"]),
            min_items=kind.get("min_items", 0),
            max_items=kind.get("max_items", 0),
            nesting=pb.Schema.NestedBlock.NestingMode.Value(kind["nesting_mode"].upper()),
        )
        for name, kind in sorted(block.get("block_types", {}).items())
    ]
    attributes = [_attribute(*item) for item in sorted(block.get("attributes", {}).items())]
    return pb.Schema.Block(attributes=attributes, block_types=nested)


def message(schema: Block) -> pb.Schema:
    """One schema as Terraform asks for it."""
    return pb.Schema(version=schema["version"], block=_block(schema["block"]))


def _items(mode: str, value: Any) -> Iterable[State]:
    if value is None or value is UNKNOWN:
        return []
    if mode == "single":
        return [value]
    items: Iterable[State] = value.values() if mode == "map" else value
    return items


def walk(block: Block, value: State, visit: Visit) -> State:
    """Replace every attribute by ``visit(name, attribute, value)``, nested ones included.

    Changes ``value`` in place and returns it.
    """
    for name, attribute in block.get("attributes", {}).items():
        value[name] = visit(name, attribute, value.get(name))
        if nested := attribute.get("nested_type"):
            for item in _items(nested["nesting_mode"], value[name]):
                walk(nested, item, visit)
    for name, kind in block.get("block_types", {}).items():
        for item in _items(kind["nesting_mode"], value.get(name)):
            walk(kind["block"], item, visit)
    return value


def empty(block: Block) -> State:
    """A state with every attribute null, as an import begins."""
    state: State = dict.fromkeys(block.get("attributes", {}))
    for name, kind in block.get("block_types", {}).items():
        state[name] = [] if kind["nesting_mode"] in ("list", "set") else None
    return state


def zero(attribute: Block) -> Any:
    """What an SDK provider stores for a computed attribute that nothing filled."""
    kind = attribute.get("type")
    if isinstance(kind, list):
        return {} if kind[0] == "map" else [] if kind[0] in ("list", "set") else None
    return {"string": "", "number": 0, "bool": False}.get(kind) if isinstance(kind, str) else None
