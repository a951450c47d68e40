"""What is known of every release, against the facts it was taken from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.core.catalogue import (
    DEFAULT_VERSION,
    NEWEST_VERSION,
    OLDEST_VERSION,
    RELEASES,
    Api,
    Capability,
    Release,
    Version,
    find,
    newest_for,
    newest_of,
)
from modules.core.catalogue_file import section
from modules.core.faults import Fault

# The newest Kubernetes before and from the release on that began to support it
# (Karpenter's compatibility matrix).
NEWEST_KUBERNETES = [
    ("0.24.0", "1.24", "0.25.0", "1.25"),
    ("0.27.8", "1.25", "0.28.0", "1.27"),
    ("0.30.0", "1.27", "0.31.0", "1.28"),
    ("0.33.12", "1.28", "0.34.0", "1.29"),
    ("0.36.9", "1.29", "0.37.0", "1.30"),
    ("1.0.4", "1.30", "1.0.5", "1.31"),
    ("1.1.10", "1.31", "1.2.0", "1.32"),
    ("1.4.4", "1.32", "1.5.0", "1.33"),
    ("1.5.8", "1.33", "1.6.0", "1.34"),
    ("1.8.8", "1.34", "1.9.0", "1.35"),
    ("1.12.2", "1.35", "1.13.0", "1.36"),
    ("1.14.2", "1.36", "1.15.0", "1.37"),
]
LATER = {"1.14.2", "1.15.0", "1.15.1"}
"""Releases younger than the reference's table of versions."""


def known(version: str) -> Release:
    release = find(version)
    assert isinstance(release, Release)
    return release


@pytest.mark.parametrize(("before", "oldest", "since", "newest"), NEWEST_KUBERNETES)
def test_kubernetes_ranges_grow_at_their_release(
    before: str, oldest: str, since: str, newest: str
) -> None:
    assert (known(before).kubernetes_max, known(since).kubernetes_max) == (oldest, newest)
    assert (known(before).supports(newest), known(since).supports(newest)) == (False, True)


@pytest.mark.parametrize(
    ("version", "kubernetes", "supported"),
    [
        ("0.20.0", "1.20", True),
        ("0.21.0", "1.20", False),
        ("0.27.8", "1.22", True),
        ("0.28.0", "1.22", False),
        ("0.28.0", "1.26", True),
        ("0.37.8", "1.24", True),
        ("1.0.0", "1.24", False),
        ("1.4.4", "1.24", False),
        ("1.4.4", "1.25", True),
        ("1.5.0", "1.25", False),
        ("1.5.0", "1.26", True),
        ("1.14.2", "1.36", True),
        ("1.14.2", "1.37", False),
    ],
)
def test_a_release_supports_its_range(version: str, kubernetes: str, supported: bool) -> None:
    assert known(version).supports(kubernetes) is supported
    assert (kubernetes in known(version).kubernetes_versions) is supported


def test_every_kubernetes_version_of_a_range_is_listed() -> None:
    assert known("1.1.0").kubernetes_versions == [f"1.{n}" for n in range(25, 32)]


def test_the_releases_are_the_reference_s(reference_dir: Path) -> None:
    text = (reference_dir / "karpenter" / "versions.json").read_text(encoding="utf-8")
    versions = [v["version"] for v in json.loads(text)["versions"] if not v["prerelease"]]
    first = [version for version in versions if Version.of(version) >= Version.of("0.14.0")]
    assert len(first) == 211
    assert set(RELEASES) - LATER == set(first)


def test_charts_are_where_the_reference_has_them(reference_dir: Path) -> None:
    text = (reference_dir / "karpenter" / "versions.json").read_text(encoding="utf-8")
    for row in json.loads(text)["versions"]:
        if row["version"] in RELEASES:
            release = known(row["version"])
            name = "" if release.chart_repository.startswith("https:") else "/karpenter"
            assert f"{release.chart_repository}{name}" == row["chart_repository"]
            crds = row["crd_chart"] is not None
            assert release.has(Capability.CRD_CHART) is crds
            assert release.chart_version == row["chart_version"]


def test_releases_stand_in_order() -> None:
    versions = [Version.of(version) for version in RELEASES]
    assert versions == sorted(versions)
    assert (OLDEST_VERSION, NEWEST_VERSION) == ("0.14.0", "1.15.1")
    assert DEFAULT_VERSION == "1.14.2"


