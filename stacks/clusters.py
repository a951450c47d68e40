"""The cluster file: where it is, and the settings in it.

Every fault of the file is found in one go. A value at fault is left out of the data, so that the
rules on the rest still run; what those then say of the same place is not told.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modules.core.faults import Fault, InvalidInput, Step
from modules.core.inputs import parse
from stacks.linting import KEY as LINT
from stacks.neighbours import Neighbour, check_neighbours
from stacks.rules import check_cluster
from stacks.settings import ClusterFile, ClusterSettings
from stacks.state import TOP
from stacks.upgrade.rule import KEY as UPGRADING_FROM
from stacks.yaml_file import Document, Written, read_yaml

FILE_VARIABLE = "KARPENTER_CLUSTERS"
CONTEXT_VARIABLE = "CDKTF_CONTEXT_JSON"
CONTEXT_KEY = "clusters"
DEFAULT_FILE = TOP / "clusters.yaml"

_STAND_INS = {"name": "cluster", "region": "us-east-1", "kubernetesVersion": "1.30"}
"""For required keys that are missing or at fault, while the rest is checked."""


def clusters_path(environ: Mapping[str, str]) -> Path:
    """The file to read: what KARPENTER_CLUSTERS names, else the CDKTF context, else our own.

    A relative path is seen from the current folder.

    Raises:
        InvalidInput: the context is not JSON, or its `clusters` is not text.
    """
    if named := environ.get(FILE_VARIABLE):
        return Path(named)
    try:
        context = json.loads(environ.get(CONTEXT_VARIABLE) or "{}")
    except ValueError as error:
        fault = Fault((), f"is not JSON: {error}", "a JSON object", "quote keys and text in it")
        raise InvalidInput([fault], CONTEXT_VARIABLE) from None
    if not isinstance(context, dict):
        fault = Fault((), "is not an object", "a JSON object", "write { } around it", context)
        raise InvalidInput([fault], CONTEXT_VARIABLE)
    named = context.get(CONTEXT_KEY)
    if named is None:
        return DEFAULT_FILE
    if not isinstance(named, str) or not named:
        fault = Fault((CONTEXT_KEY,), "is not a path", "the path of a file", "write text", named)
        raise InvalidInput([fault], CONTEXT_VARIABLE)
    return Path(named)


def load_clusters(
    path: Path, *, upgrading: bool = False, linting: bool = False
) -> list[ClusterSettings]:
    """The clusters of a file, as they are written.

    Args:
        upgrading: whether the file is read to plan an upgrade, so that one in too large a step
            is no fault of it.
        linting: whether the file is read to lint it, so that what the rules find is told by them.

    Raises:
        InvalidInput: with all faults of the file.
    """
    document = read_yaml(path)
    if document.data is None:
        fault = Fault((), "is empty", "a list of clusters", "write clusters: and list one")
        raise InvalidInput([*document.faults, fault], path)
    parsed, faults = parse(ClusterFile, document.data, by_name=False)
    found = [*document.faults, *_apart_from(document.faults, faults)]
    unsure = [*faults, *(f for f in document.faults if isinstance(f.value, Written))]
    switches = ((UPGRADING_FROM, upgrading), (LINT, linting))
    unjudged = frozenset(key for key, on in switches if on)
    neighbours = list(_neighbours(document.data, faults, unsure))
    checked = [
        *(
            fault.under(*neighbour.path)
            for neighbour in neighbours
            for fault in check_cluster(neighbour.cluster, neighbour.without | unjudged)
        ),
        *check_neighbours(neighbours),
    ]
    found += _apart_from(found, checked)
    if found or parsed is None:
        raise InvalidInput(_in_order(document, found), path)
    return parsed.clusters


def _neighbours(data: Any, parsed: Iterable[Fault], unsure: Iterable[Fault]) -> Iterable[Neighbour]:
    """Every cluster that can be checked at all.

    Args:
        parsed: faults of values that the settings do not take; they are left out.
        unsure: those, and values that may mean something else; no rule reads them.
    """
    clusters = data.get("clusters") if isinstance(data, dict) else None
    for index, given in enumerate(clusters if isinstance(clusters, list) else []):
        if not isinstance(given, dict):
            continue
        path: tuple[Step, ...] = ("clusters", index)
        pruned = copy.deepcopy(given)
        for fault in parsed:
            if fault.path[:2] == path:
                _remove(pruned, fault.path[2:])
        settings, _ = parse(ClusterSettings, {**_STAND_INS, **pruned}, by_name=False)
        if settings:
            without = {str(f.path[2]) for f in unsure if f.path[:2] == path and len(f.path) == 3}
            yield Neighbour(path, settings, frozenset(without))


def _remove(data: Any, path: tuple[Step, ...]) -> None:
    """Takes out what is at the path, or the nearest thing around it that can be taken out."""
    for step in path[:-1]:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(data, dict):
        data.pop(path[-1], None)
    elif isinstance(data, list):
        data.clear()


def _apart_from(told: Iterable[Fault], faults: Iterable[Fault]) -> list[Fault]:
    """The faults that are not at a place that one was told of already."""
    places = {fault.path for fault in told}
    return [fault for fault in faults if fault.path not in places]


def _in_order(document: Document, faults: Iterable[Fault]) -> list[Fault]:
    located = (fault if fault.line else document.locate(fault) for fault in faults)
    return sorted(located, key=lambda fault: fault.line or 0)
