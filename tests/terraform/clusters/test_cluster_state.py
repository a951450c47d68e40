"""Where the state of a stack lies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands.environment import ROOT
from stacks.access_settings import AssumeRole, Backend, S3Backend
from stacks.settings import ClusterSettings
from stacks.state import backend_block
from tests.terraform.clusters.cases import EXAMPLES, PLAIN, VARIANTS
from tests.terraform.clusters.conftest import Synthesize

BUCKET = "research-terraform-state"
EVERYTHING = S3Backend(
    bucket=BUCKET,
    region="us-east-1",
    key="state/of-this-test",
    use_lockfile=False,
    encrypt=False,
    kms_key_id="alias/state",
    profile="state",
    assume_role=AssumeRole(
        arn="arn:aws:iam::333333333333:role/state", external_id="id", session_name="state"
    ),
)


def backend(folder: Path) -> dict[str, Any]:
    """The backend block of a synthesized stack."""
    block: dict[str, Any] = json.loads((folder / "cdk.tf.json").read_text())["terraform"]["backend"]
    return block


def in_s3(settings: ClusterSettings, s3: S3Backend) -> ClusterSettings:
    return settings.model_copy(update={"backend": Backend(s3=s3)})


def test_state_in_a_bucket_is_locked_there_under_the_clusters_own_key(
    synthesize: Synthesize,
) -> None:
    (research,) = (cluster for cluster in EXAMPLES if cluster.backend.s3)
    assert backend(synthesize(research)) == {
        "s3": {
            "bucket": BUCKET,
            "region": "eu-central-1",
            "key": "karpenter/research-prod.tfstate",
            "use_lockfile": True,
            "encrypt": True,
        }
    }


def test_every_choice_about_the_bucket_reaches_the_backend(synthesize: Synthesize) -> None:
    assert backend(synthesize(in_s3(PLAIN, EVERYTHING))) == {
        "s3": {
            "bucket": BUCKET,
            "region": "us-east-1",
            "key": "state/of-this-test",
            "use_lockfile": False,
            "encrypt": False,
            "kms_key_id": "alias/state",
            "profile": "state",
            "assume_role": {
                "role_arn": "arn:aws:iam::333333333333:role/state",
                "external_id": "id",
                "session_name": "state",
            },
        }
    }


def test_clusters_of_one_bucket_have_a_key_each() -> None:
    clusters = [in_s3(cluster, S3Backend(bucket=BUCKET)) for cluster in [*EXAMPLES, *VARIANTS]]
    blocks = [backend_block(cluster, cluster.stack_id, ROOT) for cluster in clusters]
    keys = [block["s3"]["key"] for block in blocks]
    assert keys == [f"karpenter/{cluster.stack_id}.tfstate" for cluster in clusters]
    assert len(set(keys)) == len(clusters)


@pytest.mark.parametrize("s3", [S3Backend(bucket=BUCKET), EVERYTHING], ids=["least", "most"])
def test_a_stack_with_its_state_in_a_bucket_is_valid(
    synthesize: Synthesize, terraform: Any, tmp_path: Path, s3: S3Backend
) -> None:
    content = (synthesize(in_s3(PLAIN, s3)) / "cdk.tf.json").read_text()
    (tmp_path / "cdk.tf.json").write_text(content)
    tf = terraform(tmp_path)
    tf.init("-backend=false")
    assert tf.validate()["valid"]


def test_local_state_lies_at_the_projects_top(synthesize: Synthesize) -> None:
    folder = synthesize(PLAIN)
    path = backend(folder)["local"]["path"]
    assert not Path(path).is_absolute()
    assert (folder.resolve() / path).resolve() == ROOT / "terraform.plain.tfstate"
