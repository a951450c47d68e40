"""Writes the JSON Schema of the cluster file, for editors: `python -m stacks.schema`."""

from __future__ import annotations

import json
from typing import Any

from stacks.settings import ClusterFile
from stacks.state import TOP

SCHEMA_FILE = TOP / "clusters.schema.json"


def schema_text() -> str:
    """The schema as it is committed."""
    schema = ClusterFile.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(_plain(schema), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _plain(schema: Any) -> Any:
    """Descriptions on one line, and no titles: they only repeat the keys."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(value) for key, value in schema.items() if not _is_title(key, value)}
    if isinstance(plain.get("description"), str):
        plain["description"] = " ".join(plain["description"].split())
    return plain


def _is_title(key: str, value: Any) -> bool:
    # A property of that name would be a schema, not text.
    return key == "title" and isinstance(value, str)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
