"""Validate the cluster file, write the cluster stacks and the published modules, list them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from commands.environment import ROOT, quiet, run
from stacks.manifest import written_files
from stacks.output import output_folder

_GENERATED = ROOT / "generated"


def synthesize(environ: Mapping[str, str]) -> int:
    """Write the cluster stacks, as `python main.py` does; returns its exit code.

    The CLI would only start the same program, prefix its messages, and add seconds.
    """
    return run("main.py", environ=environ)


def listing(out: Path, generated: Path, root: Path) -> Iterator[str]:
    """A line for each synthesized file and for each published module, paths seen from `root`."""
    for file in written_files(out):
        yield f"{_seen(file.path, root)}  {file.size:,} bytes"
    for versions in sorted(generated.rglob("versions.tf*")):
        module = versions.parent
        count = sum(path.is_file() for path in module.rglob("*"))
        if "examples" not in module.relative_to(generated).parts:
            yield f"{_seen(module, root)}/  {count} files"


def main(argv: Sequence[str]) -> int:
    """Returns the exit code: that of the first step that fails."""
    argparse.ArgumentParser(prog="pipenv run synth", description=__doc__).parse_args(argv)
    environ = quiet()
    if code := synthesize(environ):
        return code
    if code := run("-m", "commands.publish", environ=environ):
        return code
    print("Wrote:")
    for line in listing(ROOT / output_folder(environ), _GENERATED, ROOT):
        print(f"  {line}")
    return 0


def _seen(path: Path, root: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
