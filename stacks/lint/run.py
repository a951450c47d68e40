"""Linting files: which objects belong together, for which release, and what is found in them.

The manifests of one folder are the objects of one cluster; every cluster of a cluster file is
one by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.core.catalogue import DEFAULT_VERSION, RELEASES, Release
from modules.core.faults import Fault
from modules.core.yaml_document import Place
from modules.provisioners.api.judge import KINDS
from modules.provisioners.api.updates import update_refusals
from modules.provisioners.lint.finding import (
    NOTHING_KNOWN,
    Context,
    Facts,
    Finding,
    Manifest,
    Severity,
)
from modules.provisioners.lint.registry import BY_CODE, found
from modules.provisioners.lint.suppress import Suppression, settled
from modules.provisioners.lint.verdict import CHANGE
from stacks.lint import clusters, comments, sheet
from stacks.lint.sheet import Sheet

_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Request:
    """What is to be linted, and how.

    Args:
        paths: files, and folders whose YAML files are meant.
        release: the release to judge manifests for; None to choose one that serves them.
        kubernetes: the clusters' minor version, or None if unknown.
        facts: what else is known.
        previous: files with the objects as they are in the cluster.
    """

    paths: Sequence[Path]
    release: Release | None = None
    kubernetes: str | None = None
    facts: Facts = NOTHING_KNOWN
    previous: Sequence[Path] = ()


@dataclass(frozen=True)
class Told:
    """A finding and where it is shown.

    Args:
        finding: what was found.
        fault: its fault, with numbers as they are written.
        file: the file, as it was named.
        place: where in the file.
        text: the line of the file.
    """

    finding: Finding
    fault: Fault
    file: Path
    place: Place
    text: str

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.finding.rule.severity


@dataclass(frozen=True)
class Report:
    """All that was found.

    Args:
        told: the findings, file by file and line by line.
        releases: the releases that manifests were judged for, and why where the user named none.
        kubernetes: the Kubernetes version of the manifests' clusters, or None.
        files: how many files were read.
        objects: how many objects of Karpenter were found.
    """

    told: tuple[Told, ...]
    releases: tuple[tuple[Release, str | None], ...]
    kubernetes: str | None
    files: int
    objects: int

    def count(self, severity: Severity) -> int:
        """How many findings matter so much."""
        return sum(told.severity is severity for told in self.told)


def run(request: Request) -> Report:
    """What is found in files; never raises for what is wrong with them."""
    files = list(_files(request.paths))
    findings: list[Finding] = []
    suppressions: list[Suppression] = []
    manifests: list[Manifest] = []
    contexts: list[Context] = []
    for file in files:
        sheets, unreadable = sheet.read(file)
        findings += unreadable
        if any(read.is_cluster_file for read in sheets):
            findings += comments.misplaced(sheets)
        else:
            suppressions += comments.suppressions(file, sheets)
        for read in sheets:
            items = [] if read.is_cluster_file else list(sheet.manifests(read))
            if items or read.is_cluster_file:
                findings += sheet.unclear(read)
            if read.is_cluster_file:
                findings += clusters.faults(read)
                contexts += clusters.contexts(read, request.facts)
                suppressions += clusters.suppressions(read)
            for item in items:
                if isinstance(item, Manifest):
                    manifests.append(item)
                else:
                    findings.append(item)
    releases: dict[Release, str | None] = {}
    for together in _by_folder(manifests):
        release, chosen = _release(together, request.release)
        releases[release] = chosen
        contexts.append(Context(release, request.kubernetes, request.facts, tuple(together)))
        findings += _changes(request.previous, together, release)
    for context in contexts:
        findings += (finding for finding in found(context) if not _unsure(finding))
    told = _told(settled(_distinct(findings), suppressions, BY_CODE), files)
    objects = sum(len(context.manifests) for context in contexts)
    return Report(told, tuple(releases.items()), request.kubernetes, len(files), objects)


def _unsure(finding: Finding) -> bool:
    """Whether it is about a value that cannot be read for certain, which is told already."""
    own = finding.source
    assert isinstance(own, Sheet)
    return any(fault.path == finding.fault.path for fault in own.document.faults)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in dict.fromkeys(paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
        else:
            yield path


def _release(manifests: Sequence[Manifest], wanted: Release | None) -> tuple[Release, str | None]:
    """The release to judge for: the wanted one, the default, or the newest that serves them."""
    if wanted is not None:
        return wanted, None
    default = RELEASES[DEFAULT_VERSION]
    kinds = {(m.api_version, m.kind) for m in manifests} & KINDS.keys()
    serving = [
        release
        for release in (default, *reversed(RELEASES.values()))
        if all(KINDS[kind].served_by(release) for kind in kinds)
    ]
    if not serving or serving[0] is default:
        return default, "the default"
    return serving[0], "the newest that serves these manifests"


def _by_folder(manifests: Iterable[Manifest]) -> Iterator[list[Manifest]]:
    folders: dict[Path, list[Manifest]] = {}
    for manifest in manifests:
        assert isinstance(manifest.source, Sheet)
        folders.setdefault(manifest.source.file.parent, []).append(manifest)
    yield from folders.values()


def _changes(
    previous: Sequence[Path], manifests: Sequence[Manifest], release: Release
) -> Iterator[Finding]:
    """What may not change from the objects of other files to these."""
    old = {
        (item.kind, item.name): item
        for file in _files(previous)
        for read in sheet.read(file)[0]
        for item in sheet.manifests(read)
        if isinstance(item, Manifest)
    }
    for manifest in manifests:
        before = old.get((manifest.kind, manifest.name))
        if before is None or before.document is None or manifest.document is None:
            continue
        for judged in update_refusals(before.document, manifest.document, release):
            fault = judged.fault.under(*manifest.where[:-1])
            yield Finding(CHANGE, fault, manifest, manifest.source)


def _distinct(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Without what is told twice of one place."""
    seen = set()
    for finding in findings:
        key = (id(finding.source), finding.fault.path, finding.fault.problem, finding.fault.line)
        if key not in seen:
            seen.add(key)
            yield finding


def _told(findings: Iterable[Finding], files: Sequence[Path]) -> tuple[Told, ...]:
    order = {file: index for index, file in enumerate(files)}
    told = []
    for finding in findings:
        own = finding.source
        assert isinstance(own, Sheet)
        place = own.place(finding)
        told.append(Told(finding, own.told(finding.fault), own.file, place, own.text(place.line)))
    return tuple(
        sorted(
            told,
            key=lambda t: (order[t.file], t.place.line, t.place.column, t.finding.rule.code),
        )
    )
