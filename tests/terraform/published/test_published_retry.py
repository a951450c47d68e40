"""A destroy of the published modules that is tried again while nodes still drain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import CLASS, FORMS, OBJECTS, facts, root
from tests.terraform.standin.standin import Standin

TIMED_OUT = "Unable to uninstall Helm release karpenter-classes: context deadline exceeded"
CLASSES = "module.called.module.provisioners.helm_release.classes[0]"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("held", ["default", "second"])
def test_it_waits_again_and_removes_nothing_else_until_the_nodes_are_gone(
    held: str, form: str, standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    cluster = standin.eks_cluster("demo")
    classes = {**OBJECTS["node_classes"], "second": CLASS}
    variables = {**facts("karpenter", cluster), **OBJECTS, "node_classes": classes}
    folder = root(tmp_path, "karpenter", variables, form=form, endpoint=cluster.endpoint)
    tf = terraform(folder)
    tf.init()
    tf.apply()
    standin.leave_node_claims(held)
    assert TIMED_OUT in tf.destroy(fail=True).text
    left = standin.leftovers()
    assert {"helm_release karpenter-classes", "helm_release karpenter"} <= set(left)

    assert TIMED_OUT in tf.destroy(fail=True).text
    assert standin.leftovers() == left
    assert CLASSES in tf.state()

    standin.kubernetes.node_claims.clear()
    tf.destroy()
    assert (standin.leftovers(), tf.state()) == ([], [])
