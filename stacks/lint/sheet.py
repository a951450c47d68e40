"""Files that are linted, document by document, and where in them something stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from modules.core import names
from modules.core.faults import ABSENT, Fault, InvalidInput, Step
from modules.core.yaml_document import Document, Place, Written
from modules.core.yaml_source import NotYaml, documents, separated, text_of
from modules.provisioners.api.judge import KINDS
from modules.provisioners.lint.finding import Finding, Manifest
from modules.provisioners.lint.verdict import UNKNOWN_FIELD, UNREADABLE

_GROUPS = (names.NODE_POOL_GROUP, names.NODE_CLASS_GROUP)
_KINDS = frozenset(kind for _, kind in KINDS)
_MADE_BY_KARPENTER = ("NodeClaim", "Machine")
_CLUSTERS = "clusters"


@dataclass(frozen=True, eq=False)
class Sheet:
    """One document of a file.

    Args:
        file: the file, as it was named.
        lines: the lines of the whole file.
        document: what the document holds.
        column: where what cannot be read shows, in the line of its fault.
    """

    file: Path
    lines: tuple[str, ...]
    document: Document
    column: int | None = None

    @property
    def is_cluster_file(self) -> bool:
        """Whether it is a file of clusters, and no manifest."""
        data = self.document.data
        return isinstance(data, Mapping) and _CLUSTERS in data and "kind" not in data

    def place(self, finding: Finding) -> Place:
        """Where a finding is to be shown."""
        fault = finding.fault
        of_value = finding.rule.code != UNKNOWN_FIELD and not isinstance(
            fault.value, list | Mapping | type(ABSENT)
        )
        found = self.document.place(fault.path, value=of_value) if fault.path else None
        if fault.line is not None and (found is None or found.line != fault.line):
            return self._line(fault.line)
        return found or self.document.place(()) or self._line(fault.line or 1)

    def text(self, line: int) -> str:
        """A line of the file, "" behind its end."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def told(self, fault: Fault) -> Fault:
        """The fault with its number as it is written."""
        located = self.document.locate(fault)
        return replace(located, line=fault.line) if isinstance(located.value, Written) else fault

    def _line(self, line: int) -> Place:
        text = self.text(line)
        start = len(text) - len(text.lstrip())
        if self.column is not None:
            return Place(line, self.column)
        return Place(line, start + 1, max(len(text.strip()), 1))


def read(file: Path) -> tuple[list[Sheet], list[Finding]]:
    """The documents of a file, and what in it is no document."""
    try:
        text = text_of(file.read_bytes(), file)
    except OSError as error:
        return _unreadable(file, "", Fault((), *_no_file(error), value=str(file)))
    except InvalidInput as error:
        content = file.read_bytes().decode("utf-8", "replace")
        return _unreadable(file, content, *error.faults)
    lines = tuple(text.splitlines())
    sheets: list[Sheet] = []
    findings: list[Finding] = []
    for above, part in separated(text):
        try:
            made = [Sheet(file, lines, d) for d in documents(part, file, above=above, merge=True)]
        except InvalidInput as error:
            column = error.column if isinstance(error, NotYaml) else None
            sheet = Sheet(file, lines, Document(file, data=None), column)
            findings += (Finding(UNREADABLE, fault, source=sheet) for fault in error.faults)
            continue
        sheets += made
    return sheets, findings


def unclear(sheet: Sheet) -> Iterator[Finding]:
    """What a document holds that is not read by everybody alike."""
    return (Finding(UNREADABLE, fault, source=sheet) for fault in sheet.document.faults)


def manifests(sheet: Sheet) -> Iterator[Manifest | Finding]:
    """Karpenter's objects in a document, and what is no object; other kinds are left out."""
    data = sheet.document.data
    if data is not None:
        yield from _objects(data, (), sheet)


def _objects(data: Any, at: tuple[Step, ...], sheet: Sheet) -> Iterator[Manifest | Finding]:
    if not isinstance(data, Mapping) or not ("kind" in data or "apiVersion" in data):
        fault = Fault(
            at,
            "is no object of Kubernetes",
            "a mapping with apiVersion, kind, metadata and spec; or a file of clusters",
            "give a whole manifest",
            "…" if isinstance(data, Mapping) else data,
        )
        yield Finding(UNREADABLE, fault, source=sheet)
        return
    items = data.get("items")
    if str(data.get("kind", "")).endswith("List") and isinstance(items, list):
        for index, item in enumerate(items):
            yield from _objects(item, (*at, "items", index), sheet)
    elif _is_karpenters(data):
        yield Manifest.of(data, *at, source=sheet)


def _is_karpenters(data: Mapping[str, Any]) -> bool:
    version, kind = str(data.get("apiVersion") or ""), str(data.get("kind") or "")
    if kind in _MADE_BY_KARPENTER:
        return False
    if version.partition("/")[0] in _GROUPS or (version, kind) in KINDS:
        return True
    # A kind without its apiVersion, or with that of EKS Auto Mode.
    return kind in _KINDS and version.partition("/")[0] in ("", names.AUTO_MODE_GROUP)


def _unreadable(file: Path, text: str, *faults: Fault) -> tuple[list[Sheet], list[Finding]]:
    sheet = Sheet(file, tuple(text.splitlines()), Document(file, data=None))
    return [], [Finding(UNREADABLE, fault, source=sheet) for fault in faults]


def _no_file(error: OSError) -> tuple[str, str, str]:
    problem = (
        "does not exist"
        if isinstance(error, FileNotFoundError)
        else f"cannot be read: {error.strerror or error}"
    )
    return problem, "a YAML file or a folder of them", "look at the path"
