"""The catalogue with one more release."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from modules.core.catalogue import Version
from modules.iam.policy import PHRASES
from stacks.new_release.spans import Row, begun, ended, holds, present, updated
from stacks.new_release.template import Template

_PARTS: Final = ("actions", "resources", "conditions")
_DURATION: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+")
_VALUES: Final = re.compile(r"\.Values\.([0-9A-Za-z_.]+)")


@dataclass(frozen=True)
class NewRelease:
    """What is known of a release that is to be added.

    Args:
        kubernetes: oldest and newest minor version that it was tested with.
        values: its chart's values.yaml.
        templates: the text of its chart's templates.
        template: its CloudFormation template.
    """

    version: str
    kubernetes: tuple[str, str]
    values: Mapping[str, Any]
    templates: str
    template: Template


def with_release(catalogue: Mapping[str, Any], new: NewRelease) -> tuple[dict[str, Any], list[str]]:
    """The catalogue's data with the release, and what changed, line by line."""
    data = copy.deepcopy(dict(catalogue))
    before = newest_of(data)
    told = [
        *_add_line(data["lines"], new),
        *_update_keys(data["chart_values"]["keys"], new, before),
        *_update_statements(data["iam"]["statements"], new, before),
        *_update_named(data["iam"]["events"], _events(new), new.version, before, "event rule"),
        *_update_named(
            data["iam"]["node_policies"], _node_policies(new), new.version, before, "node policy"
        ),
    ]
    return data, told


def newest_of(catalogue: Mapping[str, Any]) -> str:
    """The newest release of a catalogue."""
    line = catalogue["lines"][-1]
    return f"{line['line']}.{line['last_patch']}"


def _add_line(lines: list[Row], new: NewRelease) -> Iterator[str]:
    name, _, patch = new.version.rpartition(".")
    line = next((row for row in lines if row["line"] == name), None)
    if line is None:
        newest = lines[-1]
        line = {"line": name, "last_patch": -1, "kubernetes": list(new.kubernetes)}
        line["crds"] = newest["crds"]
        line["evidence"] = {patch: f"manifests are judged by the CRDs of {newest['crds']}"}
        lines.append(line)
        yield f"a new line {name}, for Kubernetes {new.kubernetes[0]} to {new.kubernetes[1]}"
    elif line["kubernetes"] != list(new.kubernetes):
        line.setdefault("kubernetes_from", {})[patch] = list(new.kubernetes)
        yield f"Kubernetes {new.kubernetes[0]} to {new.kubernetes[1]} from {new.version} on"
    if skipped := list(range(line["last_patch"] + 1, int(patch))):
        line["unreleased"] = [*line.get("unreleased", []), *skipped]
        yield f"no releases of the patches {', '.join(map(str, skipped))} of {name}"
    line["last_patch"] = int(patch)


def _update_keys(keys: list[Row], new: NewRelease, before: str) -> Iterator[str]:
    theirs = dict(_flat(new.values))
    named = set(_VALUES.findall(new.templates))
    known = [row for row in keys if holds(row["spans"], before)]
    for name, default in theirs.items():
        if not any(_covers(row["name"], name) for row in known):
            kind = kind_of(name, default)
            keys.append({"name": name, "kind": kind, "spans": begun(new.version)})
            yield f"value key {name}, taken for {kind} by its default {default!r}"
    for row in known:
        read = any(_covers(row["name"], name) for name in (*theirs, *named))
        if not read and not any(name.startswith(f"{row['name']}.") for name in theirs):
            row["spans"] = ended(row["spans"], new.version)
            yield f"no value key {row['name']} any more"


def kind_of(name: str, default: object) -> str:
    """The likely kind of a value, by its default."""
    if isinstance(default, bool):
        return "bool"
    if isinstance(default, int):
        return "port" if name.lower().endswith("port") else "count"
    if isinstance(default, float):
        return "fraction"
    if isinstance(default, list):
        return "list"
    if isinstance(default, Mapping):
        return "map"
    return "duration" if _DURATION.fullmatch(str(default)) else "text"


