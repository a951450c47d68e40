"""The user's own statements for the controller: what shape IAM takes them in.

Source: IAM's reference of policy elements. A statement of an identity policy has no principal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from modules.core.expressions import Expr
from modules.core.faults import ABSENT, Fault, Step, unknown_key

KEYS = ("Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition")
EFFECTS = ("Allow", "Deny")
_SID = re.compile("[0-9A-Za-z]*")

PROBLEM = "is not what a policy takes here"
ALLOWED = (
    "statements of an IAM policy: Effect (Allow or Deny), one of Action and NotAction, one of "
    "Resource and NotResource, and perhaps a Condition and a Sid of letters and digits that no "
    "other statement has; no Principal"
)
FIX = "write each statement as it stands in an IAM policy document"


def faults(statements: list[dict[str, object]]) -> list[Fault]:
    """All faults in the statements; paths begin with the statement's number."""
    found: list[Fault] = []
    sids: set[object] = set()
    for number, statement in enumerate(statements):
        found += [fault.under(number) for fault in _faults(statement)]
        sid = statement.get("Sid")
        if sid in sids:
            problem, fix = "is the Sid of an earlier statement too", "rename one of them"
            found.append(Fault((number, "Sid"), problem, "each Sid once", fix, sid))
        sids |= {sid} if sid else set()
    return found


def _faults(statement: Mapping[str, object]) -> list[Fault]:
    found = [unknown_key(key, KEYS, value) for key, value in statement.items() if key not in KEYS]
    effect = statement.get("Effect", ABSENT)
    if not isinstance(effect, Expr) and effect not in EFFECTS:
        found.append(_fault("Effect", " or ".join(EFFECTS), effect))
    for key in ("Action", "Resource"):
        given = [name for name in (key, f"Not{key}") if name in statement]
        if len(given) != 1:
            value = [statement[name] for name in given] or ABSENT
            found.append(_fault(key, f"exactly one of {key} and Not{key}", value))
        found += [
            _fault(name, "text, or a list of texts that is not empty", statement[name])
            for name in given
            if not _is_texts(statement[name])
        ]
    sid = statement.get("Sid", "")
    if not isinstance(sid, Expr) and not (isinstance(sid, str) and _SID.fullmatch(sid)):
        found.append(_fault("Sid", "letters and digits", sid))
    condition = statement.get("Condition", {})
    if not isinstance(condition, Expr) and not _is_condition(condition):
        found.append(
            _fault("Condition", "operators, each with keys and what they must be", condition)
        )
    return found


def _fault(key: Step, allowed: str, value: object) -> Fault:
    problem = "is missing" if value is ABSENT else PROBLEM
    return Fault((key,), problem, allowed, FIX, value)


def _is_texts(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str | Expr) for item in value)
    return isinstance(value, str | Expr)


def _is_condition(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(keys, Mapping) for keys in value.values())


def shape_condition(reference: str) -> str:
    """The shape's rule in Terraform, for what `reference` names."""
    each = [
        f"length(setsubtract(keys(statement), [{_quoted(KEYS)}])) == 0",
        f"contains([{_quoted(EFFECTS)}], statement.Effect)",
        f'can(regex("^{_SID.pattern}$", try(statement.Sid, "")))',
        "alltrue([for test in values(try(statement.Condition, {})) : can(keys(test))])",
    ]
    for key in ("Action", "Resource"):
        either = _quoted((key, f"Not{key}"))
        items = f"flatten([for key in [{either}] : try(statement[key], [])])"
        each += [
            f"length(setintersection(keys(statement), [{either}])) == 1",
            f"length({items}) > 0",
            # The one test of a type that Terraform has: only text has quotes in JSON.
            f'alltrue([for item in {items} : startswith(jsonencode(item), "\\"")])',
        ]
    sids = f'compact([for statement in {reference} : try(statement.Sid, "")])'
    return (
        f"alltrue([for statement in {reference} : try({' && '.join(each)}, false)])"
        f" && length(distinct({sids})) == length({sids})"
    )


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in words)
