"""Writes down what the CRDs say of the first generated manifests, for runs without the CRDs.

`KARPENTER_REFERENCE_DIR=... python -m tests.provisioners.differential.record`
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from modules.core.catalogue import Release
from modules.provisioners.api.kind import Kind
from tests.provisioners.differential.generate import manifests
from tests.provisioners.differential.judges import SERVED, explained, named, theirs

VERDICTS = Path(__file__).parent / "verdicts.json"
COUNT = 40
"""How many manifests of each kind and line; four make one digit."""


def verdicts(line: Release, kind: Kind, judge: Callable[[dict[str, Any]], bool]) -> str:
    """A judge's verdicts on the first manifests: a hexadecimal number, a bit for each taken one."""
    bits = "".join(str(int(judge(made))) for made in manifests(kind, line, COUNT))
    return f"{int(bits, 2):0{COUNT // 4}x}"


def main(reference: Path) -> None:
    found = {}
    for line, kind in SERVED:

        def crd(made: dict[str, Any], line: Release = line, kind: Kind = kind) -> bool:
            return theirs(made, line, kind, reference) and explained(made, line) is None

        found[named((line, kind))] = verdicts(line, kind, crd)
    VERDICTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(os.environ["KARPENTER_REFERENCE_DIR"]))
