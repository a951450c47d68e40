"""Reading YAML with places: documents apart from one another, merge keys, columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.core.yaml_document import Document, Place
from modules.core.yaml_source import NotYaml, documents, separated

FILE = Path("file.yaml")


def read(text: str, *, merge: bool = False) -> Document:
    (document,) = documents(text, FILE, merge=merge)
    return document


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [(0, "")]),
        ("a: 1\n", [(0, "a: 1\n")]),
        ("---\na: 1\n", [(0, "---\na: 1\n")]),
        ("a: 1\n---\nb: 2\n", [(0, "a: 1\n"), (1, "---\nb: 2\n")]),
        ("a: 1\n--- # two\nb: 2\n", [(0, "a: 1\n"), (1, "--- # two\nb: 2\n")]),
        ("# c\n\n%YAML 1.2\n---\na: 1\n", [(0, "# c\n\n%YAML 1.2\n---\na: 1\n")]),
        ("a: |\n  ---\n---b: 1\n", [(0, "a: |\n  ---\n---b: 1\n")]),
    ],
)
def test_a_text_is_divided_where_documents_begin(text: str, parts: list[tuple[int, str]]) -> None:
    assert list(separated(text)) == parts


def test_the_lines_above_a_part_count() -> None:
    (document,) = documents("b: 2\n", FILE, above=7)
    assert document.place(("b",)) == Place(8, 1, 1)


def test_a_key_and_its_value_have_places_of_their_own() -> None:
    document = read("a:\n  - name: long\n    list: [x, yy]\n")
    assert document.place(("a", 0, "name")) == Place(2, 5, 4)
    assert document.place(("a", 0, "name"), value=True) == Place(2, 11, 4)
    assert document.place(("a", 0, "list", 1)) == Place(3, 15, 2)


@pytest.mark.parametrize(
    ("path", "column"), [(("a", "zzz"), 1), (("a", "b", "c", "d"), 3), (("x",), 1)]
)
def test_what_is_not_there_has_the_place_of_what_is_around_it(
    path: tuple[str, ...], column: int
) -> None:
    place = read("a:\n  b: 1\n").place(path)
    assert place is not None
    assert place.column == column


def test_what_is_not_yaml_says_in_which_line_of_the_file_and_column() -> None:
    with pytest.raises(NotYaml) as caught:
        documents("a: b: c\n", FILE, above=3)
    assert (caught.value.faults[0].line, caught.value.column) == (4, 5)


MERGED = """\
base: &base { p: 1, q: 2 }
other: &other { q: 3, r: 4 }
made:
  <<: [*base, *other]
  p: 9
"""


def test_merge_keys_are_followed_where_that_is_asked_for() -> None:
    document = read(MERGED, merge=True)
    assert document.faults == []
    assert document.data["made"] == {"p": 9, "q": 2, "r": 4}


def test_merge_keys_are_a_fault_elsewhere() -> None:
    document = read(MERGED)
    assert [fault.path for fault in document.faults] == [("made", "<<")]
    assert document.data["made"] == {"p": 9}


def test_what_is_merged_has_to_be_a_mapping() -> None:
    document = read("a: &a [1]\nb: { <<: *a }\n", merge=True)
    assert [fault.problem for fault in document.faults] == ["merges what is no mapping"]
