"""What an upgrade's plan says: steps by hand, Kubernetes, the way back, in three forms."""

from __future__ import annotations

import json

import pytest

from modules.core.catalogue import RELEASES, Release, Version
from modules.core.catalogue_file import section
from stacks.upgrade import notes
from stacks.upgrade.plan import Change, Plan, plan
from stacks.upgrade.rule import check
from stacks.upgrade.show import as_json, runbook, text

NAMES = {"namespace": "karpenter"}


def planned(running: str, target: str, kubernetes: str = "1.28") -> Plan:
    def changes(before: Release, after: Release) -> list[Change]:
        return [Change("charts", f"{before.version} becomes {after.version}")]

    return plan("prod", RELEASES[running], RELEASES[target], kubernetes, NAMES, changes)


def codes(running: str, target: str) -> list[str]:
    return [s.code for s in notes.steps(RELEASES[running], RELEASES[target], NAMES)]


NOTES = [row for row in section("upgrades")["notes"] if "until" not in row]


@pytest.mark.parametrize("row", NOTES, ids=lambda row: row["code"])
def test_a_step_is_told_to_whoever_passes_its_release(row: dict[str, str]) -> None:
    every = list(RELEASES)
    at = every.index(row["since"])
    below, above = every[at - 1], every[at + 1]
    assert row["code"] in codes(below, row["since"])
    assert row["code"] in codes(below, above)
    assert row["code"] not in codes(row["since"], above)
    assert row["code"] not in codes(every[max(at - 2, 0)], below)


@pytest.mark.parametrize(
    ("running", "target", "told"),
    [("0.14.0", "0.15.0", True), ("0.19.3", "0.20.0", True), ("0.20.0", "0.21.0", False)],
)
def test_crds_of_the_controller_s_chart_are_replaced_by_hand(
    running: str, target: str, told: bool
) -> None:
    assert ("UPG301" in codes(running, target)) is told


def test_commands_name_the_release_the_folder_and_the_namespace() -> None:
    (crds,) = (s for s in notes.steps(RELEASES["0.18.1"], RELEASES["0.19.0"], NAMES) if s.before)
    assert "/v0.19.0/pkg/apis/crds/karpenter.sh_provisioners.yaml" in crds.commands[0]
    (older, *_) = notes.steps(RELEASES["0.17.0"], RELEASES["0.18.1"], NAMES)
    assert "/v0.18.1/charts/karpenter/crds/" in older.commands[0]
    (label, annotate) = next(
        s.commands
        for s in notes.steps(RELEASES["0.20.0"], RELEASES["0.21.0"], NAMES)
        if s.code == "UPG304"
    )
    names = "provisioners.karpenter.sh awsnodetemplates.karpenter.k8s.aws"
    assert label == f"kubectl label crd {names} app.kubernetes.io/managed-by=Helm --overwrite"
    assert "meta.helm.sh/release-namespace=karpenter" in annotate


def test_no_command_has_a_place_left_open() -> None:
    for before, after in zip(list(RELEASES.values()), list(RELEASES.values())[1:], strict=False):
        for step in notes.steps(before, after, NAMES):
            assert not any("{version}" in c or "{crds}" in c for c in step.commands)


@pytest.mark.parametrize(
    ("running", "target", "way"),
    [
        ("0.31.5", "0.32.10", "To 0.31.4 or later"),
        ("0.31.3", "0.32.10", "Not to 0.31.3."),
        ("0.27.8", "0.28.1", "Possible"),
        ("0.35.2", "0.36.0", "Not to 0.35.2."),
        ("0.35.4", "0.36.0", "To 0.32.9"),
        ("0.37.8", "1.0.14", "To 0.33.12"),
        ("0.37.6", "1.0.0", "Not to 0.37.6."),
        ("1.0.5", "1.1.0", "Not to 1.0.5."),
        ("1.0.6", "1.1.0", "Down to 1.0.6"),
        ("1.13.1", "1.14.2", notes.ANYWHERE),
        ("0.14.0", "0.15.0", notes.ANYWHERE),
    ],
)
def test_the_way_back_is_told(running: str, target: str, way: str) -> None:
    assert notes.rollback(RELEASES[running], RELEASES[target]).startswith(way)


