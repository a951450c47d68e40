"""Synthesize into a fresh folder, and swap it in only when it is complete.

What is swapped is what CDKTF writes for a stack. Whatever else lies in the output folder (state,
plans, `.terraform`, files of the user) is left where it is.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from modules.core.faults import unwritable
from stacks.left_state import left_state
from stacks.manifest import MANIFEST, OURS, STACKS, declared_stacks

UNDECLARED = "undeclared"
"""Beside `stacks`: where an undeclared stack goes when the CLI would delete it."""

_UNWRITABLE = "move away what is in the way, or name another folder in CDKTF_OUTDIR"

_STATE_LEFT = (
    "Its state was left in {0}. If its resources still exist, declare it again and run `destroy`."
)

Report = Callable[[str], None]


def output_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the CDKTF CLI wants the output (`CDKTF_OUTDIR`), else `cdktf.out`."""
    return Path(environ.get("CDKTF_OUTDIR") or "cdktf.out")


def cli_deletes_undeclared(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the CDKTF CLI runs this program, and will clean up after it.

    When the program has ended, `synth`, `diff`, `deploy` and `destroy` of the CLI delete each
    folder of `stacks` that was there before and is not in the manifest, state and all (0.21,
    `synth-stack.ts`). Only the CLI sets this variable.
    """
    return "CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS" in environ


@contextmanager
def synthesized(
    out: Path, *, environ: Mapping[str, str] = os.environ, report: Report | None = None
) -> Iterator[Path]:
    """A fresh folder to synthesize into; when the body ends well, its content goes to `out`.

    A stack that is no longer declared is removed when only synthesized files lie in its folder.
    Otherwise it is kept: in its place, or, when the CLI would delete it there, in
    `out/undeclared/<stack>`, from where it comes back when it is declared again. `report` gets one
    line for each such stack; by default the line goes to stderr.

    An exception in the body or in the swap leaves `out` as it was, and is passed on.

    Raises:
        InvalidInput: the system does not let us write there.
        RuntimeError: the body has not written a manifest.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{out.name}.staging-", dir=out.parent))
    except OSError as error:
        raise unwritable(out, error, _UNWRITABLE) from None
    try:
        yield staging
        if not (staging / MANIFEST).is_file():
            raise RuntimeError(f"The synthesis has not written {MANIFEST}.")
        swap = _Swap(staging, out, vacate=cli_deletes_undeclared(environ))
        try:
            told = swap.run()
        except OSError as error:
            raise unwritable(out, error, _UNWRITABLE) from None
        for line in told:
            (report or _to_stderr)(line)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


class _Swap:
    """Renames between two folders of one file system, all taken back when one of them fails."""

    def __init__(self, staging: Path, out: Path, *, vacate: bool) -> None:
        self._staging = staging
        self._out = out
        self._vacate = vacate
        self._replaced = staging / "replaced"
        self._undo: list[Callable[[], object]] = []

    def run(self) -> list[str]:
        """Do it; returns what is to be told about undeclared stacks."""
        declared = declared_stacks(self._staging)
        told: list[str] = []
        try:
            for stack in declared:
                told += self._bring_back(stack)
                for name in OURS:
                    self._replace(Path(STACKS, stack, name))
            for stack in _folders(self._out / STACKS):
                if stack not in declared:
                    told += self._retire(stack)
            for stack in _folders(self._out / UNDECLARED):
                if stack not in declared:
                    told.append(self._keep_or_remove(self._out / UNDECLARED / stack))
            # Last, because it says that the stacks are complete.
            self._replace(Path(MANIFEST))
        except BaseException:
            while self._undo:
                self._undo.pop()()
            raise
        return told

    def _replace(self, name: Path) -> None:
        new, old, aside = self._staging / name, self._out / name, self._replaced / name
        if new.is_file() and old.is_file():
            # In one step, so that a reader finds the old file or the new one.
            self._folder(aside.parent)
            shutil.copy2(old, aside)
            self._undo.append(lambda: aside.replace(old))
            new.replace(old)
            return
        if old.exists():
            self._move(old, aside)
        if new.exists():
            self._move(new, old)

    def _bring_back(self, stack: str) -> list[str]:
        kept, home = self._out / UNDECLARED / stack, self._out / STACKS / stack
        if not kept.is_dir():
            return []
        if home.is_dir() and any(home.iterdir()):
            return [
                f"Stack {stack} is declared again, but files lie in {kept} and in {home}. "
                "Look in which of them its state is before you deploy."
            ]
        self._move(kept, home)
        return [f"Stack {stack} is declared again: its files came back from {kept}."]

    def _retire(self, stack: str) -> list[str]:
        folder = self._out / STACKS / stack
        if not self._vacate:
            return [self._keep_or_remove(folder)]
        self._move(folder, self._out / UNDECLARED / stack)
        self._folder(folder)  # The CLI fails when a folder that it wants to delete is missing.
        return []

    def _keep_or_remove(self, folder: Path) -> str:
        foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in OURS)
        if not foreign:
            state = left_state(folder)
            self._move(folder, self._replaced / folder.relative_to(self._out))
            told = f"Stack {folder.name} is no longer declared: {folder} was removed."
            return told if state is None else f"{told} {_STATE_LEFT.format(state)}"
        return (
            f"Stack {folder.name} is no longer declared. {folder} was kept, because it holds "
            f"{', '.join(foreign)}. If its resources still exist, run "
            f"`terraform -chdir={folder} destroy`; then delete the folder."
        )

    def _move(self, source: Path, target: Path) -> None:
        self._folder(target.parent)
        source.rename(target)
        self._undo.append(lambda: target.rename(source))

    def _folder(self, path: Path) -> None:
        if not path.is_dir():
            self._folder(path.parent)
            path.mkdir()
            self._undo.append(path.rmdir)


def _folders(parent: Path) -> list[str]:
    if not parent.is_dir():
        return []
    return sorted(entry.name for entry in parent.iterdir() if entry.is_dir())


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)
