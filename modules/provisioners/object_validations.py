"""The rules on names, envelopes, selectors and references as `validation` blocks.

All that is checked of pools and classes but the fields of their specs.
"""

from __future__ import annotations

from modules.core.catalogue import Release
from modules.core.expressions import Expr, escape
from modules.core.inputs import Validation
from modules.provisioners.expressions import HAS_SPEC
from modules.provisioners.kinds import generation
from modules.provisioners.object_rules import (
    IS_MAPPING,
    ObjectRule,
    envelope_rules,
    reference_rule,
    selector_rules,
)
from modules.provisioners.settings import OBJECT_NAME

_IS_MAP = "is not a mapping. Allowed: a mapping of keys to values. Fix: write key: value lines."
"""What the settings say of a list or text in its place."""


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by variable."""
    api = generation(release)
    of_classes = [*envelope_rules(api.node_class), *selector_rules(api)]
    reference = reference_rule(api, Expr("keys(var.node_classes)"))
    return {
        "node_classes": _blocks("node_classes", of_classes),
        "node_pools": _blocks("node_pools", [*envelope_rules(api.node_pool), reference]),
    }


def _blocks(variable: str, rules: list[ObjectRule]) -> list[Validation]:
    # What is no map is said once; for the other blocks it is empty.
    objects = f"try(merge(var.{variable}), {{}})"
    return [
        Validation(f"can(merge(var.{variable}))", f"{variable}: {_IS_MAP}"),
        _block(
            objects,
            OBJECT_NAME.terraform("name"),
            f": is no name for such an object. {OBJECT_NAME.message}",
        ),
        _block(objects, IS_MAPPING.condition, f": {IS_MAPPING.problem}. {IS_MAPPING.message}"),
        # A rule that cannot be judged is met: what stops it breaks another one.
        *(_block(objects, f"try({_condition(rule)}, true)", _told(rule)) for rule in rules),
    ]


def _block(objects: str, condition: str, told: str) -> Validation:
    broken = f"[for name, given in {objects} : name if !({condition})]"
    return Validation(f"length({broken}) == 0", f'${{join(", ", {broken})}}{escape(told)}')


def _condition(rule: ObjectRule) -> str:
    # Where there is no spec, that alone is told.
    return f"!({HAS_SPEC}) || {rule.condition}" if rule.in_spec else rule.condition


def _told(rule: ObjectRule) -> str:
    place = f": {'.'.join(rule.path)}" if rule.path else ""
    return f"{place}: {rule.problem}. {rule.message}"
