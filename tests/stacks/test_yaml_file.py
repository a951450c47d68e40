"""Reading YAML: the line of everything, and one clear fault where there is nothing to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.core.faults import Fault, InvalidInput
from stacks.yaml_file import Written, read_yaml

TEXT = """\
# A comment.
clusters:
  - name: dev
    tags: { a: "1",
      b: 1.10 }
    list:
      - x
      -
        - z
  - name: >-
      long
      name
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.yaml"


def test_data_is_what_the_file_says(file: Path) -> None:
    file.write_text(TEXT)
    document = read_yaml(file)
    assert document.data == {
        "clusters": [
            {"name": "dev", "tags": {"a": "1", "b": 1.1}, "list": ["x", ["z"]]},
            {"name": "long name"},
        ]
    }
    assert document.faults == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("clusters",), 2),
        (("clusters", 0), 3),
        (("clusters", 0, "name"), 3),
        (("clusters", 0, "tags"), 4),
        (("clusters", 0, "tags", "a"), 4),
        (("clusters", 0, "tags", "b"), 5),
        (("clusters", 0, "list", 0), 7),
        (("clusters", 0, "list", 1, 0), 9),
        (("clusters", 1, "name"), 10),
        # What is missing has the line of what it is missing from.
        (("clusters", 0, "region"), 3),
        (("clusters", 1, "tags", "a"), 10),
        (("clusters", 9), 2),
        (("zzz",), 2),
    ],
)
def test_a_fault_gets_the_line_of_its_path(
    path: tuple[str | int, ...], line: int, file: Path
) -> None:
    file.write_text(TEXT)
    assert read_yaml(file).locate(Fault(path, "p", "a", "f")).line == line


def test_a_number_is_told_as_it_is_written(file: Path) -> None:
    file.write_text("a: 1.10\nb: 1.10\n")
    fault = Fault(("a",), "is not text", "text", 'write it in quotes: "1.1"', 1.1)
    located = read_yaml(file).locate(fault)
    assert located.value == Written("1.10")
    assert located.fix == 'write it in quotes: "1.10"'
    assert "got:     1.10" in str(located)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_of_other_systems_are_read(
    mark: str, newline: str, file: Path
) -> None:
    file.write_bytes((mark + TEXT.replace("\n", newline)).encode())
    document = read_yaml(file)
    assert document.data["clusters"][0]["name"] == "dev"
    assert document.lines["clusters", 0, "list", 1, 0] == 9


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "~\n"])
def test_a_file_without_data_is_none(text: str, file: Path) -> None:
    file.write_text(text)
    assert read_yaml(file).data is None


@pytest.mark.parametrize(
    ("content", "line", "fragment"),
    [
        (b"a: b\nc: \xff\n", 2, "is not UTF-8"),
        ("a: b".encode("utf-16"), 1, "is not UTF-8"),
        (b"a: b\nc: \x00\n", 2, "U+0000"),
        (b"a: 'b\nc: d\n", 2, "is not YAML, column"),
        (b"a: b: c\n", 1, "is not YAML, column 5"),
        (b"a: {b\n", 1, "is not YAML"),
        (b"%YAML 2.0\n---\na: 1\n", 1, "is not YAML"),
        (b"[" * 200 + b"]" * 200, 1, "nested too deeply"),
        (b"[" * 20_000 + b"]" * 20_000, 1, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_gives_one_fault(
    content: bytes, line: int, fragment: str, file: Path
) -> None:
    file.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        read_yaml(file)
    (fault,) = caught.value.faults
    assert fault.line == line
    assert fragment in str(fault)
    assert str(caught.value).startswith(f"{file}: 1 fault")


def test_aliases_that_stand_for_billions_are_refused(file: Path) -> None:
    rows = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for name, last in zip("bcdefghi", "abcdefgh", strict=True):
        rows.append(f"{name}: &{name} [{', '.join([f'*{last}'] * 9)}]")
    file.write_text("\n".join(rows))
    with pytest.raises(InvalidInput, match="stands for too much"):
        read_yaml(file)


@pytest.mark.parametrize("make", [lambda file: None, lambda file: file.mkdir()])
def test_a_file_that_is_not_there_is_told_with_the_way_to_name_another(
    make: object, file: Path
) -> None:
    assert callable(make)
    make(file)
    with pytest.raises(InvalidInput, match="KARPENTER_CLUSTERS") as caught:
        read_yaml(file)
    assert f'got:     "{file}"' in str(caught.value)
