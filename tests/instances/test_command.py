"""`instances`: what pools of files can launch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands.instances import main
from modules.provisioners.instances import data

ROOT = Path(__file__).parents[2]
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: gpu }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
        - { key: karpenter.k8s.aws/instance-family, operator: In, values: [g4dn] }
        - { key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["9"] }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pool.yaml"
    path.write_text(POOL, encoding="utf-8")
    return path


def replaced(file: Path, old: str, new: str) -> str:
    text = POOL.replace(old, new)
    assert text != POOL
    file.write_text(text, encoding="utf-8")
    return str(file)


def as_json(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    main([*argv, "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["pools"][0]
    return found


def test_types_are_told_in_a_table_smallest_first(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{file}: NodePool gpu"
    assert lines[1] == f"2 of {len(data.types())} types can be launched"
    assert lines[4].strip() == "karpenter.k8s.aws/instance-cpu Lt 9: removes 5, leaves 2"
    assert [line.split() for line in lines[6:9]] == [
        ["type", "vCPU", "memory", "arch", "GPU", "pods"],
        ["g4dn.xlarge", "4", "16", "GiB", "amd64", "1", "t4", "29"],
        ["g4dn.2xlarge", "8", "32", "GiB", "amd64", "1", "t4", "29"],
    ]
    assert lines[-1] == f"Known are the types of {data.source()}."


def test_each_requirement_tells_what_it_removes(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, str(file))
    removed = [step["removed"] for step in found["requirements"]]
    assert found["known"] - sum(removed) == len(found["types"]) == 2
    assert removed[-1] == 5


def test_why_none_is_left_names_the_requirements_that_collide(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([replaced(file, "[amd64]", "[arm64]")]) == 1
    told = capsys.readouterr().out
    assert "0 of" in told
    assert "None is left, since no type meets all of:" in told
    at = "spec.template.spec.requirements"
    assert f"  kubernetes.io/arch In arm64  ({at}[0])" in told
    assert f"  karpenter.k8s.aws/instance-family In g4dn  ({at}[1])" in told
    assert f"({at}[2])" not in told


def test_a_region_leaves_its_own_types_with_their_zones(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, str(file), "--region", "us-west-2")
    assert found["known"] < len(data.types())
    assert all(set(t["zoneIds"]) <= set(data.zones("us-west-2")) for t in found["types"])
    assert all(t["zoneIds"] for t in found["types"])


def test_a_zone_id_of_the_pool_leaves_that_zone(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zone = "- { key: topology.k8s.aws/zone-id, operator: In, values: [usw2-az1] }"
    last = 'values: ["9"] }\n'
    found = as_json(
        capsys, replaced(file, last, f"{last}        {zone}\n"), "--region", "us-west-2"
    )
    assert [t["zoneIds"] for t in found["types"]] == [["usw2-az1"]] * 2


def test_a_cluster_says_its_region(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, str(ROOT / "clusters.yaml"))
    assert found["region"] == "us-west-2"
    assert found["types"][0]["zoneIds"]


def test_a_provisioner_has_the_defaults_of_its_webhook(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        "apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\n"
        "metadata: { name: old }\nspec: { providerRef: { name: default } }\n",
        encoding="utf-8",
    )
    found = as_json(capsys, str(file))
    assert {t["arch"] for t in found["types"]} == {"amd64"}
    assert {t["type"][0] for t in found["types"]} == {"c", "m", "r"}


def test_budgets_show_their_week(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(file), "--budgets"])
    assert "gpu: hours 0–11 and 12–23 UTC" in capsys.readouterr().out
    main([str(file)])
    assert "UTC" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--pool", "cpu"], ["--pool", "cpu", "gpu"]),
        (["--region", "us-west-9"], ["--region", "us-west-9", "us-west-2"]),
        (["--karpenter-version", "0.13"], ["--karpenter-version", "0.13"]),
    ],
)
def test_bad_options_are_told(
    file: Path, argv: list[str], told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file), *argv]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert all(word in output.err for word in told)


@pytest.mark.parametrize("text", ["a: [", "", "apiVersion: v1\nkind: ConfigMap\n"])
def test_files_without_a_pool_are_told(
    file: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(text, encoding="utf-8")
    assert main([str(file)]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err


def test_a_missing_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.yaml")]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_it_starts_without_cdktf(file: Path) -> None:
    code = (
        "import sys; from commands.instances import main; main(sys.argv[1:]);"
        "sys.exit('cdktf' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(file)], cwd=ROOT, check=False)
    assert ran.returncode == 0