@pytest.mark.parametrize(
    ("kubernetes", "code", "then"),
    [
        ("1.24", "UPG201", "1.25"),
        ("1.25", None, "1.25"),
        ("1.31", None, "1.31"),
        ("1.32", "UPG202", "1.32"),
    ],
)
def test_kubernetes_goes_first_where_it_is_too_old(
    kubernetes: str, code: str | None, then: str
) -> None:
    (leg,) = planned("0.37.8", "1.0.14", kubernetes).legs
    assert (leg.kubernetes_step and leg.kubernetes_step.code) == code
    assert leg.kubernetes == then


def test_every_leg_has_a_kubernetes_that_its_release_needs_at_least() -> None:
    for leg in planned("0.14.0", "1.15.1", "1.21").legs:
        low = leg.stop.release.kubernetes_min
        assert Version.of(leg.kubernetes) >= Version.of(low)


def test_the_text_has_every_stop_step_change_and_way_back() -> None:
    shown = text(planned("0.31.5", "1.14.2"))
    for part in (
        "prod: Karpenter 0.31.5 to 1.14.2 in 4 steps",
        "1. 0.31.5 → 0.32.10 (required, UPG102)",
        "4. 1.0.14 → 1.14.2 (required, UPG100)",
        "- 0.37.8 becomes 1.0.14",
        "UPG317 Only v1 may be stored",
        "$ kubectl patch crd nodepools.karpenter.sh",
        "Down to 1.0.6",
        "the newest known is 1.15.1",
    ):
        assert part in shown


def test_the_json_has_the_same() -> None:
    shown = json.loads(as_json(planned("0.31.5", "1.14.2")))
    assert [(s["from"], s["to"], s["code"], s["required"]) for s in shown["stops"]] == [
        ("0.31.5", "0.32.10", "UPG102", True),
        ("0.32.10", "0.37.8", "UPG104", True),
        ("0.37.8", "1.0.14", "UPG105", True),
        ("1.0.14", "1.14.2", "UPG100", True),
    ]
    assert shown["stops"][3]["changes"] == [
        {"area": "charts", "text": "1.0.14 becomes 1.14.2"},
    ]
    assert "UPG317" in [step["code"] for step in shown["stops"][3]["steps"]]


def test_the_runbook_has_boxes_and_commands() -> None:
    shown = runbook(planned("0.37.8", "1.0.14", "1.24"))
    for line in (
        "# prod: Karpenter 0.37.8 to 1.0.14 in 1 step",
        "- [ ] set `karpenterVersion: 1.0.14`",
        "- [ ] `pipenv run deploy prod`",
        "  kubectl delete mutatingwebhookconfiguration defaulting.webhook.karpenter.k8s.aws "
        "--ignore-not-found",
    ):
        assert line in shown.splitlines()
    assert "- [ ] **Upgrade Kubernetes to 1.25** (UPG201)." in shown


@pytest.mark.parametrize(
    ("running", "target"), [("0.37.8", "1.0.14"), ("1.14.2", "1.14.2"), ("1.0.6", "1.14.2")]
)
def test_a_direct_upgrade_may_be_declared(running: str, target: str) -> None:
    assert list(check(RELEASES[running], RELEASES[target], running)) == []


def test_a_jump_past_a_required_stop_is_refused_with_the_way() -> None:
    (fault,) = check(RELEASES["0.31.5"], RELEASES["1.14.2"], "0.31")
    assert fault.path == ("upgradingFrom",)
    assert fault.value == "0.31"
    assert "0.31.5 → 0.32.10 → 0.37.8 → 1.0.14 → 1.14.2" in fault.allowed
    assert fault.fix.startswith("set karpenterVersion to 0.32.10 first")


def test_going_back_is_not_an_upgrade() -> None:
    (fault,) = check(RELEASES["1.14.2"], RELEASES["1.9.2"], "1.14.2")
    assert fault.problem == "is newer than the karpenterVersion, 1.9.2"
