"""Replace a folder of generated files as a whole, and never a file that was not generated.

A manifest in the folder names what was written. A file that it does not name is somebody's:
with one in the way nothing is touched.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from modules.core.faults import Fault, InvalidInput, unwritable

MANIFEST: Final = "MANIFEST.txt"
_HEAD: Final = "# Written by `pipenv run publish`, which replaces exactly these files."
_TERRAFORM: Final = (".terraform", ".terraform.lock.hcl")
"""What `terraform init` leaves in an example that somebody tried; it makes them again."""


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Makes the folder hold exactly these files and their manifest, or leaves it as it was.

    Args:
        files: content by path inside the folder.

    Raises:
        InvalidInput: something lies there that was not written by this function, or the system
            does not let us write there.
    """
    _refuse_foreign(folder)
    try:
        _replace(folder, files)
    except OSError as error:
        raise unwritable(folder, error, "choose another folder with --out") from None


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.staging-", dir=folder.parent))
    try:
        new, old = staging / "new", staging / "old"
        listed = "\n".join([_HEAD, *sorted(files)]) + "\n"
        for path, content in {**files, MANIFEST: listed.encode()}.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).write_bytes(content)
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except BaseException:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _refuse_foreign(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        foreign = [folder.name]
    else:
        foreign = sorted(_foreign(folder))
    if foreign:
        fault = Fault(
            ("out",),
            f"holds what was not published: {', '.join(foreign[:5])}"
            + (f" and {len(foreign) - 5} more" if len(foreign) > 5 else ""),
            "a folder that does not exist, is empty, or was published before",
            "move these files away, or choose another folder with --out",
            str(folder),
        )
        raise InvalidInput([fault])


def _foreign(folder: Path) -> Iterator[str]:
    manifest = folder / MANIFEST
    ours = {MANIFEST}
    if manifest.is_file():
        ours.update(manifest.read_text(encoding="utf-8").splitlines())
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if path.is_dir() and not path.is_symlink():
            continue
        if inside.as_posix() not in ours and not set(_TERRAFORM) & set(inside.parts):
            yield inside.as_posix()
