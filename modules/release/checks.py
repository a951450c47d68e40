"""Whether settings fit a Karpenter release: the rules about values, and about several fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modules.core.catalogue import NEWEST_KNOWN, Capability, Release
from modules.core.expressions import Expr, is_known
from modules.core.faults import Fault, InvalidInput, unknown_key
from modules.release.combinations import combinations_of
from modules.release.concepts import when
from modules.release.controller_settings import check_settings
from modules.release.crds import crds_rule
from modules.release.keys import KEYS, Path, keys_of, kinds_of, levels_of
from modules.release.kinds import MAP
from modules.release.moved import UNREAD, successor
from modules.release.owned import ENVIRONMENT, Owned, owned_in
from modules.release.plain import unfit_parts
from modules.release.settings import ReleaseOptions, ReleaseSettings

OWNED_PROBLEM = "is not yours to set"
ENVIRONMENT_ALLOWED = f"any names but {', '.join(ENVIRONMENT)}, which the chart sets"
ENVIRONMENT_FIX = "remove it"
COMBINATION_PROBLEM = "does not go with the rest"
KIND_PROBLEM = "is of the wrong kind"
MAP_PROBLEM = "is not a mapping"
QUEUE_PROBLEM = "is missing"
QUEUE_ALLOWED = "a queue name where interruption handling is on"
QUEUE_FIX = "give the name of the queue, or switch interruption handling off"


def key_problem(release: Release) -> str:
    """What is wrong with a key that nothing reads."""
    return f"is not a key of Karpenter {release.version}'s chart"


def owned_of(release: Release) -> list[Owned]:
    """The keys that are not the user's to set at a release."""
    return list(owned_in(release, {key.name for key in keys_of(release)}))


def checked(settings: ReleaseSettings) -> Release:
    """The release that the settings name.

    Raises:
        InvalidInput: there is no such release, or the settings do not fit it.
    """
    release = settings.release
    if isinstance(release, Fault):
        raise InvalidInput([release])
    if faults := check(settings, release):
        raise InvalidInput(faults)
    return release


def check(settings: ReleaseOptions, release: Release) -> list[Fault]:
    """Every fault in the settings that one field alone does not show.

    Args:
        settings: options, or all settings; what only Terraform knows is left to Terraform.
        release: the Karpenter release that they are for.
    """
    rule = crds_rule(release)
    faults = rule.judge(settings.delete_crds) if rule else []
    if is_known(settings.settings):
        faults += (
            fault.under("settings")
            for fault in check_settings(settings.settings, settings.values, release)
        )
    if (
        isinstance(settings, ReleaseSettings)
        and release.has(Capability.INTERRUPTION)
        and settings.interruption_handling is not False
        and settings.queue_name is None
    ):
        faults.append(Fault(("queueName",), QUEUE_PROBLEM, QUEUE_ALLOWED, QUEUE_FIX))
    values: Any = settings.values
    if not isinstance(values, Expr):
        faults += (fault.under("values") for fault in check_values(values, release))
    return faults


def check_values(values: Mapping[str, Any], release: Release) -> list[Fault]:
    """Every fault in values for the controller's chart; paths begin at the values."""
    if faults := list(unfit_parts(values)):
        return faults
    broken = (rule for rule in combinations_of(release) if rule.is_broken_by(values))
    return [
        *_Walk(release).level((), values),
        *_environment(values),
        *(Fault(r.atoms[0].path, COMBINATION_PROBLEM, r.allowed, r.fix) for r in broken),
    ]


class _Walk:
    """One way through the values, against the keys of one release."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._levels = levels_of(release)
        self._kinds = kinds_of(release)
        self._owned = {key.path: key for key in owned_of(release)}

    def level(self, path: Path, values: Mapping[str, Any]) -> Iterator[Fault]:
        """The faults in a closed level and below it."""
        for name, value in values.items():
            here = (*path, name)
            if owned := self._owned.get(here):
                yield _owned_fault(owned, value)
            elif name not in self._levels[path] or ".".join(here) in UNREAD:
                yield from self._not_in_chart(here, value)
            elif here in self._levels:
                yield from self._sub_level(here, value)
            else:
                yield from self._leaf(here, value)

    def _sub_level(self, path: Path, value: Any) -> Iterator[Fault]:
        if isinstance(value, Mapping):
            yield from self.level(path, value)
        elif is_known(value):
            # Null is refused as well: the chart reads what lies below.
            yield Fault(path, MAP_PROBLEM, MAP.allowed, MAP.fix, value)

    def _leaf(self, path: Path, value: Any) -> Iterator[Fault]:
        kind = self._kinds[path]
        if isinstance(value, Mapping):
            for owned in self._owned.values():
                if owned.path[:-1] == path and owned.path[-1] in value:
                    yield _owned_fault(owned, value[owned.path[-1]])
        if _is_wholly_known(value) and not kind.accepts(value):
            yield Fault(path, KIND_PROBLEM, kind.allowed, kind.fix, value)

    def _not_in_chart(self, path: Path, value: Any) -> Iterator[Fault]:
        """The fault of a key that this chart does not read; one for each part that moved."""
        fix = successor(".".join(path), self._release)
        if fix and isinstance(value, Mapping) and value:
            for name, below in value.items():
                yield from self._not_in_chart((*path, name), below)
            return
        known = self._levels.get(path[:-1], [])
        fault = unknown_key(path[-1], known, value).under(*path[:-1])
        fix = fix or self._other_versions(path) or fault.fix
        yield Fault(path, key_problem(self._release), fault.allowed, fix, value)

    def _other_versions(self, path: Path) -> str | None:
        """What to do about a key that charts of other releases have."""
        for key in KEYS:
            if key.path[: len(path)] == path and not key.is_in(self._release):
                return f"{when(key.spans, self._release, 'charts')}; {NEWEST_KNOWN}"
        return None


def _owned_fault(owned: Owned, value: object) -> Fault:
    return Fault(owned.path, OWNED_PROBLEM, owned.allowed, owned.fix, value)


def _environment(values: Mapping[str, Any]) -> Iterator[Fault]:
    controller = values.get("controller")
    entries = controller.get("env") if isinstance(controller, Mapping) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        name = entry.get("name") if isinstance(entry, Mapping) else None
        if name in ENVIRONMENT:
            path = ("controller", "env", index, "name")
            yield Fault(path, OWNED_PROBLEM, ENVIRONMENT_ALLOWED, ENVIRONMENT_FIX, name)


def _is_wholly_known(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(_is_wholly_known(part) for part in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(_is_wholly_known(part) for part in value)
    return is_known(value)
