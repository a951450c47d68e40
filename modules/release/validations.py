"""The rules of `checks.py` as `validation` blocks of a published module's variables."""

from __future__ import annotations

import json
from collections.abc import Iterator

from modules.core.catalogue import Capability, Release
from modules.core.inputs import Validation
from modules.release import checks
from modules.release.combinations import combinations_of
from modules.release.crds import crds_rule
from modules.release.keys import Path, keys_of, levels_of
from modules.release.kinds import MAP, Kind
from modules.release.moved import UNREAD
from modules.release.owned import ENVIRONMENT, Owned
from modules.release.plain import (
    UNREADABLE,
    UNREADABLE_ALLOWED,
    UNREADABLE_FIX,
    UNREADABLE_PROBLEM,
)

_MISSPELT = "correct the spelling, or remove it"


def validations(release: Release) -> dict[str, list[Validation]]:
    """The validations beyond single values, by variable.

    Args:
        release: the Karpenter release that the module is for.
    """
    found = {
        "values": [
            *(_owned(key) for key in checks.owned_of(release)),
            *(_known(path, names, release) for path, names in levels_of(release).items()),
            *_kinds(release),
            _environment(),
            Validation(
                f"!can(regex({json.dumps(UNREADABLE)}, jsonencode(var.values)))",
                _message("values", UNREADABLE_PROBLEM, UNREADABLE_ALLOWED, UNREADABLE_FIX),
            ),
            *(
                Validation(
                    rule.condition,
                    _message(
                        _where(rule.atoms[0].path),
                        checks.COMBINATION_PROBLEM,
                        rule.allowed,
                        rule.fix,
                    ),
                )
                for rule in combinations_of(release)
            ),
        ],
    }
    if release.has(Capability.INTERRUPTION):
        found["queue_name"] = [
            Validation(
                "!var.interruption_handling || var.queue_name != null",
                _message(
                    "queue_name", checks.QUEUE_PROBLEM, checks.QUEUE_ALLOWED, checks.QUEUE_FIX
                ),
            )
        ]
    if rule := crds_rule(release):
        condition = f"var.delete_crds == null || var.delete_crds != {str(rule.refused).lower()}"
        message = _message("delete_crds", rule.problem, rule.allowed, rule.fix)
        found["delete_crds"] = [Validation(condition, message)]
    return found


def _message(where: str, problem: str, allowed: str, fix: str) -> str:
    return f"{where}: {problem}. Allowed: {allowed}. Fix: {fix}."


def _reference(path: Path) -> str:
    return "var.values" + "".join(f"[{json.dumps(step)}]" for step in path)


def _where(path: Path) -> str:
    return ".".join(("values", *path))


def _owned(key: Owned) -> Validation:
    return Validation(
        f"!can({_reference(key.path)})",
        _message(_where(key.path), checks.OWNED_PROBLEM, key.allowed, key.fix),
    )


def _known(path: Path, names: list[str], release: Release) -> Validation:
    read = sorted(name for name in names if ".".join((*path, name)) not in UNREAD)
    reference = _reference(path)
    unread = f"setsubtract(try(keys({reference}), []), {json.dumps(read)})"
    return Validation(
        f"length({unread}) == 0",
        _message(
            _where(path),
            f"has what {checks.key_problem(release)}",
            f"one of {', '.join(read)}",
            _MISSPELT,
        ),
    )


def _kinds(release: Release) -> Iterator[Validation]:
    """One block for each kind, naming its keys."""
    levels = list(levels_of(release))
    conditions = [f"!can({ref}) || can(keys({ref}))" for ref in map(_reference, levels)]
    yield Validation(
        f"alltrue([{', '.join(conditions)}])",
        _message(_listed(levels), checks.MAP_PROBLEM, MAP.allowed, MAP.fix),
    )
    paths: dict[Kind, list[Path]] = {}
    # Owned keys are refused whatever they hold.
    owned = {key.path for key in checks.owned_of(release)}
    for key in keys_of(release):
        if key.path not in owned:
            paths.setdefault(key.kind, []).append(key.path)
    for kind, keys in paths.items():
        values = ", ".join(f"try({_reference(path)}, null)" for path in keys)
        yield Validation(
            f"alltrue([for value in [{values}] : {kind.terraform('value')}])",
            _message(_listed(keys), checks.KIND_PROBLEM, kind.allowed, kind.fix),
        )


def _listed(paths: list[Path]) -> str:
    return ", ".join(map(_where, paths))


def _environment() -> Validation:
    taken = f"try(contains({json.dumps(ENVIRONMENT)}, entry.name), false)"
    return Validation(
        f"alltrue([for entry in try(var.values.controller.env[*], []) : !{taken}])",
        _message(
            "values.controller.env[*].name",
            checks.OWNED_PROBLEM,
            checks.ENVIRONMENT_ALLOWED,
            checks.ENVIRONMENT_FIX,
        ),
    )
