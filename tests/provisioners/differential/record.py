"""Writes down what the CRDs say of some of the generated manifests, for runs without the CRDs.

`KARPENTER_REFERENCE_DIR=... python -m tests.provisioners.differential.record`
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from modules.core.catalogue import Release
from modules.provisioners.api.kind import Kind
from tests.provisioners.differential.generate import manifests
from tests.provisioners.differential.judges import SERVED, explained, named, theirs

VERDICTS = Path(__file__).parent / "verdicts.json"
STEP = 5
"""One of so many manifests is recorded."""


def verdicts(line: Release, kind: Kind, judge: Callable[[dict[str, Any]], bool]) -> str:
    """A judge's verdicts: a hexadecimal number, a bit for each manifest, set where it is taken."""
    bits = [str(int(judge(made))) for made in islice(manifests(kind, line), 0, None, STEP)]
    return f"{len(bits)}:{int(''.join(bits), 2):x}"


def main(reference: Path) -> None:
    found = {}
    for line, kind in SERVED:

        def crd(made: dict[str, Any], line: Release = line, kind: Kind = kind) -> bool:
            return theirs(made, line, kind, reference) and explained(made, line) is None

        found[named((line, kind))] = verdicts(line, kind, crd)
    VERDICTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(os.environ["KARPENTER_REFERENCE_DIR"]))
