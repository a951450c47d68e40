"""A fault says where, what was given, what is allowed and what to do; all are told at once."""

from __future__ import annotations

import pytest

from modules.core.faults import (
    ABSENT,
    Fault,
    InvalidInput,
    dotted,
    nearest,
    shown,
    unknown_key,
)

FAULT = Fault(("clusters", 0, "name"), "is not allowed", "a name", "rename it", "a b", line=7)


def test_a_fault_has_all_five_parts() -> None:
    assert str(FAULT) == (
        "clusters[0].name (line 7): is not allowed\n"
        '    got:     "a b"\n'
        "    allowed: a name\n"
        "    fix:     rename it"
    )


def test_what_is_not_there_was_not_got() -> None:
    assert "got:" not in str(Fault(("x",), "is missing", "a value", "add it"))
    assert "got:     null" in str(Fault(("x",), "is missing", "a value", "add it", None))


def test_a_fault_at_the_top_says_so() -> None:
    assert str(Fault((), "is empty", "x", "y")).startswith("(top level): is empty\n")


def test_a_fault_can_be_seen_from_further_up() -> None:
    seen = FAULT.under("file", 2)
    assert seen.path == ("file", 2, "clusters", 0, "name")
    assert (seen.value, seen.line) == (FAULT.value, FAULT.line)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("name",), "name"),
        (("a", "b-c", "d_e"), "a.b-c.d_e"),
        (("a", 0, 1, "b"), "a[0][1].b"),
        (("labels", "karpenter.sh/x"), 'labels["karpenter.sh/x"]'),
        (("tags", ""), 'tags[""]'),
        (("tags", 'a"b'), 'tags["a\\"b"]'),
    ],
)
def test_paths_are_written_as_users_think_of_them(path: tuple[str | int, ...], text: str) -> None:
    assert dotted(path) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", '"x"'),
        (1e3, "1000.0"),
        (True, "true"),
        (None, "null"),
        ({"ä": [1]}, '{"ä": [1]}'),
        ({1, 2} - {2}, "{1}"),
        ("x" * 118, '"' + "x" * 118 + '"'),
        ("x" * 119, '"' + "x" * 118 + "…"),
    ],
)
def test_values_are_shown_as_they_were_written(value: object, text: str) -> None:
    assert shown(value) == text


def test_the_message_counts_and_numbers_all_faults() -> None:
    one, two = InvalidInput([FAULT], "clusters.yaml"), InvalidInput([FAULT, FAULT])
    assert str(one).startswith("clusters.yaml: 1 fault, nothing was written\n\n1. clusters[0]")
    assert str(two).startswith("input: 2 faults, nothing was written\n\n1. clusters[0]")
    assert "\n\n2. clusters[0].name" in str(two)


@pytest.mark.parametrize(
    ("word", "like"),
    [
        ("clusterNmae", "clusterName"),
        ("cluster_name", "clusterName"),
        ("CLUSTERNAME", "clusterName"),
        ("regoin", "region"),
        ("zzz", None),
    ],
)
def test_the_nearest_word_is_found_across_spellings(word: str, like: str | None) -> None:
    assert nearest(word, ["clusterName", "region"]) == like


def test_an_unknown_key_names_the_nearest_one_or_is_to_be_removed() -> None:
    near = unknown_key("nmae", ["name", "id"], 1)
    assert (near.path, near.value, near.fix) == (("nmae",), 1, "did you mean name?")
    assert near.allowed == "one of id, name"
    assert unknown_key("zzz", ["name"]).fix == "remove it"
    assert unknown_key("x", []).allowed == "no keys here"
    assert unknown_key("x", []).value is ABSENT
