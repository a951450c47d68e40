"""Convert manifests of older Karpenter releases for a newer one.

Provisioners, AWSNodeTemplates, NodePools and EC2NodeClasses of v1beta1, alone or in Lists, and
add-on configuration with provisionerSpecs are converted; any other document is copied as it
stands. Give all files that belong together: a pool is converted with its class.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from errno import EISDIR
from pathlib import Path
from tempfile import TemporaryDirectory

from modules.core.catalogue import DEFAULT_VERSION, Release, find
from modules.core.faults import Fault, InvalidInput
from modules.provisioners.migrate.documents import joined
from modules.provisioners.migrate.files import Migrated, migrate


def main(argv: Sequence[str]) -> int:
    """Returns the exit code; bad input is told on stderr, all of it together."""
    parser = argparse.ArgumentParser(prog="pipenv run migrate", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument(
        "--to",
        default=DEFAULT_VERSION,
        metavar="RELEASE",
        help="Karpenter release that is to read the result, or a line such as 1.14 "
        "(default: %(default)s)",
    )
    parser.add_argument("--node-role", metavar="NAME", help="role of nodes whose class names none")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder for the results, under the names of the files (default: to stdout)",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace files that are in the folder already"
    )
    options = parser.parse_args(argv)
    try:
        found = migrate(options.files, _release(options.to), options.node_role)
        _write(found, options.out, overwrite=options.overwrite)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 1
    for file in found:
        for line in file.told:
            print(line, file=sys.stderr)
    return 0


def _release(version: str) -> Release:
    found = find(version, "--to")
    if isinstance(found, Fault):
        raise InvalidInput([found])
    return found


def _write(found: Sequence[Migrated], folder: Path | None, *, overwrite: bool) -> None:
    """Writes all results, or none."""
    if folder is None:
        sys.stdout.write(joined(file.text for file in found))
        return
    targets = {folder / file.path.name: file.text for file in found}
    faults = []
    if len(targets) < len(found):
        fault = "have files of one name"
        faults.append(Fault(("--out",), fault, "files of different names", "rename one of them"))
    for target in targets:
        if os.path.lexists(target) and not overwrite:
            faults.append(
                Fault(
                    ("--out",),
                    "has such a file already",
                    "a folder without it",
                    "name another folder, or add --overwrite",
                    str(target),
                )
            )
    if faults:
        raise InvalidInput(faults)
    try:
        _replace(folder, targets)
    except OSError as error:
        fault = f"cannot be written: {error.strerror}"
        fix = "name another folder"
        raise InvalidInput(
            [Fault(("--out",), fault, "a folder to write to", fix, error.filename)]
        ) from None


def _replace(folder: Path, targets: Mapping[Path, str]) -> None:
    """Writes all beside their targets first, so that a full disk leaves the targets as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    for target in targets:
        if target.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(target))
    with TemporaryDirectory(dir=folder) as place:
        for target, text in targets.items():
            (Path(place) / target.name).write_bytes(text.encode())
        for target in targets:
            (Path(place) / target.name).replace(target)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
