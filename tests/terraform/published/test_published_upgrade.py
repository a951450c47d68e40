"""From the modules for one Karpenter line to those for another, on the same state."""

from __future__ import annotations

from pathlib import Path

import pytest

from stacks.folder import replace_folder
from stacks.publish import files, release_of
from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import OBJECTS, VERSION, facts, root, take_modules
from tests.terraform.standin.standin import Standin

CALLED = "module.called.module."


@pytest.mark.parametrize(
    ("line", "replaced"),
    [
        ("1.13", []),
        ("1.4", []),
        # Up to here, nodes could read registries; now another policy of AWS's lets them pull.
        ("1.3", ["iam.aws_iam_role_policy_attachment.node_ecr[0]"]),
    ],
)
def test_an_upgrade_replaces_nothing_but_a_policy(
    line: str, replaced: list[str], standin: Standin, terraform: MakeTerraform, tmp_path: Path
) -> None:
    before = release_of(line)
    replace_folder(tmp_path / "before", files(before))
    cluster = standin.eks_cluster("demo")
    variables = {**facts("karpenter", cluster), **OBJECTS}
    folder = root(
        tmp_path / "root",
        "karpenter",
        variables,
        published=tmp_path / "before",
        endpoint=cluster.endpoint,
    )
    tf = terraform(folder)
    tf.init()
    tf.apply()
    assert standin.kubernetes.release("karpenter").version == before.version

    take_modules(folder)
    tf.init()
    plan = tf.plan()
    both = {address for address, actions in plan.actions.items() if len(actions) > 1}
    assert both == {CALLED + address for address in replaced}
    for release in ("release.helm_release.crds", "release.helm_release.controller"):
        assert plan.actions[CALLED + release] == ["update"]
        assert plan.change(CALLED + release)["after"]["version"] == VERSION
    tf.apply()
    assert standin.kubernetes.release("karpenter").version == VERSION
    assert tf.plan().empty
    tf.destroy()
    assert standin.leftovers() == []
