"""Field by field: what becomes of an old object, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES, find
from modules.core.faults import dotted
from modules.provisioners.api.judge import judge
from modules.provisioners.migrate.convert import convert
from modules.provisioners.migrate.made import Made, Result
from tests.provisioners.crd import crd_spec, refusals
from tests.stacks.subset import differences

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text())

OBJECTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "v1alpha5": (
        {
            "apiVersion": "karpenter.sh/v1alpha5",
            "kind": "Provisioner",
            "metadata": {"name": "pool"},
            "spec": {"providerRef": {"name": "default"}},
        },
        {
            "apiVersion": "karpenter.k8s.aws/v1alpha1",
            "kind": "AWSNodeTemplate",
            "metadata": {"name": "default"},
            "spec": {
                "subnetSelector": {"karpenter.sh/discovery": "demo"},
                "securityGroupSelector": {"karpenter.sh/discovery": "demo"},
            },
        },
    ),
    "v1beta1": (
        {
            "apiVersion": "karpenter.sh/v1beta1",
            "kind": "NodePool",
            "metadata": {"name": "pool"},
            "spec": {},
        },
        {
            "apiVersion": "karpenter.k8s.aws/v1beta1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "default"},
            "spec": {
                "amiFamily": "AL2",
                "role": "nodes",
                "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
                "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
            },
        },
    ),
}
"""The baseline: one pool and its class."""


def converted(case: dict[str, Any]) -> Result:
    pool, node_class = OBJECTS[case.get("api", "v1alpha5")]
    spec = case.get("pool", {"template": {"spec": {"requirements": []}}} if "api" in case else {})
    spec = {**pool["spec"], **spec}
    if case.get("alone"):
        spec.pop("providerRef", None)
    if "api" in case:
        node = {"nodeClassRef": {"name": "default"}, **spec["template"]["spec"]}
        spec = {**spec, "template": {**spec["template"], "spec": node}}
    given = [{**pool, "spec": spec}]
    if not case.get("alone"):
        given.append({**node_class, "spec": {**node_class["spec"], **case.get("class", {})}})
    release = find(case.get("to", "1.14.2"))
    assert not hasattr(release, "problem")
    return convert(given, release, case.get("role", "nodes"))


def of_kind(result: Result, kind: str) -> Made:
    (made,) = (made for made in result.objects if made.manifest["kind"] == kind)
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_field_is_converted_as_the_guide_says(case: dict[str, Any]) -> None:
    result = converted(case)
    found = {f"{fault.path[0]}.{dotted(fault.path[1:])}": fault.fix for fault in result.faults}
    found = {path.replace(".[", "["): fix for path, fix in found.items()}
    expected = case.get("faults", {})
    assert found.keys() == expected.keys(), found
    assert all(expected[path] in fix for path, fix in found.items())
    if expected:
        return
    pool, node_class = of_kind(result, "NodePool"), of_kind(result, "EC2NodeClass")
    assert list(differences(case.get("made", {}), pool.manifest["spec"])) == []
    assert list(differences(case.get("class_made", {}), node_class.manifest["spec"])) == []
    about = pool if "made" in case else node_class
    told = {".".join(map(str, note.path)): note.lossy for note in about.notes}
    assert set(case.get("told", ())) <= set(told)
    assert {path for path, lossy in told.items() if lossy} == set(case.get("lost", ()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_the_crds_of_the_release_take_the_result(case: dict[str, Any], reference_dir: Path) -> None:
    release = RELEASES[case.get("to", "1.14.2")]
    for made in converted(case).objects if "faults" not in case else ():
        kind, version = made.manifest["kind"], made.manifest["apiVersion"].partition("/")[2]
        schema = crd_spec(reference_dir, release.crd_line, kind, version)
        assert refusals(schema, made.manifest["spec"]) == []
        assert judge(made.manifest, release) == []
