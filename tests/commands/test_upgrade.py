"""The command that tells the way to a newer Karpenter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands.upgrade import main
from stacks.clusters import FILE_VARIABLE

CLUSTERS = """\
clusters:
  - name: old
    region: us-west-2
    kubernetesVersion: "1.26"
    karpenterVersion: "0.31"
    nodeClasses:
      default: {amiFamily: Bottlerocket}
    nodePools:
      default:
        requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
        limits: {resources: {cpu: "10"}}
  - name: avoided
    region: us-west-2
    kubernetesVersion: "1.30"
    karpenterVersion: 1.8.4
  - name: declared
    region: us-west-2
    kubernetesVersion: "1.30"
    karpenterVersion: 1.4.4
    upgradingFrom: 1.0.14
  - name: misdeclared
    region: us-west-2
    kubernetesVersion: "1.30"
    karpenterVersion: 1.4.4
    upgradingFrom: latest
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (file := tmp_path / "clusters.yaml").write_text(CLUSTERS)
    return {FILE_VARIABLE: str(file)}


def test_the_way_is_told_with_what_changes_at_each_stop(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["old", "--to", "1.14", "--format", "json"], environ) == 0
    stops = json.loads(capsys.readouterr().out)["stops"]
    assert [(s["from"], s["to"], s["required"]) for s in stops] == [
        ("0.31.5", "0.32.10", True),
        ("0.32.10", "0.37.8", True),
        ("0.37.8", "1.0.14", True),
        ("1.0.14", "1.14.2", True),
    ]
    changes = [{(c["area"], c["text"]) for c in stop["changes"]} for stop in stops]
    assert ("charts", "controller: chart v0.31.5 becomes v0.32.10") in changes[0]
    assert (
        "policy",
        "+ AllowScopedInstanceProfileActions: iam:AddRoleToInstanceProfile, "
        "iam:RemoveRoleFromInstanceProfile, iam:DeleteInstanceProfile",
    ) in changes[0]
    assert ("values", "- settings.aws.clusterName") in changes[0]
    assert ("values", '+ settings.clusterName: "old"') in changes[0]
    assert (
        "manifests",
        "default: Provisioner (karpenter.sh/v1alpha5) becomes NodePool (karpenter.sh/v1beta1); "
        "`pipenv run migrate` writes it",
    ) in changes[0]
    assert not any(area == "manifests" for area, _ in changes[1])
    assert any(area == "manifests" for area, _ in changes[2])
    assert (
        "policy",
        "+ AllowUnscopedInstanceProfileListAction: iam:ListInstanceProfiles",
    ) in changes[3]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_people_can_read_it_too(
    form: str, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["old", "--to", "1.14", "--format", form], environ) == 0
    out = capsys.readouterr().out
    assert "old: Karpenter 0.31.5 to 1.14.2 in 4 steps" in out
    assert "Only v1 may be stored" in out


def test_a_release_to_avoid_can_be_left(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["avoided"], environ) == 0
    assert "avoided: Karpenter 1.8.4 to 1.14.2" in capsys.readouterr().out


def test_a_declared_upgrade_goes_to_the_release_of_the_cluster(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["declared"], environ) == 0
    assert "declared: Karpenter 1.0.14 to 1.4.4 in 1 step" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["olt"], "did you mean old?"),
        (["old", "--to", "0.30"], "is not newer than 0.31.5, which runs now"),
        (["old", "--to", "1.99.0"], "is not a Karpenter release known here"),
        (["old", "--to", ""], "--to: is not a Karpenter release known here"),
        (["misdeclared"], "upgradingFrom: is not a Karpenter release known here"),
    ],
)
def test_what_cannot_be_is_told(
    arguments: list[str],
    told: str,
    environ: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(arguments, environ) == 1
    out, err = capsys.readouterr()
    assert told in err
    assert out == ""


@pytest.mark.parametrize("command", ["upgrade", "migrate"])
def test_the_command_starts_without_cdktf(command: str) -> None:
    code = (
        f"import sys; import commands.{command}; "
        "print([m for m in sys.modules if m.startswith(('cdktf', 'jsii'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
