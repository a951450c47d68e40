"""Files: what is converted, what is copied, and what is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from commands.migrate import main

OLD = """\
# The head of the file.
apiVersion: v1
kind: Namespace
metadata: {name: x} # as it was
---
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: default
  uid: 0b1
spec:
  requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}]
  ttlSecondsAfterEmpty: 30
  kubeletConfiguration: {maxPods: 20, containerRuntime: containerd}
  providerRef: {name: default}
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: default}
spec:
  subnetSelector: {karpenter.sh/discovery: demo}
  securityGroupSelector: {karpenter.sh/discovery: demo}
  userData: |
    #!/bin/bash
    echo hi
"""
NEW = """\
# The head of the file.
apiVersion: v1
kind: Namespace
metadata: {name: x} # as it was
---
apiVersion: karpenter.sh/v1
kind: NodePool
# metadata.uid is left out: the API server writes it
metadata:
  name: default
spec:
  template:
    # lost: containerRuntime is gone: containerd is the only one
    spec:
      requirements:
        - key: node.kubernetes.io/instance-type
          operator: In
          values:
            - m5.large
        # the old webhook added this; without it, other nodes would be launched
        - key: kubernetes.io/os
          operator: In
          values:
            - linux
        # the old webhook added this; without it, other nodes would be launched
        - key: kubernetes.io/arch
          operator: In
          values:
            - amd64
        # the old webhook added this; without it, other nodes would be launched
        - key: karpenter.sh/capacity-type
          operator: In
          values:
            - on-demand
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: default
      # without ttlSecondsUntilExpired, nodes never expired; the new default is 720h
      expireAfter: Never
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 30s
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  # AL2 was the default
  amiFamily: AL2
  # the controller's own instance profile stood for it
  role: nodes
  # the newest image, as before; pin it, or each new one replaces every node
  amiSelectorTerms:
    - alias: al2@latest
  subnetSelectorTerms:
    - tags:
        karpenter.sh/discovery: demo
  securityGroupSelectorTerms:
    - tags:
        karpenter.sh/discovery: demo
  userData: |
    #!/bin/bash
    echo hi
  metadataOptions:
    # 2 was the default; from v1 on it is 1, which pods cannot reach through
    httpPutResponseHopLimit: 2
  # moved here from the pools
  kubelet:
    maxPods: 20
"""


def test_a_whole_file_is_converted_with_its_comments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "old.yaml").write_text(OLD)
    assert main([str(file), "--node-role", "nodes"]) == 0
    out, err = capsys.readouterr()
    assert out == NEW
    assert f"{file}: NodePool default" in err
    assert "  spec.template.spec: lost: containerRuntime is gone" in err
    assert err.count("the old webhook added this") == 3
    assert file.read_text() == OLD


def test_the_result_is_not_converted_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "new.yaml").write_text(NEW)
    assert main([str(file)]) == 0
    assert capsys.readouterr() == (NEW, "")


def test_two_steps_over_files_equal_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "old.yaml").write_text(OLD)
    assert (
        main([str(file), "--node-role", "nodes", "--to", "0.37", "--out", str(tmp_path / "a")]) == 0
    )
    assert main([str(tmp_path / "a/old.yaml"), "--out", str(tmp_path / "b")]) == 0
    found = list(yaml.safe_load_all((tmp_path / "b/old.yaml").read_text()))
    expected = list(yaml.safe_load_all(NEW))
    assert sorted(found, key=str) == sorted(expected, key=str)


LIST = """\
apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: kept}
  - apiVersion: karpenter.sh/v1beta1
    kind: NodePool
    metadata: {name: p}
    spec: {template: {spec: {requirements: [], nodeClassRef: {name: k}, kubelet: {maxPods: 3}}}}
  - apiVersion: karpenter.sh/v1beta1
    kind: NodePool
    metadata: {name: q}
    spec: {template: {spec: {requirements: [], nodeClassRef: {name: k}}}}
  - apiVersion: karpenter.k8s.aws/v1beta1
    kind: EC2NodeClass
    metadata: {name: k}
    spec:
      amiFamily: AL2023
      role: nodes
      subnetSelectorTerms: [{id: subnet-1}]
      securityGroupSelectorTerms: [{id: sg-1}]
