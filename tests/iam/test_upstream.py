"""Every release gets what Karpenter's CloudFormation template of that release has, no more.

Where the reference is at hand, everything is compared in full. Elsewhere the digests beside this
file stand in for it; they were made from the reference, and a test with the reference keeps them
true:

    KARPENTER_REFERENCE_DIR=… python -m tests.iam.digests
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.core.catalogue import RELEASES
from tests.iam.baseline import DIGESTS, digest, ours, upstream


@pytest.mark.parametrize("version", RELEASES)
def test_a_release_equals_its_template(version: str, reference_dir: Path) -> None:
    assert ours(version) == upstream(version, reference_dir)


@pytest.mark.parametrize("version", RELEASES)
def test_a_release_has_the_committed_digest(version: str) -> None:
    assert digest(ours(version)) == json.loads(DIGESTS.read_text())[version]


def test_the_committed_digests_are_the_reference_s(reference_dir: Path) -> None:
    made = {version: digest(upstream(version, reference_dir)) for version in RELEASES}
    assert json.loads(DIGESTS.read_text()) == made


def test_the_digest_notices_one_action_less() -> None:
    facts = ours("1.14.2")
    facts["statements"]["AllowScopedDeletion"][1].pop()
    assert digest(facts) != json.loads(DIGESTS.read_text())["1.14.2"]
