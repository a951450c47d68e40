"""The pools of files, each with what it can launch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.core.catalogue import DEFAULT_VERSION, RELEASES, Release
from modules.core.faults import Fault, InvalidInput
from modules.provisioners.instances import data
from modules.provisioners.instances.selection import (
    Selection,
    conditions,
    conflict,
    select,
    zones_of,
)
from modules.provisioners.lint.finding import NOTHING_KNOWN, Manifest
from modules.provisioners.lint.pool_view import POOLS, Requirement
from stacks.lint import clusters, sheet
from stacks.lint.sheet import Sheet
from stacks.linting import context_of
from stacks.versions import release_of

_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Pool:
    """A pool and what it can launch.

    Args:
        manifest: the pool.
        file: where it is written.
        release: the Karpenter that reads it.
        region: where its nodes are to be, or None for anywhere.
        selection: the types, and what each requirement left.
        conflict: the fewest requirements that together leave nothing; empty where types are left.
        zones: type -> ids of the zones that have it and that the pool allows; empty where the
            region is not known.
    """

    manifest: Manifest
    file: Path
    release: Release
    region: str | None
    selection: Selection
    conflict: tuple[Requirement, ...]
    zones: dict[str, list[str]]


def pools(
    paths: Sequence[Path],
    name: str | None = None,
    region: str | None = None,
    release: Release | None = None,
) -> list[Pool]:
    """The pools of files and folders.

    Args:
        name: only the pools of this name.
        region: where their nodes are to be; a cluster file says itself.
        release: the Karpenter that reads manifests; a cluster file says itself.

    Raises:
        InvalidInput: a file cannot be read, there is no such pool, or the region is not known.
    """
    if region is not None and region not in data.regions():
        raise InvalidInput([_unknown(region)], "the command line")
    faults: list[Fault] = []
    found: list[Pool] = []
    for file in _files(paths):
        sheets, unreadable = sheet.read(file)
        faults += (finding.fault.under(str(file)) for finding in unreadable)
        for read in sheets:
            found += _pools(read, region, release or RELEASES[DEFAULT_VERSION])
    if faults:
        raise InvalidInput(faults)
    wanted = [pool for pool in found if name in (None, pool.manifest.name)]
    if not wanted:
        raise InvalidInput([_no_pool(name, found)], "the files")
    return wanted


def _pools(read: Sheet, region: str | None, release: Release) -> Iterator[Pool]:
    if not read.is_cluster_file:
        for item in sheet.manifests(read):
            if isinstance(item, Manifest) and item.kind in POOLS:
                yield _pool(item, read.file, release, region)
        return
    for path, cluster in clusters.readable(read.document.data):
        runs = release_of(cluster)
        if runs is None:
            continue
        context = context_of(cluster, runs, *path, facts=NOTHING_KNOWN, source=read)
        own = region if region or cluster.region not in data.regions() else cluster.region
        for item in context.manifests:
            if item.kind in POOLS:
                yield _pool(item, read.file, runs, own)


def _pool(manifest: Manifest, file: Path, release: Release, region: str | None) -> Pool:
    given = conditions(manifest)
    selected = select(given, region)
    return Pool(
        manifest,
        file,
        release,
        region,
        selected,
        tuple(conflict(given, region)),
        {t.name: zones_of(t, given, region) for t in selected.types} if region else {},
    )


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in dict.fromkeys(paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
        else:
            yield path


def _unknown(region: str) -> Fault:
    known = ", ".join(data.regions())
    return Fault(("--region",), "is no known region", known, "name one of these", region)


def _no_pool(name: str | None, found: Sequence[Pool]) -> Fault:
    if name is None:
        fix = "name a file with NodePools or Provisioners, or a cluster file"
        return Fault((), "hold no pool", "at least one pool", fix)
    names = ", ".join(dict.fromkeys(pool.manifest.name for pool in found)) or "none: there is none"
    return Fault(("--pool",), "is no pool of these files", names, "name one of these", name)
