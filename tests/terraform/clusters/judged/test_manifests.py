"""What Helm made of the local chart in an apply, before the CRDs of every Karpenter line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.core.names import CLASSES_RELEASE, NODE_CLASS, NODE_POOL, POOLS_RELEASE
from stacks.settings import ClusterSettings
from tests.provisioners.crd import crd_spec, refusals
from tests.terraform.clusters.cases import EXAMPLES, named
from tests.terraform.clusters.judged.applied import FIRST_EXAMPLE, at_release
from tests.terraform.clusters.judged.conftest import GetApplied
from tests.terraform.clusters.judged.releases import every_line

KINDS = {CLASSES_RELEASE: NODE_CLASS, POOLS_RELEASE: NODE_POOL}


def served(reference: Path, line: str) -> set[tuple[str, str]]:
    """The API versions and kinds that the CRDs of a line serve."""
    crds = json.loads((reference / f"karpenter/crds-by-line/{line}.json").read_text())["crds"]
    return {
        (f"{crd['spec']['group']}/{version['name']}", crd["spec"]["names"]["kind"])
        for crd in crds
        for version in crd["spec"]["versions"]
        if version["served"]
    }


@every_line
@pytest.mark.parametrize("example", named(EXAMPLES), scope="session")
def test_the_api_server_takes_every_object(
    version: str, example: ClusterSettings, applied: GetApplied, reference_dir: Path
) -> None:
    line = RELEASES[version].crd_line
    objects = applied(at_release(example, version)).objects
    for release, kind in KINDS.items():
        wanted = example.node_classes if kind == NODE_CLASS else example.node_pools
        assert [made["metadata"]["name"] for made in objects[release]] == sorted(wanted)
        for made in objects[release]:
            assert made["kind"] == kind
            assert (made["apiVersion"], kind) in served(reference_dir, line)
            assert refusals(crd_spec(reference_dir, line, kind), made["spec"]) == []


@pytest.mark.parametrize(
    ("release", "changes", "message"),
    [
        (POOLS_RELEASE, {"weight": 101}, "101 is greater than the maximum of 100"),
        (POOLS_RELEASE, {"wieght": 1}, "unknown field wieght"),
        (CLASSES_RELEASE, {"role": None}, "must specify exactly one of"),
        (CLASSES_RELEASE, {"tags": {"kubernetes.io/cluster/x": "owned"}}, "restricted"),
    ],
)
def test_it_would_refuse_an_object_at_fault(
    release: str, changes: dict[str, Any], message: str, applied: GetApplied, reference_dir: Path
) -> None:
    [made] = applied(at_release(FIRST_EXAMPLE, DEFAULT_VERSION)).objects[release]
    schema = crd_spec(reference_dir, RELEASES[DEFAULT_VERSION].crd_line, KINDS[release])
    assert refusals(schema, made["spec"]) == []
    assert message in " ".join(refusals(schema, {**made["spec"], **changes}))
