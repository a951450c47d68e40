"""What pools can launch, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from modules.core import names
from modules.core.faults import dotted
from modules.provisioners.instances import data
from modules.provisioners.instances.data import InstanceType
from modules.provisioners.lint.budgets import render_week
from modules.provisioners.lint.pool_view import Requirement
from stacks.instances.pools import Pool

_MIB: Final = 1024
_COLUMNS: Final[tuple[str, ...]] = ("type", "vCPU", "memory", "arch", "GPU", "pods")


def as_text(pools: Sequence[Pool], *, budgets: bool = False) -> str:
    """A table of types for each pool, under what each of its requirements took away."""
    parts = ["\n".join(_pool(pool, budgets=budgets)) for pool in pools]
    return "\n\n".join([*parts, f"Known are the types of {data.source()}."])


def as_json(pools: Sequence[Pool]) -> str:
    """The same for programs; keys are only ever added."""
    made = {"source": data.source(), "pools": [_fields(pool) for pool in pools]}
    return json.dumps(made, indent=2, ensure_ascii=False)


def _pool(pool: Pool, *, budgets: bool) -> Iterator[str]:
    found, place = pool.selection, f" in {pool.region}" if pool.region else ""
    steps = pool.manifest.where
    at = dotted(steps[:-1] if steps[-1] == "spec" else steps)
    where = f"{pool.file}: {at}" if at else str(pool.file)
    yield f"{where}: {pool.manifest.kind} {pool.manifest.name}"
    yield f"{len(found.types)} of {found.known} types{place} can be launched"
    for step in found.steps:
        yield f"  {_told(step.requirement)}: removes {step.removed}, leaves {step.left}"
    if pool.conflict:
        yield "None is left, since no type meets all of:"
        for requirement in pool.conflict:
            yield f"  {_told(requirement)}  ({_place(pool, requirement)})"
    elif not found.steps:
        yield "  Its requirements say nothing of types."
    if found.types:
        yield ""
        yield from _table(pool)
    if budgets:
        yield ""
        yield render_week(pool.manifest, pool.release)


def _told(requirement: Requirement) -> str:
    return f"{requirement.key} {requirement.operator} {', '.join(requirement.values)}".rstrip()


def _place(pool: Pool, requirement: Requirement) -> str:
    return dotted(pool.manifest.place(requirement.path))


def _table(pool: Pool) -> Iterator[str]:
    types = sorted(pool.selection.types, key=lambda t: (t.cpus, t.memory, t.name))
    rows = [_COLUMNS, *(_row(found) for found in types)]
    if pool.region:
        zones = ["zones", *(" ".join(pool.zones[found.name]) for found in types)]
        rows = [(*row, cell) for row, cell in zip(rows, zones, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _row(found: InstanceType) -> tuple[str, ...]:
    gpu = _gpu(found)
    return (
        found.name,
        str(found.cpus),
        f"{found.memory / _MIB:g} GiB",
        found.labels[names.ARCH_LABEL],
        f"{found.labels[data.GPU_COUNT]} {gpu}" if gpu else "-",
        str(found.most_pods),
    )


def _gpu(found: InstanceType) -> str | None:
    return found.labels.get(data.GPU_NAME)


def _fields(pool: Pool) -> dict[str, object]:
    return {
        "file": str(pool.file),
        "kind": pool.manifest.kind,
        "name": pool.manifest.name,
        "region": pool.region,
        "known": pool.selection.known,
        "requirements": [
            {
                "path": _place(pool, step.requirement),
                "key": step.requirement.key,
                "operator": step.requirement.operator,
                "values": list(step.requirement.values),
                "removed": step.removed,
                "left": step.left,
            }
            for step in pool.selection.steps
        ],
        "conflict": [_place(pool, requirement) for requirement in pool.conflict],
        "types": [_type(pool, found) for found in pool.selection.types],
    }


def _type(pool: Pool, found: InstanceType) -> dict[str, object]:
    return {
        "type": found.name,
        "cpu": found.cpus,
        "memoryMiB": found.memory,
        "arch": found.labels[names.ARCH_LABEL],
        "gpu": _gpu(found),
        "gpus": int(found.labels.get(data.GPU_COUNT, 0)),
        "maxPods": found.most_pods,
        "zoneIds": pool.zones.get(found.name),
    }
