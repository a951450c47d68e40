"""The rules on names, envelopes, selectors and references as `validation` blocks.

All that is checked of pools and classes but the fields of their specs.
"""

from __future__ import annotations

from modules.core.catalogue import Release
from modules.core.expressions import Expr
from modules.core.inputs import Validation
from modules.provisioners.kinds import node_class_kind, node_pool_kind
from modules.provisioners.object_rules import (
    IS_MAPPING,
    ObjectRule,
    envelope_rules,
    reference_rule,
    selector_rules,
)
from modules.provisioners.settings import OBJECT_NAME

_IS_MAP = "Allowed: a mapping of keys to values. Fix: write key: value lines."
"""What the settings say of a list or text in its place."""


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by variable."""
    node_class, node_pool = node_class_kind(release), node_pool_kind(release)
    reference = reference_rule(node_class, Expr("keys(var.node_classes)"))
    return {
        "node_classes": _blocks("node_classes", [*envelope_rules(node_class), *selector_rules()]),
        "node_pools": _blocks("node_pools", [*envelope_rules(node_pool), reference]),
    }


def _blocks(variable: str, rules: list[ObjectRule]) -> list[Validation]:
    # What is no map is said once; for the other blocks it is empty.
    objects = f"try(merge(var.{variable}), {{}})"
    named = f"for name in keys({objects})"
    return [
        Validation(f"can(merge(var.{variable}))", _IS_MAP),
        Validation(f"alltrue([{named} : {OBJECT_NAME.terraform('name')}])", OBJECT_NAME.message),
        Validation(
            f"alltrue([for name, given in {objects} : {IS_MAPPING.condition}])", IS_MAPPING.message
        ),
        # A rule that cannot be judged is met: what stops it breaks another one.
        *(
            Validation(
                f"alltrue([for name, given in {objects} : try({rule.condition}, true)])",
                rule.message,
            )
            for rule in rules
        ),
    ]
