"""The pages of docs/ are what the code makes of the catalogue and the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.docs import PAGES, ROOT, main
from modules.core.catalogue import RELEASES


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_current(path: str) -> None:
    current = (ROOT / path).read_text(encoding="utf-8")
    assert current == PAGES[path](), "run: python -m commands.docs"


def test_there_is_no_page_that_nothing_writes() -> None:
    there = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*") if p.is_file()}
    assert there == set(PAGES)


def test_the_command_writes_every_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], tmp_path) == 0
    assert {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.md")} == set(PAGES)
    told = capsys.readouterr().out.splitlines()
    assert told == [f"Wrote {path}." for path in PAGES]


def test_the_page_of_versions_has_every_line_and_every_release_to_avoid() -> None:
    text = PAGES["docs/versions.md"]()
    for release in RELEASES.values():
        assert f"| {release.line} |" in text
        if release.avoid:
            assert f"| {release.version} | {release.avoid} |" in text
