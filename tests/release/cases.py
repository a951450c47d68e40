"""The cases of `cases.yaml`, as Python and Terraform both judge them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True, eq=False)
class Case:
    """Values for the chart, and the fix of each fault by its path."""

    name: str
    version: str
    values: dict[str, Any]
    faults: dict[str, str]

    def __str__(self) -> str:
        return self.name


CASES = [
    Case(row["name"], row.get("version", "1.15.1"), row["values"], row.get("faults", {}))
    for row in yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"))
]