def test_releases_to_avoid_say_why() -> None:
    avoided = {version: r.avoid for version, r in RELEASES.items() if r.avoid}
    assert list(avoided) == ["0.28.0", "0.29.1", "1.8.4"]
    assert "1.8.5" in str(avoided["1.8.4"])


@pytest.mark.parametrize(
    ("version", "kubernetes", "avoided"),
    [
        ("0.28.0", "1.25", False),
        ("0.28.0", "1.26", True),
        ("0.28.0", "1.27", True),
        ("0.28.1", "1.26", False),
        ("0.29.0", "1.26", False),
        ("0.29.1", "1.23", True),
        ("0.29.2", "1.26", False),
        ("1.8.3", "1.30", False),
        ("1.8.4", "1.30", True),
        ("1.8.5", "1.30", False),
    ],
)
def test_a_release_may_be_one_to_avoid_on_newer_kubernetes_only(
    version: str, kubernetes: str, avoided: bool
) -> None:
    assert (known(version).reason_to_avoid(kubernetes) is not None) is avoided


@pytest.mark.parametrize(
    ("version", "chart_version", "repository"),
    [
        ("0.16.3", "0.16.3", "https://charts.karpenter.sh"),
        ("0.17.0", "v0.17.0", "oci://public.ecr.aws/karpenter"),
        ("0.18.0", "v0.18.0", "oci://public.ecr.aws/karpenter"),
        ("0.34.13", "v0.34.13", "oci://public.ecr.aws/karpenter"),
        ("0.35.0", "0.35.0", "oci://public.ecr.aws/karpenter"),
        ("0.35.1", "0.35.1", "oci://public.ecr.aws/karpenter"),
    ],
)
def test_a_chart_has_its_address_and_its_form_of_version(
    version: str, chart_version: str, repository: str
) -> None:
    release = known(version)
    assert (release.chart_version, release.chart_repository) == (chart_version, repository)


@pytest.mark.parametrize(
    ("version", "written", "served"),
    [
        ("0.31.5", Api.V1ALPHA5, [Api.V1ALPHA5]),
        ("0.32.0", Api.V1BETA1, [Api.V1ALPHA5, Api.V1BETA1]),
        ("0.32.10", Api.V1BETA1, [Api.V1ALPHA5, Api.V1BETA1]),
        ("0.33.0", Api.V1BETA1, [Api.V1BETA1]),
        ("0.33.5", Api.V1BETA1, [Api.V1BETA1]),
        ("0.33.6", Api.V1BETA1, [Api.V1BETA1, Api.V1]),
        ("0.34.6", Api.V1BETA1, [Api.V1BETA1]),
        ("0.34.7", Api.V1BETA1, [Api.V1BETA1, Api.V1]),
        ("0.35.5", Api.V1BETA1, [Api.V1BETA1]),
        ("0.35.6", Api.V1BETA1, [Api.V1BETA1, Api.V1]),
        ("0.36.2", Api.V1BETA1, [Api.V1BETA1]),
        ("0.36.3", Api.V1BETA1, [Api.V1BETA1, Api.V1]),
        ("0.37.0", Api.V1BETA1, [Api.V1BETA1]),
        ("0.37.1", Api.V1BETA1, [Api.V1BETA1, Api.V1]),
        ("0.37.8", Api.V1BETA1, [Api.V1BETA1, Api.V1]),
        ("1.0.0", Api.V1, [Api.V1BETA1, Api.V1]),
        ("1.0.14", Api.V1, [Api.V1BETA1, Api.V1]),
        ("1.1.0", Api.V1, [Api.V1]),
        ("1.15.1", Api.V1, [Api.V1]),
    ],
)
def test_a_release_writes_one_generation_and_may_serve_two(
    version: str, written: Api, served: list[Api]
) -> None:
    assert known(version).api is written
    assert [api for api in Api if known(version).serves(api)] == served


def test_what_is_inferred_says_so() -> None:
    inferred = {version for version, release in RELEASES.items() if release.evidence}
    before_the_matrix = {v for v, r in RELEASES.items() if not r.at_least("0.21.0")}
    assert inferred == LATER | before_the_matrix


def test_every_crd_line_is_a_release() -> None:
    assert all(release.crd_line in RELEASES for release in RELEASES.values())


