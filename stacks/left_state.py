"""The state of a stack that is no longer declared, as far as its synthesized file tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_WRITTEN = "cdk.tf.json"


def left_state(folder: Path) -> str | None:
    """Where the stack's state is or may be; None where none can be.

    Args:
        folder: the stack's folder, which a local state's path is seen from.
    """
    match _backend(folder):
        case {"local": {"path": str(path)}}:
            file = (folder / path).resolve()
            return str(file) if file.is_file() else None
        case {"s3": {"bucket": str(bucket), "key": str(key)}}:
            return f"s3://{bucket}/{key}"
    return None


def _backend(folder: Path) -> Any:
    try:
        written = json.loads((folder / _WRITTEN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # Nothing that this project wrote.
    for key in ("terraform", "backend"):
        written = written.get(key) if isinstance(written, dict) else None
    return written
