"""Layers of values become one, and nothing of any layer is lost unseen."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.release.merge import merged

NAMES = st.sampled_from("abc")
SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.text("xy", max_size=2)
LEAVES = SCALARS | st.lists(SCALARS, max_size=2)
VALUES = st.dictionaries(
    NAMES,
    st.recursive(LEAVES, lambda inner: st.dictionaries(NAMES, inner, max_size=3), max_leaves=8),
    max_size=3,
)
# Maps at the upper names, leaves at the lower ones: no layer has one where another has the other.
ALIKE = st.dictionaries(st.sampled_from("ABC"), st.dictionaries(NAMES, LEAVES))


def leaves(values: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if not isinstance(values, dict):
        return {path: values}
    return {
        p: leaf for key, below in values.items() for p, leaf in leaves(below, (*path, key)).items()
    }


@pytest.mark.parametrize(
    ("below", "above", "expected"),
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}),
        ({"a": {"x": {"m": 1}}}, {"a": {"x": {"n": 2}}}, {"a": {"x": {"m": 1, "n": 2}}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": [{"x": 1}]}, {"a": [{"y": 2}]}, {"a": [{"y": 2}]}),
        ({"a": [1]}, {"a": []}, {"a": []}),
        ({"a": {"x": 1}}, {"a": {}}, {"a": {"x": 1}}),
        ({"a": {"x": 1}}, {"a": None}, {"a": None}),
        ({"a": {"x": 1}}, {"a": {"x": None}}, {"a": {"x": None}}),
        ({"a": None}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": {"x": 1}}, {"a": 2}, {"a": 2}),
        ({"a": 2}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": False}, {"a": 0}, {"a": 0}),
    ],
)
def test_a_later_layer_wins_map_by_map(below: Any, above: Any, expected: Any) -> None:
    found = merged(below, above)
    assert found == expected
    assert leaves(found) == leaves(expected)
    assert str(found) == str(expected)


@given(VALUES, VALUES)
def test_every_leaf_of_the_last_layer_is_in_the_result(below: Any, above: Any) -> None:
    found = leaves(merged(below, above))
    assert {path: found[path] for path in leaves(above)} == leaves(above)


@given(VALUES, VALUES)
def test_every_leaf_of_the_result_is_from_a_layer(below: Any, above: Any) -> None:
    for path, leaf in leaves(merged(below, above)).items():
        assert leaf in [side[path] for side in (leaves(below), leaves(above)) if path in side]


@given(VALUES)
def test_merging_with_nothing_or_with_itself_changes_nothing(values: Any) -> None:
    assert merged(values) == merged({}, values) == merged(values, {}) == values
    assert merged(values, values) == values


@given(ALIKE, ALIKE, ALIKE)
def test_grouping_does_not_matter_where_all_layers_have_maps_in_the_same_places(
    a: Any, b: Any, c: Any
) -> None:
    assert merged(a, b, c) == merged(merged(a, b), c) == merged(a, merged(b, c))


def test_grouping_matters_where_a_layer_has_no_map() -> None:
    a, b, c = {"k": {"x": 1}}, {"k": None}, {"k": {"y": 2}}
    assert merged(a, b, c) == {"k": {"y": 2}}
    assert merged(a, merged(b, c)) == {"k": {"x": 1, "y": 2}}


@given(VALUES, VALUES)
def test_no_layer_is_changed_nor_shared(below: Any, above: Any) -> None:
    before = deepcopy((below, above))
    found = merged(below, above)
    for value in found.values():
        if isinstance(value, dict):
            value["changed"] = True
    assert (below, above) == before
