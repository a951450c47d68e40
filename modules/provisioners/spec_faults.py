"""Every fault in the values of specs as locals of the published module.

Each list of faults is flat, of messages `name: path: problem. Allowed: …. Fix: ….`; conditions
on the releases ask that it be empty. What is null counts as absent. Where a list depends on a
value that is unknown at plan, Terraform knows none of it until the apply and judges it then,
before it changes the release; so what classes often take from other resources has a list of its
own, and hides nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from modules.core.catalogue import Release
from modules.core.expressions import Expr, quoted
from modules.core.rules import REFUSED, Rule
from modules.provisioners.api.rules import SpecRule
from modules.provisioners.api.shape import Node, at_release, shape
from modules.provisioners.api.spec_checks import kind_named, rules_of
from modules.provisioners.expressions import GIVEN_SPEC
from modules.provisioners.kinds import node_class_kind, node_pool_kind
from modules.provisioners.places import Row, items_of, rows, table

Local = Callable[[str, Expr], Expr]
"""Gives an expression a name in the plan, and gives back the reference to it."""

_WHOLE = ""
"""Stands among the fields for the spec as a whole."""

_LINKED = (
    *("amiSelectorTerms", "subnetSelectorTerms", "securityGroupSelectorTerms"),
    *("capacityReservationSelectorTerms", "placementGroupSelector", "blockDeviceMappings"),
    *("role", "instanceProfile", "tags", "userData"),
    _WHOLE,
)
"""Fields of a class whose values often come from other resources, unknown at plan."""

_TYPES = {
    "mapping": (r"^\{", "is not a mapping", "a mapping of keys to values", "write { key = value }"),
    "list": (r"^\[", "is not a list", "a list", "write the items in [ ]"),
    "text": ('^"', "is not text", "text in quotes", "write it in quotes"),
    "number": (
        "^-?[0-9]+$",
        "is not a whole number",
        "a whole number",
        "write digits, without quotes",
    ),
    "bool": (
        "^(true|false)$",
        "is not true or false",
        "true or false",
        "write true or false, without quotes",
    ),
    # Text or a whole number, as the rule of the place says.
    "scalar": (".", "has no value", "any value", "give one"),
}
"""By type: how it looks in JSON, which alone shows it; and what is said of another one."""

_TYPES_OF_KINDS = {"object": "mapping", "map": "mapping"}
"""By a node's kind; the others have the name of theirs."""

_GUARDS: dict[type[Any], str] = {
    dict: "can(keys({v}))",
    list: "can(concat({v}, []))",
    str: "true",
}


def types(local: Local) -> Expr:
    """The table of types that the lists of both kinds use."""
    lines = ", ".join(
        f"{name} = {{ json = {quoted(json)}, fault = {quoted(_told(*told))} }}"
        for name, (json, *told) in _TYPES.items()
    )
    return local("spec_types", Expr(f"{{ {lines} }}"))


def node_pool_faults(given: Expr, types: Expr, release: Release, local: Local) -> list[Expr]:
    """The lists of faults of the pools.

    Args:
        given: what the user gave: manifests and bare specs by name.
        types: refers to `types`.
    """
    kind = node_pool_kind(release).kind
    keys = [*_fields(kind, release), _WHOLE]
    return [_Faults(kind, given, types, release).of(keys, "node_pool", local)]


def node_class_faults(given: Expr, types: Expr, release: Release, local: Local) -> list[Expr]:
    """The lists of faults of the classes: what is written out, and what may be linked.

    Args:
        given: what the user gave: manifests and bare specs by name.
        types: refers to `types`.
    """
    kind = node_class_kind(release).kind
    written = [key for key in _fields(kind, release) if key not in _LINKED]
    faults = _Faults(kind, given, types, release)
    return [
        faults.of(written, "node_class", local),
        faults.of(_LINKED, "node_class_link", local),
    ]


def _fields(kind: str, release: Release) -> list[str]:
    return list(shape(at_release(kind_named(kind, release).model, release)).fields)


