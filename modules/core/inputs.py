"""Settings: the single source of validation, JSON Schema, Terraform variables and tables.

A settings model is a pydantic model on `Settings`. Users write its fields in camelCase
(YAML) or snake_case (Python); the published modules offer the same fields as variables in
snake_case. Any field may hold a Terraform expression: its rules are then left to
Terraform.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from modules.core.expressions import Expr, is_known
from modules.core.faults import ABSENT, Fault, Step, unknown_key
from modules.core.rules import REFUSED, Rule

M = TypeVar("M", bound="Settings")

PLACEHOLDER = "${"
"""How a shell's variable, or a Terraform expression, begins in a text."""


class Settings(BaseModel):
    """Base of all settings: frozen, strict about types, unknown keys refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )

    @field_validator("*", mode="wrap")
    @classmethod
    def _leave_expressions_to_terraform(
        cls, value: Any, handler: ValidatorFunctionWrapHandler
    ) -> Any:
        if not is_known(value):
            return value
        try:
            return handler(value)
        except ValidationError as error:
            if any(is_known(details["input"]) for details in error.errors()):
                raise
            return value  # A list or mapping in which nothing but expressions is refused.

    @classmethod
    def expressions(cls: type[M], **given: object) -> M:
        """The settings of a published module: every field is the variable of its name.

        Args:
            given: fields that are something else.
        """
        values: dict[str, Any] = {name: Expr(f"var.{name}") for name in cls.model_fields}
        return cls.model_construct(**{**values, **given})


def parse(
    model: type[M], data: object, *path: Step, by_name: bool = True
) -> tuple[M | None, list[Fault]]:
    """Settings out of plain data, and every fault in it.

    Args:
        model: what the data should be.
        data: mappings, lists and scalars, as a YAML file gives them.
        path: where the data stands in the whole input.
        by_name: whether keys may be written in snake_case as well as in camelCase.

    Returns:
        The settings, or None where there is a fault; and the faults, empty where not.
    """
    try:
        return model.model_validate(data, by_alias=True, by_name=by_name), []
    except ValidationError as error:
        errors = [details for details in error.errors() if is_known(details["input"])]
        return None, [_fault(model, details).under(*path) for details in errors]


_TYPE_PROBLEMS = {
    "string_type": ("is not text", "text in quotes", "write it in quotes"),
    "bool_type": ("is not true or false", "true or false", "write true or false, without quotes"),
    "int_type": ("is not a whole number", "a whole number", "write digits, without quotes"),
    "list_type": ("is not a list", "a list", "write one item a line, each after a dash"),
    "tuple_type": ("is not a list", "a list", "write one item a line, each after a dash"),
    "dict_type": ("is not a mapping", "a mapping of keys to values", "write key: value lines"),
    "model_type": ("is not a mapping", "a mapping of keys to values", "write key: value lines"),
}


def _fault(model: type[BaseModel], error: ErrorDetails) -> Fault:
    path = tuple(step for step in error["loc"] if step != "[key]")
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    if kind == "extra_forbidden":
        return unknown_key(str(path[-1]), _keys_at(model, path[:-1]), value).under(*path[:-1])
    if kind == "missing":
        return missing(path)
    if kind in _TYPE_PROBLEMS:
        return wrong_type(kind, path, value)
    allowed = str(context.get("allowed", context.get("expected", error["msg"])))
    fix = str(context.get("fix", f"change it: {error['msg'].lower()}"))
    if kind == "rule":
        return refused(allowed, fix, path, value)
    problem = error["msg"] if kind == "fault" else REFUSED
    return Fault(path, problem, allowed, fix, context.get("value", value))


def missing(path: tuple[Step, ...]) -> Fault:
    """The fault of a key that must be there."""
    return Fault(path, "is missing", f"a value for {path[-1]}", "add it")


def wrong_type(kind: str, path: tuple[Step, ...], value: object) -> Fault:
    """The fault of a value of another type.

    Args:
        kind: pydantic's name of the error: `string_type`, `bool_type`, `int_type`, `list_type`,
            `dict_type`.
    """
    problem, allowed, fix = _TYPE_PROBLEMS[kind]
    if value is None and path:
        problem, fix = "has no value", "give it one, or remove it"
    if kind == "string_type" and isinstance(value, int | float):
        fix = f'write it in quotes: "{str(value).lower()}"'
    return Fault(path, problem, allowed, fix, value)


def refused(allowed: str, fix: str, path: tuple[Step, ...], value: object) -> Fault:
    """The fault of a value that a rule refuses."""
    if isinstance(value, str) and PLACEHOLDER in value:
        # As Karpenter's documentation has it, for a shell to fill in.
        fix = f"write the value itself: nothing fills in what stands in {PLACEHOLDER}}}"
    return Fault(path, REFUSED, allowed, fix, value)


def _keys_at(model: type[BaseModel], path: tuple[Step, ...]) -> list[str]:
    """The keys that the model at this path knows."""
    current: Any = model
    for step in path:
        if isinstance(current, _Contents):
            current = _inner(current.annotation)
        elif isinstance(current, type) and issubclass(current, BaseModel):
            fields = {f.alias or n: f for n, f in current.model_fields.items()}
            field = fields.get(str(step)) or current.model_fields.get(str(step))
            current = _inner(field.annotation) if field else None
    if isinstance(current, type) and issubclass(current, BaseModel):
        return [f.alias or n for n, f in current.model_fields.items()]
    return []


def _inner(annotation: Any) -> Any:
    """`X` out of `X | None`, `list[X]`, `dict[str, X]` and `Annotated[X, …]`, one wrapping each."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _inner(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return _inner(next(a for a in typing.get_args(annotation) if a is not type(None)))
    return annotation if origin is None else _Contents(typing.get_args(annotation)[-1])


