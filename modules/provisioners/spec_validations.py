"""The checks of specs as `validation` blocks of the published module's variables.

Variables hold values of any shape, and some of them are unknown at plan. Each block makes a
list of the places that break one rule and asks that it be empty; its message names them. A
place that is missing, null or of the wrong type breaks only the rules about that. What is
unknown at plan is judged at apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.core.expressions import escape
from modules.core.inputs import Validation
from modules.core.rules import Rule
from modules.provisioners.expressions import GIVEN_SPEC
from modules.provisioners.rules import SpecRule, listed
from modules.provisioners.shape import Node, at_release, shape
from modules.provisioners.spec_checks import MODELS, rules_of

_VARIABLES = {names.NODE_POOL: "node_pools", names.NODE_CLASS: "node_classes"}

_REFERENCE = "template.spec.nodeClassRef"
_FILLED = {
    _REFERENCE,
    *(f"{_REFERENCE}.{key}" for key in ("group", "kind", "name")),
    "subnetSelectorTerms",
    "securityGroupSelectorTerms",
}
"""Required keys that the module fills in where they are not given."""


@dataclass(frozen=True)
class _Type:
    """A type: how it is recognised, and what to say of another one."""

    condition: str
    allowed: str
    fix: str


_MAPPING = _Type("can(keys({v}))", "a mapping of keys to values", "write { key = value }")
_LIST = _Type("can(length(concat({v}, [])))", "a list", "write the items in [ ]")
_TYPES = {
    "object": _MAPPING,
    "map": _MAPPING,
    "list": _LIST,
    "text": _Type('can(regex("^\\"", jsonencode({v})))', "text in quotes", "write it in quotes"),
    "number": _Type(
        'can(regex("^-?[0-9]+$", jsonencode({v})))',
        "a whole number",
        "write digits, without quotes",
    ),
    "bool": _Type(
        'contains(["true", "false"], jsonencode({v}))',
        "true or false",
        "write true or false, without quotes",
    ),
}
_GUARDS: dict[type[Any], str] = {dict: _MAPPING.condition, list: _LIST.condition, str: "true"}

Judge = Callable[[str, Node], str | None]
"""What must hold of the value `{v}` at a path, or None where nothing is asked."""


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by variable.

    Args:
        release: the Karpenter release that is to read the specs.
    """
    return {
        variable: list(_blocks(kind, variable, release)) for kind, variable in _VARIABLES.items()
    }


def _blocks(kind: str, variable: str, release: Release) -> Iterator[Validation]:
    root = shape(at_release(MODELS[kind], release))
    yield from _key_blocks(root, variable)
    yield from _type_blocks(root, variable)
    yield from _rule_blocks(root, variable)
    for rule in rules_of(kind, release):
        ending = "" if rule.blame is None else f".{rule.blame}"
        broken = _Builder().at(rule.at, "spec", ending, _judgement(rule))
        yield _block(variable, [broken], rule.problem, rule.allowed, rule.fix)


def _judgement(rule: SpecRule) -> str:
    return f"!{_GUARDS[rule.kind]} || try({rule.condition}, false)"


def _key_blocks(root: Node, variable: str) -> Iterator[Validation]:
    """One block for each object: its keys are known ones; and one for all keys that must be."""
    for path, node in _objects(root, ""):
        known = sorted(node.fields)
        broken = _Builder().at(path, "spec", "", "", extra=listed(known))
        yield _block(
            variable,
            [broken],
            "is not a known key",
            f"one of {', '.join(known)}",
            "correct the key or remove it",
        )
    missing = [
        _Builder().at(path, "spec", f".{key}", f"try({{v}}.{key}, null) != null")
        for path, node in _objects(root, "")
        for key in node.required
        if (f"{path}.{key}" if path else key) not in _FILLED
    ]
    yield _block(variable, missing, "is missing", "a value for each of these", "add them")


