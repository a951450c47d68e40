"""From each Karpenter line to the next: what changes, and nothing beyond."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import RELEASES, Version
from stacks.settings import ClusterSettings
from tests.terraform.clusters.cases import PLAIN
from tests.terraform.clusters.conftest import Synthesize
from tests.terraform.clusters.installation import Installation
from tests.terraform.clusters.judged.releases import LINES, NEWEST_OF_LINES
from tests.terraform.standin.terraform import Plan

CONTROLLER, CRDS = "helm_release.release_controller", "helm_release.release_crds"
ACTIONS = {"create": ["create"], "update": ["update"], "replace": ["create", "delete"]}
KEPT = {"additionalAnnotations": {"helm.sh/resource-policy": "keep"}}

UPGRADES: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("upgrades.yaml").read_text(encoding="utf-8")
)


def at(version: str, kubernetes: str, **release: Any) -> ClusterSettings:
    """The plain cluster with this Karpenter and Kubernetes."""
    options = PLAIN.release.model_copy(update=release)
    changes = {"karpenter_version": version, "kubernetes_version": kubernetes, "release": options}
    return PLAIN.model_copy(update=changes)


def shared_kubernetes(*versions: str) -> str:
    """The newest Kubernetes that all of these releases support."""
    supported = [set(RELEASES[version].kubernetes_versions) for version in versions]
    return max(set.intersection(*supported), key=Version.of)


def expected_actions(changes: dict[str, Any]) -> dict[str, list[str]]:
    found = {CRDS: ["update"], CONTROLLER: ["update"]}
    for name, actions in ACTIONS.items():
        found |= dict.fromkeys(changes.get(name, []), actions)
    return found


def values(plan: Plan, address: str, when: str) -> Any:
    """The values that Helm is given before or after a planned change."""
    given = plan.change(address)[when]["values"]
    return json.loads(given[0]) if given else None


class Upgrade:
    """One cluster that is brought from one release to another, in one directory."""

    def __init__(
        self, installation: Callable[..., Installation], synthesize: Synthesize, **release: Any
    ) -> None:
        self._installation, self._synthesize, self._release = installation, synthesize, release

    def planned(self, before: str, after: str) -> tuple[Installation, Plan]:
        """The installation at the one release, and the plan to the other."""
        kubernetes = shared_kubernetes(before, after)
        cluster = self._installation(at(before, kubernetes, **self._release)).deployed()
        shutil.copytree(
            self._synthesize(at(after, kubernetes, **self._release)),
            cluster.directory,
            dirs_exist_ok=True,
        )
        return cluster, cluster.tf.plan()


@pytest.fixture
def upgrade(installation: Callable[..., Installation], synthesize: Synthesize) -> Upgrade:
    return Upgrade(installation, synthesize)


@pytest.mark.parametrize(("before", "after"), list(pairwise(NEWEST_OF_LINES)))
def test_an_upgrade_changes_what_it_must(before: str, after: str, upgrade: Upgrade) -> None:
    changes = UPGRADES[RELEASES[after].line]
    cluster, plan = upgrade.planned(before, after)

    assert plan.actions == expected_actions(changes)
    assert sorted(plan.output_changes) == ["controller_version", "crd_version"]
    for address in (CRDS, CONTROLLER):
        versions = [plan.change(address)[when]["version"] for when in ("before", "after")]
        assert versions == [before, after]
    assert values(plan, CONTROLLER, "before") == values(plan, CONTROLLER, "after")
    same = KEPT if RELEASES[before].at_least("1.2.0") else None
    crd_values = changes.get("crd_values", {"before": same, "after": same})
    assert values(plan, CRDS, "before") == crd_values["before"]
    assert values(plan, CRDS, "after") == crd_values["after"]

    cluster.tf.apply("tfplan")
    assert cluster.tf.plan().empty
    release = cluster.standin.kubernetes.release("karpenter")
    assert (release.version, release.revision) == (after, 2)


def test_every_line_but_the_oldest_has_its_changes_listed() -> None:
    assert list(UPGRADES) == LINES[1:]


@pytest.mark.parametrize(("before", "after"), [("1.14.1", "1.14.2"), ("1.14.2", "1.14.1")])
def test_a_patch_changes_the_two_releases_only(before: str, after: str, upgrade: Upgrade) -> None:
    cluster, plan = upgrade.planned(before, after)
    assert plan.actions == expected_actions({})
    cluster.tf.apply("tfplan")
    assert cluster.tf.plan().empty


def test_the_expected_kinds_of_change_spare_what_others_know_by_name() -> None:
    """No role, queue, rule or policy is ever replaced or removed."""
    replaced = {address for changes in UPGRADES.values() for address in changes.get("replace", [])}
    types = {address.partition(".")[0] for address in replaced}
    assert types <= {"aws_iam_role_policy_attachment"}


@pytest.mark.parametrize("version", ["1.0.14", "1.1.10"])
def test_crds_go_with_their_release_before_they_can_be_kept(
    version: str, installation: Callable[..., Installation]
) -> None:
    kubernetes = shared_kubernetes(version)
    cluster = installation(at(version, kubernetes, namespace="scaling")).deployed()
    crds = cluster.standin.kubernetes.release("karpenter-crd")
    assert "additionalAnnotations" not in crds.values
    webhook = crds.values.get("webhook", {}).get("serviceNamespace")
    assert webhook == ("scaling" if version.startswith("1.0.") else None)
    cluster.tf.destroy()
    assert cluster.standin.kubernetes.kept == []


def test_crds_stay_behind_from_the_first_release_that_can_keep_them(
    installation: Callable[..., Installation],
) -> None:
    cluster = installation(at("1.2.0", shared_kubernetes("1.2.0"))).deployed()
    assert cluster.standin.kubernetes.release("karpenter-crd").values == KEPT
    cluster.tf.destroy()
    assert cluster.standin.kubernetes.kept != []
