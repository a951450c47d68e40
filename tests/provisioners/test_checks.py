"""Checks of pools and classes: one table, judged by Python and by Terraform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES
from modules.core.expressions import Expr
from modules.core.faults import Fault, dotted
from modules.core.inputs import Validation, parse
from modules.provisioners.checks import check
from modules.provisioners.object_validations import validations
from modules.provisioners.settings import ProvisionerOptions
from tests.evaluation import evaluate
from tests.provisioners.facts import CLASS, OBJECTS, POOL, RELEASE, settings
from tests.provisioners.facts import pools as made_pools

CASES: dict[str, dict[str, Any]] = {
    case.pop("case"): case
    for case in yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text())
}
BASELINE = {"node_classes": {"default": CLASS}, "node_pools": {"default": POOL}}


NO_MAPS = {"node_classes": ["default"], "node_pools": "default"}
NO_MAP = ": is not a mapping. Allowed: a mapping of keys to values. Fix: write key: value lines."
VARIABLES = {"nodeClasses": "node_classes", "nodePools": "node_pools"}


def given(case: dict[str, Any]) -> dict[str, Any]:
    return {name: case.get(name, value) for name, value in BASELINE.items()}


@pytest.mark.parametrize("name", CASES)
def test_python_finds_the_faults_and_no_others(name: str) -> None:
    faults = check(settings(**given(CASES[name])), RELEASE)
    found = {dotted(fault.path): fault.problem for fault in faults}
    expected = CASES[name]["faults"]
    assert found.keys() == expected.keys()
    assert len(faults) == len(expected)
    assert all(expected[path] in problem for path, problem in found.items())


@pytest.mark.parametrize("version", {r.line: r.version for r in RELEASES.values()}.values())
def test_the_newest_release_of_every_line_takes_the_completed_baseline(version: str) -> None:
    release = RELEASES[version]
    for ip_family in ("ipv4", "ipv6"):
        given = settings(ip_family=ip_family, tags={"team": "a"}, **OBJECTS[release.api])
        assert check(given, release) == []


def test_the_options_alone_are_judged_alike() -> None:
    for name, case in CASES.items():
        options = ProvisionerOptions(**given(case))
        assert check(options, RELEASE) == check(settings(**given(case)), RELEASE), name


def test_the_clusters_tags_are_judged_where_they_end_up() -> None:
    faults = check(settings(tags={"karpenter.sh/nodepool": "mine"}), RELEASE)
    assert [dotted(fault.path)[:24] for fault in faults] == ["nodeClasses.default.tags"]


@pytest.mark.parametrize("field", ["node_classes", "node_pools"])
def test_expressions_are_left_to_terraform(field: str) -> None:
    wrong = {"node_classes": {"Wrong": 1}, "node_pools": {"Wrong": 1}}
    assert check(settings(**wrong), RELEASE)
    everything = {name: Expr(f"var.{name}") for name in wrong}
    assert check(settings(**everything), RELEASE) == []
    assert all(
        fault.path[0] != {"node_classes": "nodeClasses", "node_pools": "nodePools"}[field]
        for fault in check(settings(**{**wrong, field: everything[field]}), RELEASE)
    )


def test_an_object_that_is_an_expression_is_left_to_terraform() -> None:
    assert check(settings(node_classes={"default": Expr("local.default")}), RELEASE) == []


def told_by(block: Validation, fault: Fault) -> bool:
    """Whether the block's message is the fault's, but for the object's own name and guesses."""
    problem = fault.problem.partition("; the nearest")[0]
    words = f": {problem}. Allowed: {fault.allowed}. Fix: {fault.fix}."
    place = fault.path[2:] and f"{fault.path[-1]}: "
    return block.error_message.endswith(words) and (not place or place in block.error_message)


def test_terraform_finds_the_same_faults_in_the_same_words(tmp_path: Path) -> None:
    blocks = [
        (variable, block) for variable, found in validations(RELEASE).items() for block in found
    ]
    conditions = ", ".join(block.condition.replace("var.", "case.") for _, block in blocks)
    # One run for all cases; a block is known by its place in the list.
    broken = f"[for place, met in [{conditions}] : place if !met]"
    cases = {name: given(case) for name, case in CASES.items()}
    answer = evaluate(
        tmp_path,
        {"broken": f"${{{{ for id, case in var.cases : id => {broken} }}}}"},
        variables={"cases": {**cases, "no maps": NO_MAPS}},
    )
    found = {name: set(places) for name, places in answer["broken"].items()}
    # The settings model refuses what is no map before any check.
    no_map = {n for n, (_, block) in enumerate(blocks) if block.error_message.endswith(NO_MAP)}
    expected = {"no maps": no_map} | {
        name: {
            place
            for fault in check(settings(**facts), RELEASE)
            for place, (variable, block) in enumerate(blocks)
            if VARIABLES[fault.path[0]] == variable and told_by(block, fault)
        }
        for name, facts in cases.items()
    }
    assert found == expected
    assert set.union(*found.values()) == set(range(len(blocks))), "each block refuses some case"


def test_what_is_no_map_is_told_as_python_tells_it() -> None:
    _, faults = parse(ProvisionerOptions, NO_MAPS)
    for fault in faults:
        told = f": {fault.problem}. Allowed: {fault.allowed}. Fix: {fault.fix}."
        [variable] = fault.path
        blocks = validations(RELEASE)[str(variable)]
        assert f"{variable}{told}" in [block.error_message for block in blocks]


def test_a_message_of_terraform_names_the_objects(tmp_path: Path) -> None:
    def judge(**changes: Any) -> None:
        variables = {**BASELINE, **changes}
        evaluate(tmp_path, {}, variables=variables, validations=validations(RELEASE))

    def told(**changes: Any) -> str:
        with pytest.raises(ValueError, match="Invalid value for variable") as refusal:
            judge(**changes)
        return str(refusal.value)

    judge()
    wrong = told(node_classes={"default": CLASS, "Default": CLASS, "text": "hello"})
    assert "Default: is no name for such an object. Allowed: a Kubernetes object name" in wrong
    assert "text: is not a mapping. Allowed: Karpenter's own spec" in wrong
    wrong = told(
        node_classes={"one": CLASS, "two": CLASS},
        node_pools={
            "a": {"kind": "Pool", "spec": POOL},
            "b": {"kind": "Pool", "metadata": {"name": "x"}, "spec": POOL},
        },
    )
    assert "a, b: kind: is not the kind of these objects. Allowed: NodePool." in wrong
    assert "b: metadata.name: is not the name that it stands under." in wrong
    assert "a, b: template.spec.nodeClassRef.name: names no node class that is given" in wrong


@pytest.mark.parametrize("template", [Expr("local.t"), {"spec": Expr("local.s")}])
def test_a_template_that_is_an_expression_is_kept(template: Any) -> None:
    pools = {"default": {"template": template}}
    assert check(settings(node_pools=pools), RELEASE) == []
    assert made_pools(node_pools=pools)["default"]["spec"]["template"] == template
