"""Whatever stands wherever in a cluster file, it is taken, or refused in a message."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.faults import Fault, InvalidInput
from stacks.clusters import load_clusters
from stacks.notices import notices

FILE = Path(__file__).with_name("everything.yaml")
EVERYTHING = yaml.safe_load(FILE.read_text(encoding="utf-8"))
VALUES: list[Any] = [
    *(None, "", " ", [], {}, 5, -1, 1.5, True, [None], [[]], [{}], ["x"], {"a": None}, {"": 1}),
    *(
        "x",
        "x" * 5000,
        "${var.x}",
        "%{if}",
        "no",
        "ünï\N{GRINNING FACE}",
        10**30,
        {"a": {"b": [1]}},
    ),
]
PLACES_AT_A_TIME = 100


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(data, dict):
        steps: Any = data.items()
    else:
        steps = enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        yield from places(value, (*path, step))


def broken(path: tuple[Any, ...], value: Any) -> Any:
    data = copy.deepcopy(EVERYTHING)
    around = data
    for step in path[:-1]:
        around = around[step]
    around[path[-1]] = value
    return data


def test_the_whole_file_is_right() -> None:
    names = [cluster.name for cluster in load_clusters(FILE)]
    assert names == ["rich", "addon", "specs", "oldest", "provisioner"]


# Each place gets one of the values; which one differs from place to place.
@pytest.mark.parametrize("first", range(0, len(list(places(EVERYTHING))), PLACES_AT_A_TIME))
def test_every_fault_says_where_it_is_what_is_allowed_and_what_to_do(
    first: int, tmp_path: Path
) -> None:
    file = tmp_path / "clusters.yaml"
    values = itertools.cycle(VALUES)
    some = list(places(EVERYTHING))[first : first + PLACES_AT_A_TIME]
    for path, value in zip(some, values, strict=False):
        file.write_text(yaml.safe_dump(broken(path, value), allow_unicode=True), encoding="utf-8")
        assert all(f.path and f.line and f.allowed and f.fix for f in faults(file)), (path, value)


def faults(file: Path) -> tuple[Fault, ...]:
    try:
        for cluster in load_clusters(file):
            notices(cluster)
    except InvalidInput as error:
        return error.faults
    return ()