def _objects(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    if node.kind == "object":
        yield path, node
    for key, child in node.fields.items():
        yield from _objects(child, f"{path}.{key}" if path else key)
    if node.item is not None and node.kind == "list":
        yield from _objects(node.item, f"{path}[]")


def _type_blocks(root: Node, variable: str) -> Iterator[Validation]:
    for type_ in dict.fromkeys(_TYPES.values()):

        def judge(path: str, node: Node, type_: _Type = type_) -> str | None:
            return type_.condition if path and _TYPES.get(node.kind) == type_ else None

        broken = _Builder().walk(root, "spec", "", judge)
        yield _block(variable, broken, "is of the wrong type", type_.allowed, type_.fix)


def _rule_blocks(root: Node, variable: str) -> Iterator[Validation]:
    for rule in dict.fromkeys(_rules(root)):
        if rule.condition is None:
            continue

        def judge(_: str, node: Node, rule: Rule = rule) -> str | None:
            return f"try({rule.condition}, false)" if rule in node.rules else None

        def judge_key(_: str, node: Node, rule: Rule = rule) -> str | None:
            return f"try({rule.condition}, false)" if rule in node.key_rules else None

        builder = _Builder()
        broken = builder.walk(root, "spec", "", judge)
        broken += builder.walk(root, "spec", "", judge_key, keys=True)
        yield _block(variable, broken, "is not allowed", rule.allowed, rule.fix)


def _rules(node: Node) -> Iterator[Rule]:
    yield from (*node.rules, *node.key_rules)
    for child in node.fields.values():
        yield from _rules(child)
    if node.item is not None:
        yield from _rules(node.item)


def _block(variable: str, broken: list[str], problem: str, allowed: str, fix: str) -> Validation:
    given = f"for name, given in var.{variable} : name => {GIVEN_SPEC} if can(keys(given))"
    places = f"flatten([for name, spec in {{ {given} }} : [{', '.join(broken)}]])"
    told = escape(f": {problem}. Allowed: {allowed}. Fix: {fix}.")
    return Validation(
        # Another block says that the variable itself is no map.
        f"try(length({places}) == 0, true)",
        f'${{join(", ", {places})}}{told}',
    )


class _Builder:
    """Writes, for places in a spec, the expressions that list the ones that are broken."""

    def __init__(self) -> None:
        self._loops = 0

    def walk(
        self, node: Node, value: str, label: str, judge: Judge, *, keys: bool = False
    ) -> list[str]:
        """One expression for each place that is judged; lists and maps are gone through.

        Args:
            value: the expression of what stands there.
            label: the path as it is told, with indexes spliced in.
            keys: whether `judge` is about the keys of maps.
        """
        found = []
        asked = judge(label, node)
        if asked is not None:
            found.append(
                _broken_keys(value, label, asked) if keys else _broken(value, label, asked)
            )
        for key, child in node.fields.items():
            below = f"{label}.{key}" if label else key
            found += self.walk(child, f"{value}.{key}", below, judge, keys=keys)
        if node.item is not None:
            self._loops += 1
            at, item = f"i{self._loops}", f"v{self._loops}"
            place = f"{label}[${{{at}}}]" if node.kind == "list" else f"{label}.${{{at}}}"
            inner = self.walk(node.item, item, place, judge, keys=keys)
            if inner:
                found.append(f"try([for {at}, {item} in {value} : [{', '.join(inner)}]], [])")
        return found

    def at(
        self, path: str, value: str, ending: str, asked: str, label: str = "", extra: str = ""
    ) -> str:
        """The expression for the places of one path, written as in `SpecRule.at`.

        Args:
            ending: what the told path ends in.
            extra: a list of the known keys, to judge the keys of an object instead.
        """
        step, _, rest = path.partition(".")
        key = step.rstrip("[]{}")
        if not key:
            if extra:
                return _unknown_keys(value, label, extra)
            return _broken(value, (label + ending).removeprefix("."), asked)
        below, told = f"{value}.{key}", f"{label}.{key}" if label else key
        if step.endswith("{}"):
            return _broken_keys(below, told, asked)
        if not step.endswith("[]"):
            return self.at(rest, below, ending, asked, told, extra)
        self._loops += 1
        at, item = f"i{self._loops}", f"v{self._loops}"
        inner = self.at(rest, item, ending, asked, f"{told}[${{{at}}}]", extra)
        return f"try([for {at}, {item} in {below} : {inner}], [])"


def _broken(value: str, label: str, asked: str) -> str:
    condition = asked.replace("{v}", "v")
    place = f"${{name}}: {label}" if label else "${name}"
    if value.isidentifier():
        return f'[for v in [{value}] : "{place}" if v == null ? false : !({condition})]'
    return f'try([for v in [{value}] : "{place}" if v == null ? false : !({condition})], [])'


def _broken_keys(value: str, label: str, asked: str) -> str:
    condition = asked.replace("{v}", "k")
    return f'[for k in try(keys({value}), []) : "${{name}}: {label}.${{k}}" if !({condition})]'


def _unknown_keys(value: str, label: str, known: str) -> str:
    place = f"${{name}}: {label}.${{k}}" if label else "${name}: ${k}"
    return f'[for k in try(keys({value}), []) : "{place}" if !contains({known}, k)]'
