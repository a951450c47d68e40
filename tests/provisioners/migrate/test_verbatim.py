"""What is copied to the byte, and what may not change its meaning on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from commands.migrate import main

TEMPLATE = """\
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: default}
spec:
  subnetSelector: {a: b}
  securityGroupSelector: {a: b}
"""
UNTOUCHED = {
    "empty": "",
    "only separators": "---\n# nothing\n---\n",
    "a first separator": "---\nkind: X # as it was\n",
    "separators with comments": "kind: X\n--- # one\nkind: Y\n---   \nkind: Z\n",
    "no last line end": "kind: X",
    "line ends of Windows": "kind: X # c\r\n---\r\nkind: Y\r\n",
    "a byte order mark": "\ufeffkind: X\n",
    "a directive": "%YAML 1.1\n---\nkind: X\n...\n---\nkind: Y\n",
    "a separator in a block": "kind: X\na: |\n  x\n  ---\n  y\n",
    "a lone equals sign": "kind: X\na: =\n",
    "no date": "kind: X\na: 2024-13-45\n",
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
def test_a_file_without_old_objects_is_copied_to_the_byte(text: str, tmp_path: Path) -> None:
    (file := tmp_path / "a.yaml").write_bytes(text.encode())
    assert main([str(file), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out/a.yaml").read_bytes() == text.encode()


def test_documents_beside_old_ones_are_copied_to_the_byte(tmp_path: Path) -> None:
    before, after = "--- # one\nkind: X # c\n\n", "--- # two\nkind: Y   # d"
    (file := tmp_path / "a.yaml").write_text(f"{before}---\n# Why it is there.\n{TEMPLATE}{after}")
    assert main([str(file), "--node-role", "nodes", "--out", str(tmp_path / "out")]) == 0
    made = (tmp_path / "out/a.yaml").read_text()
    assert made.startswith(f"{before}---\n# Why it is there.\napiVersion: karpenter.k8s.aws/v1\n")
    assert made.endswith(f"\n{after}")


def test_files_on_stdout_are_documents_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("a", "kind: X"), ("b", "---\nkind: Y\n"), ("c", "kind: Z\n")):
        (tmp_path / name).write_text(text)
    assert main([str(tmp_path / name) for name in "abc"]) == 0
    assert capsys.readouterr().out == "kind: X\n---\nkind: Y\n---\nkind: Z\n"


@pytest.mark.parametrize("value", ["1e3", "+1e5", "0o17", "08", "y", "N", "12e4", ".5"])
def test_text_that_others_read_as_a_number_or_switch_is_quoted(
    value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "a.yaml").write_text(f'{TEMPLATE}  tags: {{x: "{value}"}}\n')
    assert main([str(file), "--node-role", "nodes"]) == 0
    assert f"    x: '{value}'\n" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["0.37", "1.14"])
def test_a_hop_limit_of_nothing_is_the_old_default(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{TEMPLATE}  metadataOptions: {{httpPutResponseHopLimit: null}}\n"
    (file := tmp_path / "a.yaml").write_text(text)
    assert main([str(file), "--node-role", "nodes", "--to", target]) == 0
    (made,) = yaml.safe_load_all(capsys.readouterr().out)
    assert made["spec"]["metadataOptions"] == {"httpPutResponseHopLimit": 2}


def test_a_copy_of_a_class_takes_no_name_that_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pools = [
        {
            "apiVersion": "karpenter.sh/v1beta1",
            "kind": "NodePool",
            "metadata": {"name": name},
            "spec": {
                "template": {
                    "spec": {"requirements": [], "nodeClassRef": {"name": "k"}, "kubelet": kubelet}
                }
            },
        }
        for name, kubelet in (("p", {"maxPods": 3}), ("q", {"maxPods": 4}))
    ]
    classes = [
        {
            "apiVersion": "karpenter.k8s.aws/v1beta1",
            "kind": "EC2NodeClass",
            "metadata": {"name": name},
            "spec": {
                "amiFamily": "AL2",
                "role": "nodes",
                "subnetSelectorTerms": [{"id": "subnet-1"}],
                "securityGroupSelectorTerms": [{"id": "sg-1"}],
            },
        }
        for name in ("k", "k-2")
    ]
    (file := tmp_path / "a.yaml").write_text(yaml.safe_dump_all([*pools, *classes]))
    assert main([str(file)]) == 0
    made = list(yaml.safe_load_all(capsys.readouterr().out))
    kubelets = {
        m["metadata"]["name"]: m["spec"].get("kubelet") for m in made if m["kind"] == "EC2NodeClass"
    }
    assert kubelets == {"k": {"maxPods": 3}, "k-2": None, "k-3": {"maxPods": 4}}
    named = [
        m["spec"]["template"]["spec"]["nodeClassRef"]["name"]
        for m in made
        if m["kind"] == "NodePool"
    ]
    assert named == ["k", "k-3"]
