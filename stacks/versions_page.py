"""The page `docs/versions.md`: what is known of every Karpenter release, for people.

All of it is derived from the catalogue and from what the modules make of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from modules.core.catalogue import (
    DEFAULT_VERSION,
    NEWEST_VERSION,
    OLDEST_VERSION,
    RELEASES,
    Api,
    Capability,
    Release,
    newest_of,
    oldest_for,
)
from modules.core.catalogue_file import section
from modules.release import concepts
from modules.release.keys import keys_of
from stacks.readme import table
from stacks.upgrade.changes import policy_changes
from stacks.upgrade.notes import steps

_API = {
    Api.V1ALPHA5: "v1alpha5 (Provisioner, AWSNodeTemplate)",
    Api.V1BETA1: "v1beta1 (NodePool, EC2NodeClass)",
    Api.V1: "v1 (NodePool, EC2NodeClass)",
}
_BROUGHT = {
    Capability.INTERRUPTION: "interruption handling by a queue",
    Capability.CRD_CHART: "a chart of the CRDs",
    Capability.CONVERSION_WEBHOOK: "CRDs that convert between v1beta1 and v1",
    Capability.KEPT_CRDS: "CRDs that a destroy can leave behind",
    Capability.INSTANCE_PROFILES_MADE: "instance profiles made by the controller",
}


def page() -> str:
    """The whole text."""
    parts = [
        "# Karpenter's releases",
        f"{len(RELEASES)} releases are known, from {OLDEST_VERSION} to {NEWEST_VERSION}; the "
        f"default is {DEFAULT_VERSION}. This page is written by `python -m commands.docs`.",
        "## Kubernetes",
        "Below a release's oldest Kubernetes a stack is refused. Above its newest one it is "
        "untested: a stack is told so, and refused under `strict`.",
        table(("Karpenter", "Oldest Kubernetes", "Newest Kubernetes"), _ranges()),
        table(("Kubernetes", "First Karpenter", "Newest Karpenter"), _by_kubernetes()),
        "## Releases to avoid",
        table(("Karpenter", "Why"), _avoided()),
        "## What is inferred",
        table(("Karpenter", "What"), _inferred()),
        "## Lines",
        table(
            ("Line", "Releases", "Chart", "API written", "API served too", "CRDs"),
            map(_line, _lines()),
        ),
        "## What each line brought",
        *(_brought(before, after) for before, after in pairwise(_lines())),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _lines() -> list[str]:
    return list(dict.fromkeys(release.line for release in RELEASES.values()))


def _newest(line: str) -> Release:
    found = newest_of(line)
    assert found is not None, "a line has releases"
    return found


def _ranges() -> Iterator[tuple[str, str, str]]:
    """One row for each run of releases with one range."""
    runs: list[list[Release]] = []
    for release in RELEASES.values():
        same = runs and (runs[-1][0].kubernetes_min, runs[-1][0].kubernetes_max) == (
            release.kubernetes_min,
            release.kubernetes_max,
        )
        if same:
            runs[-1].append(release)
        else:
            runs.append([release])
    for run in runs:
        first, last = run[0], run[-1]
        yield _span(first.version, last.version), first.kubernetes_min, first.kubernetes_max


def _by_kubernetes() -> Iterator[tuple[str, str, str]]:
    tested = {v for release in RELEASES.values() for v in release.kubernetes_versions}
    for kubernetes in sorted(tested, key=lambda v: int(v.partition(".")[2])):
        first = oldest_for(kubernetes)
        last = [r for r in RELEASES.values() if r.supports(kubernetes)][-1]
        assert first is not None
        yield kubernetes, first.version, last.version


def _avoided() -> Iterator[tuple[str, str]]:
    for release in RELEASES.values():
        if release.avoid:
            yield release.version, release.avoid


def _inferred() -> Iterator[tuple[str, str]]:
    for line in _lines():
        found: dict[str, list[str]] = {}
        for release in RELEASES.values():
            if release.line == line and release.evidence:
                found.setdefault(release.evidence, []).append(release.version)
        for evidence, versions in found.items():
            yield _span(versions[0], versions[-1]), evidence


def _line(line: str) -> tuple[str, str, str, str, str, str]:
    newest = _newest(line)
    served = [api.value for api in Api if newest.serves(api) and api is not newest.api]
    crds = "a chart of their own" if newest.has(Capability.CRD_CHART) else "in the main chart"
    if newest.has(Capability.CONVERSION_WEBHOOK):
        crds += ", converted by a webhook"
    releases = [r.version for r in RELEASES.values() if r.line == line]
    return (
        line,
        _span(releases[0], releases[-1]),
        f"`{newest.chart_repository}`, version `{newest.chart_version}`",
        _API[newest.api],
        ", ".join(served),
        crds,
    )


def _brought(before: str, after: str) -> str:
    """What the newest release of a line has beyond that of the line before."""
    old, new = _newest(before), _newest(after)
    found = [*_capabilities(old, new), *_keys(old, new), *_defaults(old, new)]
    found += [f"policy: {change}" for change in policy_changes(old, new)]
    if old.api is not new.api:
        found.insert(0, f"API {_API[new.api]}")
    found += _to_do(old, new)
    lines = [f"- {text}" for text in found] or ["Nothing that this project knows of."]
    return "\n".join([f"### {after}", "", *lines])


def _to_do(old: Release, new: Release) -> Iterator[str]:
    """What an upgrade takes besides the apply; `pipenv run upgrade` has the whole of it."""
    for step in steps(old, new, {"namespace": ""}):
        yield f"upgrade: {step.title} ({step.code})"


def _capabilities(old: Release, new: Release) -> Iterator[str]:
    for capability, text in _BROUGHT.items():
        if old.has(capability) != new.has(capability):
            yield text if new.has(capability) else f"no longer {text}"


def _keys(old: Release, new: Release) -> Iterator[str]:
    had, has = ({key.name for key in keys_of(release)} for release in (old, new))
    for title, names in (("added", has - had), ("removed", had - has)):
        if names:
            yield f"value keys {title}: {', '.join(f'`{name}`' for name in sorted(names))}"


def _defaults(old: Release, new: Release) -> Iterator[str]:
    for concept, row in _concepts().items():
        key = concepts.key_of(concept, new)
        before, after = (concepts.default_of(concept, release) for release in (old, new))
        if key and concepts.key_of(concept, old) and before != after and row:
            yield f"default of `{key}`: `{before}` becomes `{after}`"


def _concepts() -> Mapping[str, object]:
    found: Mapping[str, object] = section("chart_values")["concepts"]
    return found


def _span(first: str, last: str) -> str:
    return first if first == last else f"{first} – {last}"
