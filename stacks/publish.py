"""Writes the published modules: `pipenv run publish`.

Everything is made in memory first; the folder is replaced only when all of it is there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from modules.core.catalogue import DEFAULT_VERSION, Release, find
from modules.core.faults import Fault, InvalidInput
from stacks.folder import replace_folder
from stacks.published import modules_for
from stacks.published.files import hcl_files, json_files
from stacks.readme import index

GENERATED: Final = Path(__file__).resolve().parents[1] / "generated"
JSON: Final = "json"


def files(release: Release) -> dict[str, bytes]:
    """Every file of every module for a Karpenter release, by path below the folder."""
    modules = modules_for(release)
    found = {"README.md": index(modules).encode()}
    for module in modules:
        for path, content in hcl_files(module).items():
            found[f"{module.name}/{path}"] = content
        for path, content in json_files(module).items():
            found[f"{JSON}/{module.name}/{path}"] = content
    return found


def release_of(version: str) -> Release:
    """The release that a version or a line such as `1.9` names.

    Raises:
        InvalidInput: there is none.
    """
    found = find(version, "karpenterVersion")
    if isinstance(found, Fault):
        raise InvalidInput([found])
    return found


def main(argv: Sequence[str]) -> int:
    """Returns the exit code.

    Raises:
        InvalidInput: the version is not known, or the folder is not ours to replace.
    """
    parser = argparse.ArgumentParser(prog="pipenv run publish", description=__doc__)
    parser.add_argument(
        "--karpenter-version",
        default=DEFAULT_VERSION,
        metavar="VERSION",
        help="a release, or a line such as 1.9 for its newest (default: %(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, default=GENERATED, metavar="DIR", help="(default: generated)"
    )
    arguments = parser.parse_args(argv)
    release = release_of(arguments.karpenter_version)
    if release.avoid:
        print(f"Karpenter {release.version} is to be avoided: {release.avoid}.", file=sys.stderr)
    written = files(release)
    replace_folder(arguments.out.absolute(), written)
    print(
        f"Published the modules for Karpenter {release.version} into {arguments.out}: "
        f"{len(written)} files."
    )
    return 0