"""


def test_a_list_stays_one_and_keeps_its_other_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "list.yaml").write_text(LIST)
    assert main([str(file)]) == 0
    (made,) = yaml.safe_load_all(capsys.readouterr().out)
    assert [(i["kind"], i["metadata"]["name"]) for i in made["items"]] == [
        ("ConfigMap", "kept"),
        ("EC2NodeClass", "k"),
        ("EC2NodeClass", "k-2"),
        ("NodePool", "p"),
        ("NodePool", "q"),
    ]
    pools = {i["metadata"]["name"]: i for i in made["items"] if i["kind"] == "NodePool"}
    named = {
        name: pool["spec"]["template"]["spec"]["nodeClassRef"]["name"]
        for name, pool in pools.items()
    }
    assert named == {"p": "k", "q": "k-2"}
    kubelets = [i["spec"].get("kubelet") for i in made["items"] if i["kind"] == "EC2NodeClass"]
    assert kubelets == [{"maxPods": 3}, None]


def test_the_first_form_of_the_add_on_becomes_manifests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "add-on.yaml").write_text(
        "provisionerSpecs:\n"
        "  node.kubernetes.io/instance-type: [m5.large]\n"
        "  karpenter.sh/capacity-type: [spot, on-demand]\n"
        "subnetTags: {Name: private}\n"
        "securityGroupTags: {Name: nodes}\n"
    )
    assert main([str(file), "--node-role", "nodes"]) == 0
    node_class, pool = yaml.safe_load_all(capsys.readouterr().out)
    assert (node_class["kind"], pool["kind"]) == ("EC2NodeClass", "NodePool")
    assert node_class["spec"]["subnetSelectorTerms"] == [{"tags": {"Name": "private"}}]
    keys = [r["key"] for r in pool["spec"]["template"]["spec"]["requirements"]]
    assert keys == [
        "node.kubernetes.io/instance-type",
        "karpenter.sh/capacity-type",
        "kubernetes.io/os",
        "kubernetes.io/arch",
    ]


def test_every_fault_of_every_file_is_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.yaml").write_text("a: [")
    (tmp_path / "template.yaml").write_text(
        "apiVersion: karpenter.k8s.aws/v1alpha1\nkind: AWSNodeTemplate\n"
        "metadata: {name: t}\nspec: {launchTemplate: mine}\n"
    )
    (tmp_path / "pool.yaml").write_text(
        "apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: p}\nspec: {}\n"
    )
    files = [str(tmp_path / name) for name in ("broken.yaml", "template.yaml", "pool.yaml", "no")]
    out = tmp_path / "out"
    assert main([*files, "--out", str(out)]) == 1
    told = capsys.readouterr().err
    for part in (
        "4 faults, nothing was written",
        "broken.yaml",
        "is not YAML",
        "cannot be read: No such file",
        "cannot be converted: there are no launch templates",
        "names no AWSNodeTemplate",
    ):
        assert part in told
    assert "Traceback" not in told
    assert not out.exists()


def test_a_file_that_is_there_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "old.yaml").write_text(OLD)
    (there := tmp_path / "out/old.yaml").parent.mkdir()
    there.write_text("mine")
    arguments = [str(file), "--node-role", "nodes", "--out", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert "has such a file already" in capsys.readouterr().err
    assert there.read_text() == "mine"
    assert main([*arguments, "--overwrite"]) == 0
    assert there.read_text() == NEW


@pytest.mark.parametrize("version", ["1.99.0", "latest", "0.13"])
def test_an_unknown_release_is_refused(
    version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "old.yaml").write_text(OLD)
    assert main([str(file), "--to", version]) == 1
    assert "is not a Karpenter release known here" in capsys.readouterr().err