class _Contents:
    """What a list or mapping holds; one more step of a path leads to it."""

    def __init__(self, annotation: Any) -> None:
        self.annotation = annotation


@dataclass(frozen=True)
class Validation:
    """One `validation` block of a variable.

    Its message begins with where the fault is, since Terraform names no place where it refuses
    what a call leaves out.
    """

    condition: str
    error_message: str


@dataclass(frozen=True)
class Variable:
    """An input variable of a published module.

    Args:
        default: its default; `ABSENT` makes the variable required.
    """

    name: str
    type: str
    description: str
    default: object = ABSENT
    sensitive: bool = False
    validations: tuple[Validation, ...] = ()

    @property
    def nullable(self) -> bool:
        """Null is a value only where it is the default."""
        return self.default is None


def variables(model: type[Settings], *, without: tuple[str, ...] = ()) -> list[Variable]:
    """The variables that stand for the fields of a settings model, in its order.

    Args:
        without: fields that the module fills itself.
    """
    return [
        _variable(name, field) for name, field in model.model_fields.items() if name not in without
    ]


def _variable(name: str, field: FieldInfo) -> Variable:
    optional, kind, rules = _read(field.annotation)
    rules = [*(m for m in field.metadata if isinstance(m, Rule)), *rules]
    if field.is_required():
        default: object = ABSENT
    else:
        default = field.get_default(call_default_factory=True)
        default = list(default) if isinstance(default, tuple) else default
    return Variable(
        name,
        kind,
        " ".join((field.description or "").split()),
        default,
        validations=tuple(_validations(rules, kind, name, nullable=optional)),
    )


_SCALARS = {str: "string", bool: "bool", int: "number", float: "number"}
"""Terraform's types of Python's."""


def _read(annotation: Any) -> tuple[bool, str, list[Rule]]:
    """Whether None is allowed, the Terraform type, and the rules of the (inner) value."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        inner, *metadata = typing.get_args(annotation)
        optional, kind, rules = _read(inner)
        return optional, kind, [*(m for m in metadata if isinstance(m, Rule)), *rules]
    if origin in (typing.Union, types.UnionType):
        inner = next(a for a in typing.get_args(annotation) if a is not type(None))
        _, kind, rules = _read(inner)
        return True, kind, rules
    if origin in (list, tuple):
        _, kind, rules = _read(typing.get_args(annotation)[0])
        return False, f"list({kind})" if kind != "any" else "any", rules
    if origin in (dict, Mapping):
        _, kind, rules = _read(typing.get_args(annotation)[1])
        return False, f"map({kind})" if kind != "any" else "any", rules
    if origin is typing.Literal:
        return False, "string", []
    return False, _SCALARS.get(annotation, "any"), []


def _validations(
    rules: list[Rule], kind: str, name: str, *, nullable: bool
) -> Iterator[Validation]:
    reference = f"var.{name}"
    for rule in rules:
        if rule.condition is None:
            continue
        if kind.startswith(("list(", "map(")):
            condition = f"alltrue([for value in {reference} : {rule.terraform('value')}])"
        else:
            condition = rule.terraform(reference)
        if nullable:
            condition = f"{reference} == null ? true : {condition}"
        yield Validation(condition, f"{name}: {REFUSED}. {rule.message}")