class _Faults:
    """Makes lists of faults of one kind's specs."""

    def __init__(self, kind: str, given: Expr, types: Expr, release: Release) -> None:
        self._kind, self._types, self._release = kind, types, release
        self._given = given.text
        self._each = f"for name, given in {given.text}"

    def of(self, keys: Sequence[str], prefix: str, local: Local) -> Expr:
        """The list about some fields."""
        used: dict[str, Rule] = {}
        found = table(rows(self._kind, self._release, _noting(used), keys))
        here = f"[for row in {found} : row if row.of != null]"
        values = local(
            f"{prefix}_values",
            Expr(f"{{ {self._each} : name => [for spec in [{GIVEN_SPEC}] : {here}][0] }}"),
        )
        fits = f"can(regex({self._types.text}[row.is].json, jsonencode(row.of)))"
        ruled = local(
            f"{prefix}_ruled_values",
            Expr(
                f"{{ for name, rows in {values.text} : name => "
                f"{{ for row in rows : row.rule => row... if can(row.rule) && {fits} }} }}"
            ),
        )
        crossed = [r for r in rules_of(self._kind, self._release) if _field_of(r) in keys]
        singles = [
            f"[for row in {values.text}[name] : "
            f'"${{row.at}}: ${{{self._types.text}[row.is].fault}}" if !{fits}]',
            *(_single(rule) for rule in used.values()),
        ]
        lists = ", ".join([*singles, *_crossed(crossed)])
        spec = GIVEN_SPEC.replace("given", f"{self._given}[name]")
        return local(
            f"{prefix}_faults",
            Expr(
                f"flatten([for name, ruled in {ruled.text} : [for spec in [{spec}] : "
                f'[for fault in flatten([{lists}]) : "${{name}}: ${{fault}}"]]])'
            ),
        )


def _noting(used: dict[str, Rule]) -> Row:
    """Rows of values; notes the rules that they name."""

    def row(at: str, value: str, node: Node) -> list[str]:
        type_ = _TYPES_OF_KINDS.get(node.kind, node.kind)
        known = [rule for rule in node.rules if rule.condition is not None]
        if type_ == "any":
            return []
        for rule in known:
            if used.setdefault(rule.id, rule).condition != rule.condition:
                raise ValueError(f"two rules have the id {rule.id}")
        of = f"try({value}, null)" if "." in value else value
        ruled = [f', rule = "{rule.id}"' for rule in known] or [""]
        return [f'{{ at = "{at}", is = "{type_}"{rule}, of = {of} }}' for rule in ruled]

    return row


def _single(rule: Rule) -> str:
    told = _inside(_told(REFUSED, rule.allowed, rule.fix))
    condition = rule.terraform("row.of")
    # The values have the right type: no condition can fail.
    is_call = condition.startswith(("can(", "contains("))
    broken = f"!{condition}" if is_call else f"!({condition})"
    return f'[for row in lookup(ruled, "{rule.id}", []) : "${{row.at}}: {told}" if {broken}]'


def _crossed(rules: Sequence[SpecRule]) -> Iterator[str]:
    """The faults of rules on several values, by the place that they are about."""
    for (at, kind), group in groupby(
        sorted(rules, key=lambda r: (r.at, r.kind.__name__)), key=lambda r: (r.at, r.kind)
    ):
        lines = ", ".join(_verdict(rule) for rule in group)
        yield _at(at, "spec", "", f"[for broken in [{lines}] : ", _GUARDS[kind])


def _verdict(rule: SpecRule) -> str:
    """Nothing, or what follows the path of the place."""
    condition = rule.condition.replace("{v}", "v")
    where = f".{rule.blame}" if rule.blame else ""
    told = _inside(f"{where}: {_told(rule.problem, rule.allowed, rule.fix)}")
    return f'try({condition}, false) ? "" : "{told}"'


def _at(at: str, value: str, told: str, lines: str, guard: str) -> str:
    """Goes down to a place, written as in `SpecRule.at`, and lists what is broken there."""
    step, _, rest = at.partition(".")
    key = step.rstrip("[]{}")
    if not key:
        label = f'"{told}${{broken}}"' if told else 'trimprefix(broken, ".")'
        here = f"try({value}, null)" if "." in value else value
        judged = f'{lines}{label} if broken != ""]'
        return f"[for v in [{here}] : {judged} if {guard.replace('{v}', 'v')}]"
    below, place = f"{value}.{key}", f"{told}.{key}" if told else key
    if step.endswith("{}"):
        keys = f"try(keys({below}), [])"
        return f'[for v in {keys} : {lines}"{place}.${{v}}${{broken}}" if broken != ""]]'
    if step.endswith("[]"):
        depth = told.count("${") or ""
        inner = _at(rest, f"item{depth}", f"{place}[${{i{depth}}}]", lines, guard)
        return f"[for i{depth}, item{depth} in {items_of('list', below)} : {inner}]"
    return _at(rest, below, place, lines, guard)


def _field_of(rule: SpecRule) -> str:
    return rule.at.partition(".")[0].rstrip("[]{}")


def _told(problem: str, allowed: str, fix: str) -> str:
    return f"{problem}. Allowed: {allowed}. Fix: {fix}."


def _inside(text: str) -> str:
    """A literal as it stands inside a quoted string."""
    return quoted(text)[1:-1]
