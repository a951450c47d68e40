"""The verdict on changes of objects, and that of the CRDs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import RELEASES, Api
from modules.core.faults import dotted
from modules.provisioners.api.judge import KINDS
from modules.provisioners.api.updates import RULES, judge_update, update_refusals
from tests.provisioners.cases import baseline, changed
from tests.provisioners.crd import crd_root, rules_broken

ROLE = {"role": "nodes"}
PROFILE = {"role": None, "instanceProfile": "nodes"}
STATIC = {"weight": None, "limits": None, "replicas": 1}
DYNAMIC = {"weight": None, "limits": None}
GROUP = {"template.spec.nodeClassRef.group": "other.io"}
KIND = {"template.spec.nodeClassRef.kind": "OtherClass"}
NAME = {"template.spec.nodeClassRef.name": "other"}
Changes = dict[str, Any]

CASES: list[tuple[Api, str, str, Changes, Changes, str | None]] = [
    (Api.V1, "NodePool", "1.14.1", {}, {"weight": 5}, None),
    (Api.V1, "NodePool", "1.14.1", STATIC, DYNAMIC, "replicas"),
    (Api.V1, "NodePool", "1.14.1", DYNAMIC, STATIC, "replicas"),
    (Api.V1, "NodePool", "1.14.1", STATIC, {**STATIC, "replicas": 2}, None),
    (Api.V1, "NodePool", "1.7.6", {}, {}, None),
    (Api.V1, "NodePool", "1.8.8", STATIC, DYNAMIC, "replicas"),
    (Api.V1, "NodePool", "1.0.14", {}, GROUP, None),
    (Api.V1, "NodePool", "1.1.10", {}, GROUP, "template.spec.nodeClassRef.group"),
    (Api.V1, "NodePool", "1.2.8", {}, GROUP, "template.spec.nodeClassRef.group"),
    (Api.V1, "NodePool", "1.0.14", {}, KIND, None),
    (Api.V1, "NodePool", "1.1.10", {}, KIND, "template.spec.nodeClassRef.kind"),
    (Api.V1, "NodePool", "1.2.8", {}, KIND, "template.spec.nodeClassRef.kind"),
    (Api.V1, "NodePool", "1.14.1", {}, NAME, None),
    (Api.V1, "EC2NodeClass", "0.33.12", {}, ROLE, "role"),
    (Api.V1, "EC2NodeClass", "1.6.8", {}, ROLE, "role"),
    (Api.V1, "EC2NodeClass", "1.7.6", {}, ROLE, None),
    (Api.V1, "EC2NodeClass", "1.8.8", {}, ROLE, None),
    (Api.V1, "EC2NodeClass", "1.6.8", {}, PROFILE, "role"),
    (Api.V1, "EC2NodeClass", "1.7.6", {}, PROFILE, None),
    (Api.V1, "EC2NodeClass", "1.6.8", PROFILE, {**PROFILE, "instanceProfile": "b"}, None),
    (Api.V1BETA1, "EC2NodeClass", "0.32.10", {}, ROLE, "role"),
    (Api.V1BETA1, "EC2NodeClass", "1.0.14", {}, ROLE, "role"),
    (Api.V1BETA1, "EC2NodeClass", "1.0.14", PROFILE, {}, "role"),
    (Api.V1BETA1, "EC2NodeClass", "1.0.14", {}, {"userData": "x"}, None),
    (Api.V1BETA1, "NodePool", "1.0.14", {}, {"weight": 5}, None),
]


def manifest(api: Api, kind: str, changes: Changes) -> dict[str, Any]:
    (known,) = (k for k in KINDS.values() if k.kind == kind and k.api is api)
    return {
        "apiVersion": known.api_version,
        "kind": kind,
        "metadata": {"name": "a"},
        "spec": changed(baseline(kind, api), changes),
    }


@pytest.mark.parametrize(("api", "kind", "version", "old", "new", "at"), CASES)
def test_a_change_is_judged_by_what_was_there(
    api: Api, kind: str, version: str, old: Changes, new: Changes, at: str | None
) -> None:
    before, after = (manifest(api, kind, changes) for changes in (old, new))
    found = [dotted(fault.path) for fault in judge_update(before, after, RELEASES[version])]
    assert found == ([] if at is None else [f"spec.{at}"])


@pytest.mark.parametrize(("api", "kind", "version", "old", "new", "at"), CASES)
def test_the_crd_gives_the_same_verdict(
    api: Api, kind: str, version: str, old: Changes, new: Changes, at: str | None,
    reference_dir: Path,
) -> None:  # fmt: skip
    schema = crd_root(reference_dir, version, kind, api.value)
    before, after = (manifest(api, kind, changes) for changes in (old, new))
    assert bool(rules_broken(schema, after, before)) == (at is not None)


def test_every_rule_on_changes_has_a_case() -> None:
    broken = {
        judged.rule
        for api, kind, version, old, new, _ in CASES
        for judged in update_refusals(
            manifest(api, kind, old), manifest(api, kind, new), RELEASES[version]
        )
    }
    assert broken == {rule.id for rule in RULES}


def test_objects_of_two_kinds_are_no_change() -> None:
    pool, node_class = manifest(Api.V1, "NodePool", {}), manifest(Api.V1, "EC2NodeClass", {})
    assert judge_update(pool, node_class, RELEASES["1.14.1"]) == []
