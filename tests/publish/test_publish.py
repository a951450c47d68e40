"""The command: which version it publishes, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.core.catalogue_file import PATH
from modules.core.faults import InvalidInput
from stacks.folder import replace_folder
from stacks.publish import files, main, release_of
from tests.evaluation import unformatted


def around_each_boundary() -> list[str]:
    """One version below, one at and one above each release in which something comes or goes."""
    known = list(RELEASES)
    found = {known[0], known[-1]}
    for boundary in set(spans(json.loads(PATH.read_text()))) & set(known):
        at = known.index(boundary)
        found.update(known[max(at - 1, 0) : at + 2])
    return sorted(found, key=known.index)


def spans(data: Any) -> Iterator[str]:
    """Every release that a span of the catalogue begins or ends with."""
    if isinstance(data, dict):
        yield from chain.from_iterable(data.get("spans", ()))
        for inner in data.values():
            yield from spans(inner)
    elif isinstance(data, list):
        for inner in data:
            yield from spans(inner)


@pytest.mark.parametrize(
    ("asked", "published"),
    [
        ("1.9", "1.9.2"),
        ("1.9.1", "1.9.1"),
        ("1.14", "1.14.2"),
        ("1.0", "1.0.14"),
        ("v1.9.1", "1.9.1"),
    ],
)
def test_a_line_means_its_newest_release(asked: str, published: str) -> None:
    assert release_of(asked).version == published


@pytest.mark.parametrize("asked", ["2", "0.13", "1.9.99", "latest", ""])
def test_a_version_that_is_not_known_is_refused(asked: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is not a Karpenter release known here"):
        main(["--karpenter-version", asked, "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_the_version_asked_for_is_the_one_in_the_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--karpenter-version", "1.9", "--out", str(tmp_path / "out")]) == 0
    body = json.loads(
        (tmp_path / "out/json/karpenter-release/main.tf.json").read_text(encoding="utf-8")
    )
    assert body["resource"]["helm_release"]["controller"]["version"] == "1.9.2"
    assert "Karpenter 1.9.2" in capsys.readouterr().out


def test_the_default_is_the_newest_release_of_the_long_term_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(tmp_path / "out")]) == 0
    assert f"Karpenter {DEFAULT_VERSION} " in capsys.readouterr().out


def test_a_release_to_avoid_is_published_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--karpenter-version", "1.8.4", "--out", str(tmp_path / "out")]) == 0
    assert RELEASES["1.8.4"].avoid in capsys.readouterr().err


def test_the_same_version_gives_the_same_bytes() -> None:
    assert files(release_of(DEFAULT_VERSION)) == files(release_of(DEFAULT_VERSION))


@pytest.mark.parametrize("version", around_each_boundary())
def test_the_modules_of_a_version_are_published_and_formatted(version: str, tmp_path: Path) -> None:
    replace_folder(tmp_path / "out", files(release_of(version)))
    assert unformatted(tmp_path) == ""
