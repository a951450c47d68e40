"""Add a Karpenter release to the catalogue, out of its chart and its policy template.

Unpack the chart (`helm pull --untar oci://public.ecr.aws/karpenter/karpenter --version 1.16.0`) and
download the release's cloudformation.yaml from Karpenter's getting-started guide. What the command
prints is all that changed; then look at the CRDs of the release, run `python -m commands.docs` and
`python -m commands.publish`, and the tests.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from modules.core import catalogue_file
from modules.core.faults import Fault, InvalidInput, Step
from stacks.new_release.template import Template, read
from stacks.new_release.update import NewRelease, is_newer, newest_of, with_release

_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_RANGE = re.compile(r"(1\.[0-9]{2})-(1\.[0-9]{2})")


def main(argv: Sequence[str], path: Path = catalogue_file.PATH) -> int:
    """Returns the exit code; bad input is told on stderr, and nothing is written then."""
    parser = argparse.ArgumentParser(
        prog="pipenv run add-release",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", required=True, help="the release, such as 1.16.0")
    parser.add_argument("--chart", type=Path, required=True, help="folder of the unpacked chart")
    parser.add_argument("--policy", type=Path, required=True, help="its cloudformation.yaml")
    parser.add_argument(
        "--kubernetes", required=True, help="tested versions, oldest and newest: 1.26-1.37"
    )
    parser.add_argument("--dry-run", action="store_true", help="tell what would change only")
    options = parser.parse_args(argv)
    catalogue = catalogue_file.read(path)
    try:
        new = _new(options, catalogue)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 1
    data, told = with_release(catalogue, new)
    if not options.dry_run:
        path.write_text(catalogue_file.dumped(data), encoding="utf-8")
    verb = "Would add" if options.dry_run else "Added"
    print(f"{verb} Karpenter {new.version} after {newest_of(catalogue)}:")
    for line in told or ["nothing differs from the release before"]:
        print(f"  {line}")
    return 0


def _new(options: argparse.Namespace, catalogue: dict[str, Any]) -> NewRelease:
    faults: list[Fault] = []

    def refuse(name: Step, problem: str, allowed: str, fix: str, value: object) -> None:
        faults.append(Fault((name,), problem, allowed, fix, value))

    version = options.version.removeprefix("v")
    if not _VERSION.fullmatch(version):
        refuse("--version", "is no release", "a release such as 1.16.0", "correct it", version)
    elif not is_newer(version, catalogue):
        fix = "name a newer patch, or a newer line"
        refuse("--version", "is known already", "a release that is newer", fix, version)
    tested = _RANGE.fullmatch(options.kubernetes)
    if not tested:
        refuse(
            "--kubernetes",
            "is no range",
            "oldest-newest, such as 1.26-1.37",
            "correct it",
            options.kubernetes,
        )
    values, templates = _chart(options.chart, refuse)
    template = _template(options.policy, refuse)
    if faults:
        raise InvalidInput(faults)
    assert tested is not None
    return NewRelease(version, (tested[1], tested[2]), values, templates, template)


def _chart(folder: Path, refuse: Any) -> tuple[dict[str, Any], str]:
    try:
        values = yaml.safe_load((folder / "values.yaml").read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        problem = f"has no values.yaml to read: {' '.join(str(error).split())}"
        refuse("--chart", problem, "an unpacked chart", "unpack the chart", str(folder))
        return {}, ""
    if not isinstance(values, dict):
        refuse(
            "--chart", "has no values", "a mapping in values.yaml", "unpack it anew", str(folder)
        )
        return {}, ""
    files = sorted((folder / "templates").rglob("*"))
    return values, "\n".join(f.read_text(encoding="utf-8") for f in files if f.is_file())


def _template(file: Path, refuse: Any) -> Template:
    allowed, fix = "Karpenter's CloudFormation template", "download it anew"
    try:
        template = read(file.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        problem = f"cannot be read: {' '.join(str(error).split())}"
        refuse("--policy", problem, allowed, fix, str(file))
        return Template()
    for unknown in template.unknown:
        refuse(
            "--policy",
            f"says what the catalogue cannot: {unknown}",
            allowed,
            "write it into the catalogue by hand",
            str(file),
        )
    if not template.statements and not template.unknown:
        refuse("--policy", "has no policies", allowed, fix, str(file))
    return template


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
