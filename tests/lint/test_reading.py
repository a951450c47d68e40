"""Which objects are found in files, and which belong together."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from modules.provisioners.lint.finding import Manifest
from stacks.lint.run import Request, run
from stacks.lint.sheet import manifests, read
from tests.lint.linting import codes, lint_folder, lint_text, written

POOL = written("kind: NodePool\n").partition("---")[0]


def found_in(text: str, folder: Path) -> list[str]:
    file = folder / "objects.yaml"
    file.write_text(text, encoding="utf-8")
    sheets, _ = read(file)
    items = [item for sheet in sheets for item in manifests(sheet)]
    return [item.kind if isinstance(item, Manifest) else item.rule.code for item in items]


def test_the_objects_of_a_list_are_found_with_their_paths(tmp_path: Path) -> None:
    item = textwrap.indent(POOL.replace("cpu: '100'", "cpus: x"), "    ").replace("    ", "  - ", 1)
    report = lint_text(tmp_path, f"apiVersion: v1\nkind: List\nitems:\n{item}")
    assert report.objects == 1
    assert {str(t.fault.path[:3]) for t in report.told} == {"('items', 0, 'spec')"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("# nothing\n---\n---\n", []),
        ("apiVersion: v1\nkind: Service\nmetadata: {name: x}\n", []),
        ("apiVersion: karpenter.sh/v1\nkind: NodeClaim\nmetadata: {name: x}\n", []),
        ("apiVersion: karpenter.sh/v1\nkind: NodePool\n", ["NodePool"]),
        ("apiVersion: karpenter.sh/v1\nkind: Nodepool\n", ["Nodepool"]),
        ("kind: NodePool\n", ["NodePool"]),
        ("kind: NodePool\napiVersion: example.com/v1\n", []),
        ("apiVersion: karpenter.sh/v1\n", [""]),
        ("apiVersion: eks.amazonaws.com/v1\nkind: NodePool\n", ["NodePool"]),
        ("a: 1\n", ["KPT009"]),
        ("- 1\n", ["KPT009"]),
        ("text\n", ["KPT009"]),
        ("kind: List\napiVersion: v1\nitems: [3, {kind: NodePool}]\n", ["KPT009", "NodePool"]),
    ],
)
def test_karpenters_objects_are_told_from_others_and_from_what_is_none(
    text: str, found: list[str], tmp_path: Path
) -> None:
    assert found_in(text, tmp_path) == found


def test_what_is_not_yaml_keeps_no_other_document_from_being_linted(tmp_path: Path) -> None:
    bad_pool = POOL.replace("cpu: '100'", "cpu: lots")
    report = lint_text(tmp_path, f"{bad_pool}---\na: [\n---\n{bad_pool.replace('default', 'b', 1)}")
    refused = [code for code in codes(report) if code.startswith("KPT0")]
    assert refused == ["KPT004", "KPT009", "KPT004"]


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda file: None, "does not exist"),
        (lambda file: file.write_bytes(b"a: \xff\n"), "is not UTF-8"),
        (lambda file: file.write_bytes(b"a: \x07\n"), "holds the character U+0007"),
        (lambda file: file.write_text("a: {b"), "is not YAML"),
        (lambda file: file.write_text("[" * 200 + "]" * 200), "nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(
    make: object, problem: str, tmp_path: Path
) -> None:
    assert callable(make)
    file = tmp_path / "file.yaml"
    make(file)
    (told,) = run(Request([file])).told
    assert told.finding.rule.code == "KPT009"
    assert told.file == file
    assert problem in told.fault.problem


def test_a_folder_stands_for_the_yaml_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    for name in ("b.yml", "a.yaml", "deeper/c.yaml", "notes.txt"):
        (tmp_path / name).write_text("apiVersion: karpenter.sh/v1\nkind: NodePool\n")
    report = lint_folder(tmp_path)
    assert report.files == 3
    assert list(dict.fromkeys(told.file.name for told in report.told)) == [
        "a.yaml",
        "b.yml",
        "c.yaml",
    ]


def test_a_file_that_is_named_twice_is_linted_once(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("text\n")
    assert len(run(Request([file, file])).told) == 1


def test_the_files_of_one_folder_are_one_cluster_and_other_folders_are_others(
    tmp_path: Path,
) -> None:
    for name in ("one/a.yaml", "one/b.yaml", "two/a.yaml"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(POOL)
    report = lint_folder(tmp_path)
    assert [(t.finding.rule.code, t.file.name, t.file.parent.name) for t in report.told] == [
        ("KPT301", "b.yaml", "one")
    ]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("apiVersion: apps/v1\nkind: Deployment", []),
        ("apiVersion: karpenter.sh/v1\nkind: NodeOverlays", ["KPT006", "KPT009"]),
    ],
)
def test_yaml_that_readers_differ_on_is_told_of_karpenters_objects_alone(
    kind: str, found: list[str], tmp_path: Path
) -> None:
    text = f"{kind}\nmetadata: {{ name: x, labels: {{ mode: 0644 }} }}\n"
    assert sorted(set(codes(lint_text(tmp_path, text)))) == found