@pytest.mark.parametrize(
    ("less", "more"), [("1.9.2", "1.10.0"), ("1.0.9", "1.0.10"), ("1.9", "1.9.0"), ("1", "2")]
)
def test_versions_are_ordered_by_number(less: str, more: str) -> None:
    assert Version.of(less) < Version.of(more)
    assert Version.of(more) >= Version.of(less)
    assert Version.of(less) != Version.of(more)


@pytest.mark.parametrize("text", ["", "v1.0.0", "1.x", "1..2", "latest"])
def test_other_text_is_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        Version.of(text)


def test_a_version_is_written_as_it_was_read() -> None:
    assert str(Version.of("1.14.2")) == "1.14.2"
    assert len({Version.of("1.0"), Version.of("1.0")}) == 1


@pytest.mark.parametrize("capability", Capability)
def test_a_capability_begins_and_ends_at_releases(capability: Capability) -> None:
    every = list(RELEASES)
    having = [version for version, release in RELEASES.items() if release.has(capability)]
    expected = [
        version
        for version in every
        if any(
            Version.of(first) <= Version.of(version)
            and (gone is None or Version.of(version) < Version.of(gone))
            for first, gone in capability.spans
        )
    ]
    assert having == expected
    assert having


def test_every_capability_of_the_file_has_a_name() -> None:
    assert sorted(section("capabilities")) == sorted(member.value for member in Capability)


@pytest.mark.parametrize(
    ("version", "fix"),
    [
        ("1.14.3", "use 1.14.2, the newest of 1.14; the newest known is 1.15.1"),
        ("latest", "use the default, 1.14.2; the newest known is 1.15.1"),
        ("", "use the default, 1.14.2; the newest known is 1.15.1"),
        ("1", "use the default, 1.14.2; the newest known is 1.15.1"),
        (
            "1.15.2",
            "set acceptNewerVersion: true to treat it like 1.15.1, or use the default, 1.14.2; "
            "the newest known is 1.15.1",
        ),
    ],
)
def test_an_unknown_release_is_a_fault_with_a_way_out(version: str, fix: str) -> None:
    fault = find(version, "clusters", 0, "karpenterVersion")
    assert isinstance(fault, Fault)
    assert (fault.path, fault.value, fault.fix) == (
        ("clusters", 0, "karpenterVersion"),
        version,
        fix,
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [("1.14.2", "1.14.2"), ("v1.14.2", "1.14.2"), ("1.9", "1.9.2"), ("v1.9", "1.9.2")],
)
def test_a_release_may_be_written_in_several_ways(written: str, meant: str) -> None:
    assert known(written) is RELEASES[meant]


@pytest.mark.parametrize("version", ["1.15.2", "v1.15.2", "1.16.0", "2.0.0"])
def test_a_newer_version_is_treated_like_the_newest_where_that_is_asked_for(version: str) -> None:
    assert isinstance(find(version), Fault)
    found = find(version, newer=True)
    assert isinstance(found, Release)
    newest = RELEASES[NEWEST_VERSION]
    assert found.version == version.removeprefix("v")
    assert (found.kubernetes_max, found.crd_line) == (newest.kubernetes_max, newest.crd_line)
    assert "newer than 1.15.1" in str(found.evidence)


@pytest.mark.parametrize("version", ["1.14.3", "1.16", "1.15.x", "latest", "1.16.0.1"])
def test_what_is_no_newer_release_is_refused_all_the_same(version: str) -> None:
    assert isinstance(find(version, newer=True), Fault)


@pytest.mark.parametrize(
    ("line", "newest"), [("1.0", "1.0.14"), ("1.10", "1.10.2"), ("1.1", "1.1.10")]
)
def test_the_newest_of_a_line_is_found(line: str, newest: str) -> None:
    assert newest_of(line) == known(newest)


def test_a_line_that_is_not_known_has_no_newest() -> None:
    assert newest_of("1.99") is None


@pytest.mark.parametrize(
    ("kubernetes", "newest"),
    [
        ("1.19", None),
        ("1.20", "0.20.0"),
        ("1.24", "0.37.8"),
        ("1.25", "1.4.4"),
        ("1.26", "1.15.1"),
        ("1.37", "1.15.1"),
        ("1.38", None),
    ],
)
def test_the_newest_for_a_kubernetes_version_is_found(kubernetes: str, newest: str | None) -> None:
    assert newest_for(kubernetes) == (None if newest is None else known(newest))
