"""Where state lies: one place for each cluster, whatever the output folder is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stacks.settings import ClusterSettings
from stacks.state import TOP, backend_block


def cluster(**backend: Any) -> ClusterSettings:
    given = {"name": "dev", "region": "us-west-2", "kubernetes_version": "1.34"}
    return ClusterSettings(**given, **({"backend": backend} if backend else {}))


@pytest.mark.parametrize(
    ("out", "path"),
    [
        ("cdktf.out", "../../../terraform.one.tfstate"),
        ("build/out", "../../../../terraform.one.tfstate"),
    ],
)
def test_local_state_lies_at_the_top_seen_from_where_terraform_runs(out: str, path: str) -> None:
    folder = TOP / out / "stacks" / "one"
    assert backend_block(cluster(), "one", folder) == {"local": {"path": path}}


def test_a_local_path_is_seen_from_the_top() -> None:
    block = backend_block(cluster(local={"path": "state/a.tfstate"}), "one", TOP / "o/stacks/one")
    assert block == {"local": {"path": "../../../state/a.tfstate"}}


def test_an_absolute_local_path_leads_there(tmp_path: Path) -> None:
    wanted = tmp_path / "a.tfstate"
    folder = TOP / "cdktf.out" / "stacks" / "one"
    block = backend_block(cluster(local={"path": str(wanted)}), "one", folder)
    assert (folder / block["local"]["path"]).resolve() == wanted.resolve()


def test_s3_state_is_locked_and_encrypted_and_has_a_key_of_its_own() -> None:
    assert backend_block(cluster(s3={"bucket": "states"}), "one", TOP) == {
        "s3": {
            "bucket": "states",
            "region": "us-west-2",
            "key": "karpenter/one.tfstate",
            "use_lockfile": True,
            "encrypt": True,
        }
    }


def test_all_of_s3_can_be_chosen() -> None:
    role = "arn:aws:iam::333333333333:role/state"
    block = backend_block(
        cluster(
            s3={
                "bucket": "states",
                "region": "eu-west-1",
                "key": "a/b",
                "use_lockfile": False,
                "encrypt": False,
                "kms_key_id": "alias/state",
                "profile": "tools",
                "assume_role": {"arn": role, "external_id": "id", "session_name": "name"},
            }
        ),
        "one",
        TOP,
    )
    assert block == {
        "s3": {
            "bucket": "states",
            "region": "eu-west-1",
            "key": "a/b",
            "use_lockfile": False,
            "encrypt": False,
            "kms_key_id": "alias/state",
            "profile": "tools",
            "assume_role": {"role_arn": role, "external_id": "id", "session_name": "name"},
        }
    }


@pytest.mark.parametrize("text", ["${var.x}", "%{if}"])
def test_what_looks_like_an_expression_is_text_in_a_backend_too(text: str) -> None:
    escaped = text.replace("${", "$${").replace("%{", "%%{")
    folder = TOP / "cdktf.out/stacks/one"
    local = backend_block(cluster(local={"path": text}), "one", folder)
    assert local == {"local": {"path": f"../../../{escaped}"}}
    s3 = backend_block(cluster(s3={"bucket": "states", "key": text}), "one", folder)
    assert s3["s3"]["key"] == escaped
