"""Writes the digests of Karpenter's templates anew, after a release was added."""

from __future__ import annotations

import json
import os
from pathlib import Path

from modules.core.catalogue import RELEASES
from tests.iam.baseline import DIGESTS, digest, upstream

if __name__ == "__main__":
    folder = Path(os.environ["KARPENTER_REFERENCE_DIR"])
    made = {version: digest(upstream(version, folder)) for version in RELEASES}
    DIGESTS.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
