"""Clusters of older generations of Karpenter's API are applied, stay as they are, and go."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stacks.clusters import load_clusters
from tests.terraform.clusters import found
from tests.terraform.clusters.installation import Installation

OCI = "oci://public.ecr.aws/karpenter"
ALPHA = {"karpenter.k8s.aws/v1alpha1 AWSNodeTemplate", "karpenter.sh/v1alpha5 Provisioner"}
BETA = {"karpenter.k8s.aws/v1beta1 EC2NodeClass", "karpenter.sh/v1beta1 NodePool"}
CLUSTERS = {c.name: c for c in load_clusters(Path(__file__).with_name("generations.yaml"))}


@dataclass(frozen=True)
class Expected:
    """What must come of a cluster.

    Args:
        charts: repository and version by Helm release.
        values: a part of the controller's values: how this release is told of cluster, queue
            and instance profile.
        objects: versions and kinds of the API.
        queues: how many there are.
    """

    charts: dict[str, tuple[str, str]]
    values: dict[str, Any]
    objects: set[str]
    queues: int


EXPECTED = {
    "oldest-release": Expected(
        {"karpenter": ("https://charts.karpenter.sh", "0.14.0")},
        {
            "clusterName": "oldest-release",
            "aws": {"defaultInstanceProfile": "KarpenterNodeInstanceProfile-oldest-release"},
        },
        ALPHA,
        0,
    ),
    "last-provisioners": Expected(
        dict.fromkeys(("karpenter", "karpenter-crd"), (OCI, "v0.31.5")),
        {
            "settings": {
                "aws": {
                    "clusterName": "last-provisioners",
                    "defaultInstanceProfile": "KarpenterNodeInstanceProfile-last-provisioners",
                    "interruptionQueueName": "Karpenter-last-provisioners",
                }
            }
        },
        ALPHA,
        1,
    ),
    "last-beta": Expected(
        dict.fromkeys(("karpenter", "karpenter-crd"), (OCI, "0.37.8")),
        {"settings": {"clusterName": "last-beta", "interruptionQueue": "Karpenter-last-beta"}},
        BETA,
        1,
    ),
}


def holds(whole: Any, part: Any) -> bool:
    """Whether every key of a part is in the whole, with its value."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and holds(whole[key], value) for key, value in part.items())
    return bool(whole == part)


@pytest.mark.parametrize(
    ("cluster", "expected"),
    [pytest.param(CLUSTERS[name], EXPECTED[name], id=name) for name in CLUSTERS],
    indirect=["cluster"],
)
def test_an_older_generation_is_applied_stays_and_goes(
    cluster: Installation, expected: Expected
) -> None:
    cluster.exists()
    cluster.tf.apply()
    releases = found.releases(cluster)
    charts = {name: (made["repository"], made["version"]) for name, made in releases.items()}
    assert charts == expected.charts
    assert holds(releases["karpenter"]["values"], expected.values)
    made = [item for items in found.objects(cluster).values() for item in items]
    assert {f"{item['apiVersion']} {item['kind']}" for item in made} == expected.objects
    assert len(found.queues(cluster)) == expected.queues
    assert cluster.tf.plan().empty
    cluster.tf.destroy()
    assert cluster.standin.leftovers() == []
