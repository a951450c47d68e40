"""The shape of a settings model as a tree, and the model as one Karpenter release knows it.

The models of NodePool and EC2NodeClass hold what every release knows, with marks. From
them come, for one release: the model that judges a spec, and the tree that the Terraform
conditions and the field tables are made from.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from modules.core.catalogue import Release
from modules.core.inputs import Settings
from modules.core.rules import Rule
from modules.provisioners.api.marks import Default, OpenFrom, RequiredFrom, Since, Until, Varying


@dataclass(frozen=True)
class Node:
    """One place in a spec.

    Args:
        kind: "object" (known keys), "map" (any keys), "list", or "text", "number", "bool",
            "scalar" (text or number), "any".
        rules: what its value must be.
        fields: of an object: key -> place.
        required: of an object: keys that must be there.
        item: of a list or map: the place of each value.
        key_rules: of a map: what each key must be.
        since: the first release that has it, or None where it was always there.
        until: the first release without it, or None.
        open_from: of an object: the first release that takes any keys there, or None.
        defaults: what the API server fills in, the newest last.
    """

    kind: str
    rules: tuple[Rule, ...] = ()
    fields: dict[str, Node] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    item: Node | None = None
    key_rules: tuple[Rule, ...] = ()
    since: str | None = None
    until: Until | None = None
    open_from: str | None = None
    defaults: tuple[Default, ...] = ()


@cache
def shape(model: type[Settings]) -> Node:
    """The tree of a model."""
    return _node(model, ())


def paths(node: Node, path: str = "") -> Iterator[tuple[str, Node]]:
    """Every place under this one, itself first: `a.b[].c`, map values as `a.tags{*}`."""
    yield path, node
    for key, child in node.fields.items():
        yield from paths(child, f"{path}.{key}" if path else key)
    if node.item is not None:
        yield from paths(node.item, path + ("[]" if node.kind == "list" else "{*}"))


M = typing.TypeVar("M", Since, Until, OpenFrom, RequiredFrom)


@cache
def at_release(model: type[Settings], release: Release) -> type[Settings]:
    """The model without the fields and words that this release does not know (any more)."""
    fields: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        since, until = _mark(info, Since), _mark(info, Until)
        open_from, required_from = _mark(info, OpenFrom), _mark(info, RequiredFrom)
        if since is not None and not release.at_least(since.version):
            continue
        if until is not None and release.at_least(until.version):
            continue
        if open_from is not None and release.at_least(open_from.version):
            annotation: Any = dict[str, Any] | None
        else:
            annotation = _restricted(_annotated(info.annotation, info.metadata), release)
        required = info.is_required() or (
            required_from is not None and release.at_least(required_from.version)
        )
        default = ... if required else info.get_default(call_default_factory=True)
        fields[name] = (
            annotation,
            Field(default, alias=info.alias, description=info.description),
        )
    return create_model(model.__name__, __base__=Settings, __doc__=model.__doc__, **fields)


def _mark(info: FieldInfo, kind: type[M]) -> M | None:
    return next((mark for mark in info.metadata if isinstance(mark, kind)), None)


def _annotated(annotation: Any, metadata: typing.Sequence[Any]) -> Any:
    return Annotated[annotation, *metadata] if metadata else annotation


def _restricted(annotation: Any, release: Release) -> Any:
    """The annotation with each model and each rule as the release knows it."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        inner, *metadata = arguments
        kept = [m.at(release) if isinstance(m, Varying) else m for m in metadata]
        return _annotated(_restricted(inner, release), kept)
    if origin in (typing.Union, types.UnionType):
        return typing.Union[*(_restricted(a, release) for a in arguments)]
    if origin in (list, dict):
        return origin[*(_restricted(a, release) for a in arguments)]
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return at_release(annotation, release)
    return annotation


_KINDS = {str: "text", int: "number", bool: "bool"}


def _node(annotation: Any, metadata: typing.Sequence[Any]) -> Node:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        inner, *more = arguments
        return _node(inner, [*metadata, *more])
    if origin in (typing.Union, types.UnionType):
        (inner,) = (a for a in arguments if a is not type(None))
        return _node(inner, metadata)
    rules = tuple(m for m in metadata if isinstance(m, Rule))
    marks: dict[str, Any] = {
        "since": next((m.version for m in metadata if isinstance(m, Since)), None),
        "until": next((m for m in metadata if isinstance(m, Until)), None),
        "defaults": tuple(m for m in metadata if isinstance(m, Default)),
    }
    if origin is list:
        return Node("list", rules, item=_node(arguments[0], ()), **marks)
    if origin is dict:
        keys = _node(arguments[0], ()).rules
        return Node("map", rules, item=_node(arguments[1], ()), key_rules=keys, **marks)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        infos = {info.alias or name: info for name, info in annotation.model_fields.items()}
        return Node(
            "object",
            rules,
            fields={key: _node(info.annotation, info.metadata) for key, info in infos.items()},
            required=tuple(key for key, info in infos.items() if info.is_required()),
            open_from=next((m.version for m in metadata if isinstance(m, OpenFrom)), None),
            **marks,
        )
    if annotation is Any:
        return Node("scalar" if rules else "any", rules, **marks)
    return Node(_KINDS[annotation], rules, **marks)
