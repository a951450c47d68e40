"""Old objects that cannot be what their user means: told with file and field, never lost."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from commands.migrate import main

PROVISIONER: dict[str, object] = {"providerRef": {"name": "default"}}
TEMPLATE: dict[str, object] = {"subnetSelector": {"a": "b"}, "securityGroupSelector": {"a": "b"}}
POOL: dict[str, object] = {
    "template": {"spec": {"requirements": [], "nodeClassRef": {"name": "default"}}}
}
CLASS: dict[str, object] = {
    "amiFamily": "AL2",
    "role": "nodes",
    "subnetSelectorTerms": [{"id": "subnet-1"}],
    "securityGroupSelectorTerms": [{"id": "sg-1"}],
}
KINDS: dict[str, tuple[str, dict[str, object]]] = {
    "Provisioner": ("karpenter.sh/v1alpha5", PROVISIONER),
    "AWSNodeTemplate": ("karpenter.k8s.aws/v1alpha1", TEMPLATE),
    "NodePool": ("karpenter.sh/v1beta1", POOL),
    "EC2NodeClass": ("karpenter.k8s.aws/v1beta1", CLASS),
}


def document(kind: str, **changed: object) -> dict[str, object]:
    api_version, spec = KINDS[kind]
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "default"},
        "spec": {**spec, **changed},
    }


def written(path: Path, *documents: object) -> str:
    path.write_text(yaml.safe_dump_all(documents))
    return str(path)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("target", ["0.37", "1.14"])
def test_the_baseline_is_converted(kind: str, target: str, tmp_path: Path) -> None:
    file = written(tmp_path / "a.yaml", document(kind))
    assert main([file, "--to", target, "--node-role", "nodes"]) == 0


FAULTS = [
    ("Provisioner", {"bogus": 1}, "spec.bogus"),
    ("Provisioner", {"limits": {"cpu": "1"}}, "spec.limits.cpu"),
    ("Provisioner", {"limits": 4}, "spec.limits"),
    ("Provisioner", {"requirements": "oops"}, "spec.requirements"),
    ("Provisioner", {"requirements": ["x"]}, "spec.requirements[0]"),
    ("Provisioner", {"kubeletConfiguration": 3}, "spec.kubeletConfiguration"),
    ("Provisioner", {"consolidation": True}, "spec.consolidation"),
    (
        "Provisioner",
        {"consolidation": {"enabled": True}, "ttlSecondsAfterEmpty": 3},
        "spec.ttlSecondsAfterEmpty",
    ),
    ("Provisioner", {"ttlSecondsUntilExpired": "soon"}, "spec.ttlSecondsUntilExpired"),
    ("Provisioner", {"providerRef": "x"}, "spec.providerRef"),
    ("Provisioner", {"provider": "x", "providerRef": None}, "spec.provider"),
    ("Provisioner", {"provider": {"bogus": 1}, "providerRef": None}, "spec.provider.bogus"),
    ("Provisioner", {"provider": TEMPLATE}, "spec.provider"),
    ("AWSNodeTemplate", {"bogus": 1}, "spec.bogus"),
    ("AWSNodeTemplate", {"subnetSelector": "x"}, "spec.subnetSelector"),
    ("AWSNodeTemplate", {"subnetSelector": {"a": 1}}, "spec.subnetSelector.a"),
    ("AWSNodeTemplate", {"amiFamily": ["x"]}, "spec.amiFamily"),
    ("AWSNodeTemplate", {"amiSelector": "x"}, "spec.amiSelector"),
    ("AWSNodeTemplate", {"metadataOptions": [1]}, "spec.metadataOptions"),
    ("NodePool", {"template": 3}, "spec.template"),
    ("NodePool", {"disruption": 3}, "spec.disruption"),
    ("EC2NodeClass", {"amiFamily": ["x"]}, "spec.amiFamily"),
    ("EC2NodeClass", {"metadataOptions": 1}, "spec.metadataOptions"),
]


@pytest.mark.parametrize(("kind", "changed", "place"), FAULTS)
def test_a_field_that_would_crash_or_be_lost_is_told_with_its_file(
    kind: str,
    changed: dict[str, object],
    place: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = written(tmp_path / "a.yaml", document(kind, **changed))
    assert main([file, "--node-role", "nodes"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f'["{file}"]["{kind} default"].{place}:' in err


@pytest.mark.parametrize(("field", "value"), [("annotations", "x"), ("labels", ["x"])])
def test_metadata_of_the_wrong_type_is_told(
    field: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = document("Provisioner") | {"metadata": {"name": "default", field: value}}
    assert main([written(tmp_path / "a.yaml", given)]) == 1
    assert f"metadata.{field}: is not a mapping" in capsys.readouterr().err


def test_faults_of_several_files_name_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = written(tmp_path / "a.yaml", document("Provisioner", bogus=1))
    second = written(tmp_path / "b.yaml", document("AWSNodeTemplate", amiFamily="Custom"))
    third = written(tmp_path / "c.yaml", document("AWSNodeTemplate", tags=3))
    for file in (second, third):
        assert main([first, file, "--node-role", "nodes"]) == 1
        assert f'["{first}"]' in (told := capsys.readouterr().err)
        assert (f'["{file}"]' in told) is (file == third)
    assert main([second, "--node-role", "nodes"]) == 1
    assert f'["{second}"]["EC2NodeClass default"]' in capsys.readouterr().err


def test_endless_nesting_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "deep.yaml").write_text("[" * 3000)
    assert main([str(file)]) == 1
    assert "is nested too deeply" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be_is_a_fault(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    file = written(tmp_path / "a.yaml", document("AWSNodeTemplate"))
    assert main([file, "--node-role", "nodes", "--out", str(tmp_path / place)]) == 1
    assert "--out: cannot be written" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


def test_nothing_is_written_where_one_of_the_targets_is_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        written(tmp_path / "a.yaml", document("AWSNodeTemplate")),
        written(tmp_path / "b.yaml", document("Provisioner")),
    ]
    (tmp_path / "out/b.yaml").mkdir(parents=True)
    arguments = [*files, "--node-role", "nodes", "--out", str(tmp_path / "out"), "--overwrite"]
    assert main(arguments) == 1
    assert "--out: cannot be written: Is a directory" in capsys.readouterr().err
    assert [found.name for found in (tmp_path / "out").iterdir()] == ["b.yaml"]


def test_a_link_to_nowhere_is_not_written_through(tmp_path: Path) -> None:
    file = written(tmp_path / "a.yaml", document("AWSNodeTemplate"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.yaml").symlink_to(tmp_path / "elsewhere")
    arguments = [file, "--node-role", "nodes", "--out", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert main([*arguments, "--overwrite"]) == 0
    assert not (tmp_path / "elsewhere").exists()
