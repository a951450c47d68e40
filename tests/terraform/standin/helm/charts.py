"""Charts and values as Helm reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import helm_python
import yaml

from ..errors import ProviderError
from ..kubernetes import HOOK_ANNOTATION
from ..values import UNKNOWN, State, known_text

# As Helm takes a rendered file apart.
_DOCUMENT_START = re.compile(r"(?:^|\s*\n)---\s*")


@dataclass
class Rendered:
    """What a release is made of. Hooks are kept apart: no install or upgrade makes them."""

    manifest: str = ""
    objects: list[dict[str, Any]] = field(default_factory=list)
    hooks_manifest: str = ""
    hooks: list[dict[str, Any]] = field(default_factory=list)

    def add(self, source: str, text: str) -> None:
        """Add one document; an empty one is nothing."""
        document = yaml.safe_load(text)
        if not document:
            return
        shown = f"---\n# Source: {source}\n{text.strip()}\n"
        if HOOK_ANNOTATION in (document.get("metadata", {}).get("annotations") or {}):
            self.hooks.append(document)
            self.hooks_manifest += shown
        else:
            self.objects.append(document)
            self.manifest += shown


def local_chart(directory: Path, state: State) -> Path | None:
    """The chart's path if it is a local one, relative to where Terraform runs."""
    chart = known_text(state.get("chart"))
    if chart is None or known_text(state.get("repository")):
        return None
    path = directory / chart
    return path if path.exists() else None


def load(path: Path) -> helm_python.Chart:
    """:raises ProviderError: Helm cannot read the chart."""
    try:
        return helm_python.Chart.load(path)
    except helm_python.HelmError as error:
        raise ProviderError(
            "Error loading chart", f"Unable to load chart {path}: {error}"
        ) from error


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def _sets(state: State) -> Iterator[dict[str, Any]]:
    for name in ("set", "set_sensitive"):
        for item in state.get(name) or []:
            expression = f"{item['name']}={item['value']}"
            if item.get("type") == "string":
                yield helm_python.parse_set_string_values(expression)
            elif item.get("type") == "literal":
                yield helm_python.parse_set_literal(expression)
            else:
                yield helm_python.parse_set_string(expression)
    for item in state.get("set_list") or []:
        yield helm_python.parse_set_string(f"{item['name']}={{{','.join(item['value'])}}}")


def values(state: State) -> dict[str, Any]:
    """All values of a release: the documents in order, then ``set``, as the provider merges them.

    :raises ProviderError: a document is not YAML, or not a mapping.
    """
    merged: dict[str, Any] = {}
    for text in state.get("values") or []:
        if text in (None, "", UNKNOWN):
            continue
        try:
            # By Helm's own library, since YAML readers differ on 1e3, 0123 and no.
            document = helm_python.values_from_yaml(text)
        except helm_python.HelmError as error:
            raise ProviderError("Error unmarshaling values", f"---> {error} {text}") from error
        merged = _merge(merged, document)
    for document in _sets(state):
        merged = _merge(merged, document)
    return merged


def render(chart: helm_python.Chart, state: State, *, upgrade: bool, revision: int) -> Rendered:
    """:raises ProviderError: a template fails, or renders something that is not YAML."""
    doing = "Upgrade failed" if upgrade else "installation failed"
    try:
        files = chart.render(
            values(state),
            name=state["name"],
            namespace=state["namespace"],
            revision=revision,
            is_install=not upgrade,
            is_upgrade=upgrade,
        )
    except helm_python.HelmError as error:
        raise ProviderError(doing, str(error)) from error
    rendered = Rendered()
    for source, text in sorted(files.items()):
        if source.endswith("NOTES.txt"):
            continue
        try:
            for document in _DOCUMENT_START.split(text):
                rendered.add(source, document)
        except yaml.YAMLError as error:
            raise ProviderError(
                doing, f"YAML parse error on {source}: error converting YAML to JSON: {error}"
            ) from error
    return rendered