def _flat(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        here = f"{path}.{key}" if path else str(key)
        if isinstance(inner, Mapping) and inner:
            yield from _flat(inner, here)
        else:
            yield here, inner


def _covers(ours: str, theirs: str) -> bool:
    return theirs == ours or theirs.startswith(f"{ours}.")


def _update_statements(rows: list[Row], new: NewRelease, before: str) -> Iterator[str]:
    theirs = new.template.statements
    for row in rows:
        if not holds(row["spans"], before):
            continue
        wanted = theirs.get(row.get("sid", ""))
        if wanted is None:
            row["spans"] = ended(row["spans"], new.version)
            yield f"no statement {row.get('sid', row['actions'])} any more"
            continue
        yield from _update_statement(row, wanted, new.version, before)
    known = {row.get("sid") for row in rows if holds(row["spans"], before)}
    for sid, wanted in theirs.items():
        if sid not in known:
            row = {"group": wanted["group"], "sid": sid, "spans": begun(new.version)}
            row |= {part: wanted[part] for part in _PARTS if wanted[part]}
            rows.insert(_after_group(rows, wanted["group"]), row)
            yield f"statement {sid}: {', '.join(wanted['actions'])}"


def _update_statement(row: Row, wanted: Row, version: str, before: str) -> Iterator[str]:
    sid = row.get("sid")
    for part in ("actions", "resources"):
        had = present(row[part], before)
        if set(had) != set(wanted[part]):
            row[part] = updated(row[part], wanted[part], row, before, version)
            yield f"{sid}: other {part}: {_difference(had, wanted[part])}"
    had_conditions = [
        _condition_at(c, before)
        for c in row.get("conditions", ())
        if "spans" not in c or holds(c["spans"], before)
    ]
    for condition in row.get("conditions", ()):
        current = "spans" not in condition or holds(condition["spans"], before)
        plain = _condition_at(condition, before)
        if current and not any(_same(plain, other) for other in wanted["conditions"]):
            condition["spans"] = ended(condition.get("spans", row["spans"]), version)
            yield f"{sid}: no condition on {condition['key']} as before"
    for condition in wanted["conditions"]:
        if not any(_same(had, condition) for had in had_conditions):
            row.setdefault("conditions", []).append({**condition, "spans": begun(version)})
            yield f"{sid}: a condition on {condition['key']}"


def _condition_at(condition: Row, version: str) -> Row:
    plain: Row = {key: condition[key] for key in ("test", "key", "value") if key in condition}
    if "values" in condition:
        plain["values"] = present(condition["values"], version)
    return plain


def _same(one: Row, other: Row) -> bool:
    """Whether two conditions say the same; IAM takes one value for a list of one."""

    def values(condition: Row) -> list[str]:
        return sorted(condition.get("values", [condition.get("value")]))

    return (one["test"], one["key"], values(one)) == (other["test"], other["key"], values(other))


def _update_named(
    rows: list[Row], wanted: Mapping[str, Row], version: str, before: str, what: str
) -> Iterator[str]:
    """Rows that are known by one text each."""
    key = "detail_type" if what == "event rule" else "name"
    current = {row[key]: row for row in rows if holds(row["spans"], before)}
    for name, row in current.items():
        if name not in wanted:
            row["spans"] = ended(row["spans"], version)
            yield f"no {what} {name} any more"
    for name, row in wanted.items():
        if name not in current:
            rows.append({**row, "spans": begun(version)})
            yield f"{what} {name}"


def _events(new: NewRelease) -> dict[str, Row]:
    return {
        detail_type: {
            "id": re.sub(r"(?<!^)(?=[A-Z])", "_", phrase).lower(),
            "phrase": phrase,
            "source": source,
            "detail_type": detail_type,
        }
        for detail_type, (source, phrase) in new.template.events.items()
    }


def _node_policies(new: NewRelease) -> dict[str, Row]:
    return {
        name: {"id": re.sub(r"\W|(?<!^)(?=[A-Z][a-z])", "_", name).lower(), "name": name}
        for name in new.template.node_policies
    }


def _after_group(rows: Sequence[Row], group: str) -> int:
    """Where a new statement of a group stands: after the last one of it, or of those before."""
    order = list(PHRASES)
    before = order[: order.index(group) + 1]
    return max((at + 1 for at, row in enumerate(rows) if row["group"] in before), default=0)


def _difference(had: Sequence[str], wanted: Sequence[str]) -> str:
    gone = [f"-{text}" for text in had if text not in wanted]
    come = [f"+{text}" for text in wanted if text not in had]
    return ", ".join([*gone, *come])


def is_newer(version: str, catalogue: Mapping[str, Any]) -> bool:
    """Whether a release is newer than all of its line, or of a line that is not there yet."""
    name, _, patch = version.rpartition(".")
    line = next((row for row in catalogue["lines"] if row["line"] == name), None)
    if line is not None:
        return int(patch) > int(line["last_patch"])
    return Version.of(version) > Version.of(newest_of(catalogue))
