"""Read what a synthesis wrote: its manifest, its files, and what the constructs had to say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

MANIFEST = "manifest.json"
STACKS = "stacks"

OURS = ("cdk.tf", "cdk.tf.json", "metadata.json", "assets")
"""What CDKTF 0.21 writes into the folder of a stack; `metadata.json` comes with `--hcl` only."""


@dataclass(frozen=True)
class WrittenFile:
    """A synthesized file: its stack, where it lies, and its size in bytes."""

    stack: str
    path: Path
    size: int


@dataclass(frozen=True)
class Note:
    """What a construct had to say; `level` is info, warn or error."""

    level: str
    construct: str
    message: str


class _Annotation(TypedDict):
    level: str
    constructPath: str
    message: str


class _Stack(TypedDict):
    annotations: list[_Annotation]


def declared_stacks(out: Path) -> list[str]:
    """The names of the stacks in the manifest of `out`, sorted."""
    return sorted(_manifest(out))


def written_files(out: Path) -> list[WrittenFile]:
    """The synthesized files that lie in `out` for the stacks of its manifest, in order."""
    return [
        WrittenFile(stack, path, path.stat().st_size)
        for stack in declared_stacks(out)
        for name in OURS
        for path in _files(out / STACKS / stack / name)
    ]


def notes(out: Path) -> list[Note]:
    """The annotations of all stacks, in the order in which they were left."""
    return [
        # Levels are written as `@cdktf/warn`.
        Note(note["level"].rpartition("/")[2], note["constructPath"], note["message"])
        for stack in _manifest(out).values()
        for note in stack["annotations"]
    ]


def _manifest(out: Path) -> dict[str, _Stack]:
    stacks: dict[str, _Stack] = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["stacks"]
    return stacks


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(entry for entry in path.rglob("*") if entry.is_file())
    return [path] if path.is_file() else []
