"""The local chart as it is shipped: its files and the version that tells two of them apart."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_SOURCE = Path(__file__).with_name("chart")
_METADATA = "Chart.yaml"
_VERSION = re.compile(rb"^version: (.+)$", re.MULTILINE)
_HASH_LENGTH = 12


@cache
def version() -> str:
    """The chart's version."""
    return version_of(sources())


def version_of(files: Mapping[str, bytes]) -> str:
    """The version that `Chart.yaml` states, with a hash of all files: `1.0.0+0a1b2c3d4e5f`.

    Terraform sees a change of a local chart only through its version, so a change of any
    template must change it. Build metadata is what semantic versions have for that.

    Raises:
        ValueError: `Chart.yaml` states no version.
    """
    digest = hashlib.sha256()
    for path, content in sorted(files.items()):
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    stated = _VERSION.search(files[_METADATA])
    if stated is None:
        raise ValueError(f"{_METADATA} states no version")
    return f"{stated[1].decode()}+{digest.hexdigest()[:_HASH_LENGTH]}"


def files() -> dict[str, bytes]:
    """The shipped files by path inside the chart."""
    shipped = sources()
    shipped[_METADATA] = _VERSION.sub(f"version: {version()}".encode(), shipped[_METADATA])
    return shipped


def write(target: Path) -> None:
    """Writes the chart into a folder, which is made where it is not there."""
    for path, content in files().items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def sources() -> dict[str, bytes]:
    """The files as they stand here, by path inside the chart."""
    return {
        path.relative_to(_SOURCE).as_posix(): path.read_bytes()
        for path in sorted(_SOURCE.rglob("*"))
        if path.is_file()
    }
