"""Rules meet specs of any shape: none of them fails, and none speaks of what is not there."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.core.faults import Step
from modules.provisioners.lint.examples import completed, examples
from modules.provisioners.lint.finding import Context, Facts, Manifest
from modules.provisioners.lint.registry import found

EVERYTHING = Facts(
    cluster_name="example",
    queue=False,
    discovery_tags={"karpenter.sh/discovery": "example"},
    tagged_security_groups=2,
    kms_permissions=False,
    cni="cilium",
    prefix_delegation=False,
    production=True,
    zones=["us-west-2a"],
    device_plugins=False,
    isolated_vpc=True,
    pod_security_groups=True,
    ebs_csi=True,
)
ODD = [None, "", "x", 0, -1, 1.5, True, [], {}, [None], [[]], [{}], {"x": None}, "1"]


def places(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield from places(inner, (*path, key))


def replaced(value: Any, path: tuple[Step, ...], new: Any) -> Any:
    if not path:
        return new
    made = copy.copy(value)
    made[path[0]] = replaced(value[path[0]], path[1:], new)
    return made


SNIPPETS = [
    pytest.param(example, id=code) for code, example in examples().items() if not example.raw
]


def changed_anywhere(example: Any, values: list[Any]) -> Iterator[list[dict[str, Any]]]:
    """The objects of a bad example with another value in one place; each place once, seeded."""
    choice = random.Random(example.bad)
    objects = completed(example.bad)
    for index, whole in enumerate(objects):
        for path in places(whole):
            changed = replaced(whole, path, choice.choice(values))
            if isinstance(changed, dict):
                yield [*objects[:index], changed, *objects[index + 1 :]]


@pytest.mark.parametrize("example", SNIPPETS)
def test_whatever_stands_anywhere_no_rule_fails(example: Any) -> None:
    release = RELEASES[example.release or "1.14.2"]
    for objects in changed_anywhere(example, ODD):
        manifests = tuple(map(Manifest.of, objects))
        for finding in found(Context(release, "1.34", EVERYTHING, manifests)):
            assert finding.fault.problem
            assert finding.fault.fix


@pytest.mark.parametrize("example", SNIPPETS)
def test_whatever_only_terraform_knows_no_rule_fails(example: Any) -> None:
    """As in a stack, where the API server's verdict is given elsewhere."""
    release = RELEASES[example.release or "1.14.2"]
    for objects in changed_anywhere(example, [Expr("var.x")]):
        manifests = tuple(replace(Manifest.of(o), document=None) for o in objects)
        for finding in found(Context(release, "1.34", EVERYTHING, manifests)):
            assert finding.fault.problem


X = Expr("var.x")


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("NodePool", ("limits",)),
        ("NodePool", ("template", "spec", "requirements")),
        ("NodePool", ("template", "spec", "requirements", 0)),
        ("NodePool", ("template", "spec", "requirements", 0, "key")),
        ("NodePool", ("template", "spec", "requirements", 0, "values")),
        ("NodePool", ("template", "spec", "requirements", 0, "values", 0)),
        ("NodePool", ("template", "spec", "nodeClassRef", "name")),
        ("NodePool", ("template", "spec", "terminationGracePeriod")),
        ("NodePool", ("disruption",)),
        ("NodePool", ("disruption", "consolidateAfter")),
        ("EC2NodeClass", ("metadataOptions",)),
        ("EC2NodeClass", ("metadataOptions", "httpPutResponseHopLimit")),
        ("EC2NodeClass", ("amiSelectorTerms", 0, "alias")),
        ("EC2NodeClass", ("subnetSelectorTerms", 0, "tags", "karpenter.sh/discovery")),
        ("EC2NodeClass", ("userData",)),
    ],
)
def test_nothing_is_found_where_only_terraform_knows(kind: str, path: tuple[Step, ...]) -> None:
    objects = completed("kind: NodePool\n")
    changed = [
        replaced(o, ("spec", *path), X) if o["kind"] == kind and path != ("userData",) else o
        for o in objects
    ]
    if path == ("userData",):
        changed[1] = {**changed[1], "spec": {**changed[1]["spec"], "userData": X}}
    manifests = tuple(replace(Manifest.of(o), document=None) for o in changed)
    facts = Facts(discovery_tags={"karpenter.sh/discovery": "example"})
    context = Context(RELEASES["1.14.2"], "1.34", facts, manifests)
    assert [finding.rule.code for finding in found(context)] == []


def test_nothing_is_guessed_of_a_cluster_that_nothing_is_known_of() -> None:
    manifests = tuple(Manifest.of(o) for o in completed("kind: NodePool\n"))
    assert found(Context(RELEASES["1.14.2"], manifests=manifests)) == []
