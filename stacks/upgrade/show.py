"""A plan of an upgrade for people (text, a Markdown runbook) and for programs (JSON)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

from modules.core.catalogue import NEWEST_KNOWN
from stacks.upgrade.notes import Step
from stacks.upgrade.plan import Leg, Plan

_AREAS = {
    "charts": "Charts",
    "policy": "Permissions",
    "values": "Chart values",
    "manifests": "Pools and classes",
}
"""Each area of changes: its heading."""


def text(plan: Plan) -> str:
    """For a terminal."""
    lines = [_headline(plan), ""]
    for number, leg in enumerate(plan.legs, 1):
        lines += [f"{number}. {_stop(leg)}", f"   {leg.stop.why}"]
        for title, told in _parts(leg):
            lines += [f"   {title}:", *(f"     - {line}" for line in told)]
        lines.append("")
    return "\n".join([*lines, f"({NEWEST_KNOWN})"])


def as_json(plan: Plan) -> str:
    """For programs."""
    return json.dumps(
        {
            "cluster": plan.cluster,
            "from": plan.running.version,
            "to": plan.target.version,
            "stops": [_leg(leg) for leg in plan.legs],
        },
        indent=2,
    )


def runbook(plan: Plan) -> str:
    """A Markdown page to work through, with boxes to tick."""
    lines = [f"# {_headline(plan)}", ""]
    for number, leg in enumerate(plan.legs, 1):
        lines += [f"## {number}. {_stop(leg)}", "", f"Why: {leg.stop.why}.", ""]
        lines += ["### Before the apply", "", *_boxes(leg, before=True), ""]
        lines += ["### Apply", "", f"- [ ] set `karpenterVersion: {leg.stop.release.version}`"]
        lines += [f"- [ ] `pipenv run diff {plan.cluster}` shows no more than:"]
        for title, told in _changes(leg):
            lines += [f"  - {title}", *(f"    - {line}" for line in told)]
        lines += [f"- [ ] `pipenv run deploy {plan.cluster}`", ""]
        lines += ["### After the apply", "", *_boxes(leg, before=False), ""]
        lines += ["### Way back", "", leg.rollback, ""]
    return "\n".join(lines)


def _headline(plan: Plan) -> str:
    return (
        f"{plan.cluster}: Karpenter {plan.running.version} to {plan.target.version} in "
        f"{len(plan.legs)} step{'s' if len(plan.legs) > 1 else ''}"
    )


def _stop(leg: Leg) -> str:
    kind = "required" if leg.stop.required else "recommended"
    return f"{leg.before.version} → {leg.stop.release.version} ({kind}, {leg.stop.code})"


def _parts(leg: Leg) -> Iterator[tuple[str, list[str]]]:
    if before := _steps(leg, before=True):
        yield "before the apply, by hand", [_line(step) for step in before]
    for title, told in _changes(leg):
        yield f"the apply changes: {title}", told
    if after := _steps(leg, before=False):
        yield "after the apply, by hand", [_line(step) for step in after]
    yield "way back", [leg.rollback]


def _steps(leg: Leg, *, before: bool) -> list[Step]:
    first = [leg.kubernetes_step] if leg.kubernetes_step else []
    return [step for step in (*first, *leg.steps) if step.before is before]


def _changes(leg: Leg) -> Iterator[tuple[str, list[str]]]:
    for area, found in groupby(leg.changes, key=lambda change: change.area):
        yield _AREAS[area], [change.text for change in found]


def _line(step: Step) -> str:
    commands = "".join(f"\n         $ {command}" for command in step.commands)
    return f"{step.code} {step.title}: {step.text}{commands}"


def _boxes(leg: Leg, *, before: bool) -> list[str]:
    lines = []
    for step in _steps(leg, before=before):
        lines.append(f"- [ ] **{step.title}** ({step.code}). {step.text}")
        if step.commands:
            lines += ["", "  ```sh", *(f"  {command}" for command in step.commands), "  ```", ""]
    return lines or ["Nothing."]


def _leg(leg: Leg) -> dict[str, object]:
    def told(step: Step) -> dict[str, object]:
        return {
            "code": step.code,
            "when": "before" if step.before else "after",
            "title": step.title,
            "text": step.text,
            "commands": list(step.commands),
        }

    first = [leg.kubernetes_step] if leg.kubernetes_step else []
    return {
        "from": leg.before.version,
        "to": leg.stop.release.version,
        "code": leg.stop.code,
        "required": leg.stop.required,
        "why": leg.stop.why,
        "kubernetes": leg.kubernetes,
        "steps": [told(step) for step in (*first, *leg.steps)],
        "changes": [{"area": change.area, "text": change.text} for change in leg.changes],
        "rollback": leg.rollback,
    }
