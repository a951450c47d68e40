"""Options that do not agree are faults, in both products and in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic.alias_generators import to_snake

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.core.expressions import Expr
from modules.core.faults import InvalidInput, dotted
from modules.core.inputs import parse
from modules.iam import policy
from modules.iam.checks import check, checked
from modules.iam.settings import IamOptions, IamSettings
from modules.iam.validations import validations
from tests.evaluation import evaluate
from tests.iam.baseline import ISSUER, POLICY_ARN, settings

CASES = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text(encoding="utf-8"))
BASELINE = {"clusterName": "blueprint", "oidcIssuer": ISSUER}


def chosen(case: dict[str, Any]) -> IamSettings:
    version = case.get("version", DEFAULT_VERSION)
    data = {**BASELINE, "karpenterVersion": version, **case["options"]}
    found, faults = parse(IamSettings, data)
    assert faults == []
    assert found is not None
    return found


def statement(**changes: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*", **changes}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_python_finds_exactly_these_faults(case: dict[str, Any]) -> None:
    found = chosen(case)
    faults = {dotted(f.path): f.fix for f in check(found, RELEASES[found.karpenter_version])}
    expected = case.get("faults", {})
    assert list(faults) == list(expected)
    for path, fix in expected.items():
        assert fix in faults[path]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_terraform_finds_the_same_ones(case: dict[str, Any], tmp_path: Path) -> None:
    found = chosen(case)
    release = RELEASES[found.karpenter_version]
    blocks = validations(release)
    variables = found.model_dump(by_alias=False)
    if not case.get("faults"):
        evaluate(tmp_path, {}, variables=variables, validations=blocks)
        return
    with pytest.raises(ValueError, match="Invalid value for variable") as refusal:
        evaluate(tmp_path, {}, variables=variables, validations=blocks)
    told = str(refusal.value)
    assert told.count("Invalid value for variable") == 1
    for fault in check(found, release):
        if not fault.path[1:]:
            field = to_snake(str(fault.path[0]))
            words = f"{fault.problem}. Allowed: {fault.allowed}. Fix: {fault.fix}."
            assert f" {field}: {words}" in told


def sized(length: int) -> list[dict[str, Any]]:
    """Statements whose policy is exactly so long."""
    found = [statement(Action="x")]
    spare = length - policy.size(policy.additional(found).document)
    return [statement(Action="x" * (spare + 1))]


@pytest.mark.parametrize(("length", "fits"), [(6143, True), (6144, True), (6145, False)])
def test_a_policy_of_statements_has_iam_s_limit(length: int, fits: bool, tmp_path: Path) -> None:
    found = settings(controller_policy_statements=sized(length))
    faults = check(found, RELEASES[DEFAULT_VERSION])
    assert [f.problem for f in faults] == ([] if fits else ["makes a policy longer than IAM takes"])
    [*_, size] = validations(RELEASES[DEFAULT_VERSION])["controller_policy_statements"]
    answer = evaluate(
        tmp_path,
        {"fits": f"${{{size.condition}}}"},
        variables={"controller_policy_statements": found.controller_policy_statements},
    )
    assert answer == {"fits": fits}


@pytest.mark.parametrize(
    "changes",
    [
        {"create_node_role": Expr("var.create"), "node_role_arn": None},
        {"create_node_role": False, "node_role_arn": Expr("var.arn")},
        {"create_oidc_provider": True, "oidc_issuer": Expr("var.issuer")},
        {"controller_role_policy_arns": Expr("var.arns")},
        {"controller_policy_statements": [statement(Resource=Expr("var.key"))]},
        {"controller_policy_statements": Expr("var.statements")},
    ],
    ids=lambda changes: ", ".join(changes),
)
def test_what_only_terraform_knows_is_left_to_it(changes: dict[str, Any]) -> None:
    assert check(settings(**changes), RELEASES[DEFAULT_VERSION]) == []


def test_options_alone_are_judged_as_with_interruption_handling() -> None:
    arns = {str(n): POLICY_ARN for n in range(5)}
    faults = check(IamOptions(controller_role_policy_arns=arns), RELEASES[DEFAULT_VERSION])
    assert [f.path for f in faults] == [("controllerRolePolicyArns",)]


def test_all_faults_are_told_at_once() -> None:
    wrong = settings(
        create_node_role=False, node_role_name="x", controller_policy_statements=[statement(Sid=1)]
    )
    with pytest.raises(InvalidInput) as told:
        checked(wrong)
    assert [dotted(f.path) for f in told.value.faults] == [
        "nodeRoleArn",
        "nodeRoleName",
        "controllerPolicyStatements[0].Sid",
    ]


def test_an_unknown_release_is_a_fault() -> None:
    with pytest.raises(InvalidInput, match=r"karpenterVersion: .*\n.*1\.14\.9"):
        checked(settings(karpenter_version="1.14.9"))
