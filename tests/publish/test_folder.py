"""A published folder is replaced as a whole, and nobody's files are lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.core.faults import InvalidInput
from stacks.folder import MANIFEST, replace_folder


def lying(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def test_a_folder_is_made(tmp_path: Path) -> None:
    replace_folder(tmp_path / "new" / "out", {"a/b.tf": b"1"})
    assert lying(tmp_path / "new" / "out") == {"a/b.tf": "1"}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["out"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    replace_folder(tmp_path / "out", {"a": b"1"})
    assert lying(tmp_path / "out") == {"a": "1"}


def test_what_was_published_before_goes_away(tmp_path: Path) -> None:
    replace_folder(tmp_path / "out", {"old": b"1", "same": b"2"})
    replace_folder(tmp_path / "out", {"same": b"3", "new": b"4"})
    assert lying(tmp_path / "out") == {"same": "3", "new": "4"}


def test_what_terraform_init_left_is_no_obstacle(tmp_path: Path) -> None:
    replace_folder(tmp_path / "out", {"example/main.tf": b"1"})
    (tmp_path / "out/example/.terraform/providers").mkdir(parents=True)
    (tmp_path / "out/example/.terraform/providers/x").touch()
    (tmp_path / "out/example/.terraform.lock.hcl").touch()
    replace_folder(tmp_path / "out", {"example/main.tf": b"2"})
    assert lying(tmp_path / "out") == {"example/main.tf": "2"}


@pytest.mark.parametrize("foreign", ["notes.md", "example/terraform.tfstate"])
def test_a_file_of_somebody_else_is_named_and_nothing_is_touched(
    tmp_path: Path, foreign: str
) -> None:
    replace_folder(tmp_path / "out", {"example/main.tf": b"1"})
    (tmp_path / "out" / foreign).write_text("mine", encoding="utf-8")
    before = lying(tmp_path / "out")
    with pytest.raises(InvalidInput, match=foreign):
        replace_folder(tmp_path / "out", {"example/main.tf": b"2"})
    assert lying(tmp_path / "out") == before


def test_a_folder_that_was_never_published_is_refused(tmp_path: Path) -> None:
    (tmp_path / "main.py").touch()
    with pytest.raises(InvalidInput, match=r"main\.py"):
        replace_folder(tmp_path, {"a": b"1"})


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.touch()
    else:
        (tmp_path / "elsewhere").mkdir()
        out.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidInput, match="out"):
        replace_folder(out, {"a": b"1"})


def test_a_failure_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    replace_folder(tmp_path / "out", {"a": b"1"})
    # A path that is a file and a folder at once cannot be written.
    with pytest.raises(InvalidInput, match="cannot be written"):
        replace_folder(tmp_path / "out", {"x": b"2", "x/y": b"3"})
    assert lying(tmp_path / "out") == {"a": "1"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_failed_swap_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    replace_folder(out, {"a": b"1"})
    rename = Path.rename

    def refuse_the_new(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError("no space")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse_the_new)
    with pytest.raises(InvalidInput, match="no space"):
        replace_folder(out, {"a": b"2"})
    assert lying(out) == {"a": "1"}
