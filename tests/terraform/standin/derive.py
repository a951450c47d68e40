"""Derive ``schema.json``, what the stand-in serves, from the installed bindings.

Run ``python -m tests.terraform.standin.derive`` after a change of ``served.py``, of ``facts.py``'s
sensitive attributes or of the pinned provider packages. A test re-derives it and compares.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from . import bindings, facts, served

SCHEMA_FILE = Path(__file__).with_name("schema.json")
_PACKAGES = {"aws": "cdktf_cdktf_provider_aws", "helm": "cdktf_cdktf_provider_helm"}


def source_address(provider: str) -> str:
    """The provider's address in Terraform's registry, as Terraform itself names it."""
    return f"registry.terraform.io/hashicorp/{provider}"


def _archive(provider: str) -> Path:
    spec = importlib.util.find_spec(_PACKAGES[provider])
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"the package {_PACKAGES[provider]} is not installed")
    package = Path(spec.submodule_search_locations[0])
    return next((package / "_jsii").glob("*.tgz"))


def _folder(kind: str, type_name: str) -> str:
    provider, _, stem = type_name.partition("_")
    stem = stem.replace("_", "-")
    return f"data-{provider}-{stem}" if kind == "data" else stem


def _mark_sensitive(schema: dict[str, Any], path: tuple[str, ...]) -> None:
    attributes = schema["block"]["attributes"]
    for name in path[:-1]:
        attributes = attributes[name]["nested_type"]["attributes"]
    attributes[path[-1]]["sensitive"] = True


def derive_provider(provider: str) -> dict[str, Any]:
    """One provider's entry of ``terraform providers schema -json``, with its version beside it."""
    folders = {"provider": "provider"}
    for kind, type_names in (("resource", served.RESOURCES), ("data", served.DATA_SOURCES)):
        for type_name in type_names[provider]:
            folders[_folder(kind, type_name)] = f"{kind}.{type_name}"
    schemas, version = bindings.read(_archive(provider), folders, framework=provider == "helm")
    for name, path in facts.SENSITIVE:
        if name in schemas:
            _mark_sensitive(schemas[name], path)
    result: dict[str, Any] = {"provider": schemas.pop("provider"), "version": version}
    for kind, key in (("resource", "resource_schemas"), ("data", "data_source_schemas")):
        result[key] = {
            name.split(".", 1)[1]: schema
            for name, schema in schemas.items()
            if name.startswith(f"{kind}.")
        }
    return result


def derive() -> str:
    """The text of ``schema.json``."""
    providers = {source_address(name): derive_provider(name) for name in _PACKAGES}
    return json.dumps({"provider_schemas": providers}, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(derive())
