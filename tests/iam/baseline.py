"""The valid baseline of the IAM tests, and what Karpenter's own template says of a release."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modules.core.catalogue import DEFAULT_VERSION, RELEASES, Capability, Release, Version
from modules.iam import events, node, policy, queue
from modules.iam.facts import Facts, Text
from modules.iam.settings import IamSettings

ISSUER = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
ACCOUNT = "111122223333"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/platform/nodes"
POLICY_ARN = f"arn:aws:iam::{ACCOUNT}:policy/extra"

# Karpenter's template in its own words.
TEMPLATE = Facts("${ClusterName}", "${AWS::Partition}", "${AWS::Region}", "${AWS::AccountId}")
TEMPLATE_NODE_ROLE = "${KarpenterNodeRole.Arn}"
# How it names the same role up to 0.35.
NODE_ROLES = ("arn:${AWS::Partition}:iam::${AWS::AccountId}:role/KarpenterNodeRole-${ClusterName}",)
TEMPLATE_QUEUE = "${KarpenterInterruptionQueue.Arn}"

DIGESTS = Path(__file__).with_name("digests.json")
SPLIT_SINCE = "1.9.0"
"""Upstream's first release with several policies."""
TLS_ONLY_SINCE = "1.0.0"
"""Upstream's first release whose queue refuses what is not encrypted on its way."""


def settings(**changes: Any) -> IamSettings:
    """The baseline with some fields changed."""
    return IamSettings(
        **{
            "cluster_name": "blueprint",
            "karpenter_version": DEFAULT_VERSION,
            "oidc_issuer": ISSUER,
            **changes,
        }
    )


def all_groups(
    release: Release,
    facts: Facts = TEMPLATE,
    role: Text = TEMPLATE_NODE_ROLE,
    queue_arn: Text = TEMPLATE_QUEUE,
) -> list[policy.Group]:
    """Every policy of a release, the interruption queue's included."""
    own = policy.groups(release, facts, role)
    of_the_queue = policy.interruption(release, queue_arn)
    return [*own, of_the_queue] if of_the_queue.statements else own


def ours(version: str) -> dict[str, Any]:
    """What this project gives a release, in a form that can be compared."""
    release = RELEASES[version]
    statements, groups = {}, {}
    for group in all_groups(release):
        assert isinstance(group.statements, list)
        for statement in group.statements:
            sid = _name(statement)
            statements[sid] = [
                statement["Effect"],
                _set(statement["Action"]),
                _set(statement["Resource"]),
                _sets(statement.get("Condition", {})),
            ]
            groups[sid] = f"{group.phrase}Policy"
    return {
        "statements": statements,
        "groups": groups if _is_split(version) else None,
        "node policies": sorted(
            managed.arn(TEMPLATE.partition) for managed in node.managed_policies(release)
        ),
        "instance profile": not release.has(Capability.INSTANCE_PROFILES_MADE),
        "retention": queue.RETENTION_SECONDS if release.has(Capability.INTERRUPTION) else None,
        "queue policy": _queue_statements(queue.policy(TEMPLATE_QUEUE))
        if release.at_least(TLS_ONLY_SINCE)
        else None,
        "events": sorted(_event(rule.pattern) for rule in events.rules(release)),
    }


def upstream(version: str, reference_dir: Path) -> dict[str, Any]:
    """What Karpenter's template of a release has, in the same form.

    1.14.2 is taken to equal 1.14.1. Of 1.15 its documentation tells one difference: it may
    reboot instances.
    """
    text = (reference_dir / "karpenter" / "iam.json").read_text(encoding="utf-8")
    revision = _revision(json.loads(text)["revisions"], version)
    statements = {
        _name({"Sid": s["sid"], "Action": s["actions"]}): [
            s["effect"],
            _set(s["actions"]),
            _set([TEMPLATE_NODE_ROLE if r in NODE_ROLES else r for r in s["resources"]]),
            _sets(s["conditions"] or {}),
        ]
        for s in revision["statements"]
    }
    if Version.of(version) >= Version.of("1.15.0"):
        deletion = statements["AllowScopedDeletion"]
        deletion[1] = _set([*deletion[1], "ec2:RebootInstances"])
    queued = revision["queue"] or {}
    # Ours is encrypted and asks for TLS for every release.
    if Version.of(version) >= Version.of(TLS_ONLY_SINCE):
        assert queued["SqsManagedSseEnabled"] is True
    return {
        "statements": statements,
        "groups": {s["sid"]: s["policy"] for s in revision["statements"]}
        if _is_split(version)
        else None,
        "node policies": sorted(revision["node_role"]["ManagedPolicyArns"]),
        "instance profile": revision["node_instance_profile"] is not None,
        "retention": queued.get("MessageRetentionPeriod"),
        "queue policy": _queue_statements(revision["queue_policy"]["PolicyDocument"])
        if Version.of(version) >= Version.of(TLS_ONLY_SINCE)
        else None,
        "events": sorted(
            _event(rule["EventPattern"]) for rule in (revision["event_rules"] or {}).values()
        ),
    }


def _name(statement: Mapping[str, Any]) -> str:
    """A statement's sid, or the first of its actions where it has none."""
    return str(statement.get("Sid") or min(statement["Action"]))


def digest(facts: dict[str, Any]) -> str:
    """A short stand-in for all of it."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def _revision(revisions: list[dict[str, Any]], version: str) -> dict[str, Any]:
    wanted = Version.of(version)
    return max(
        (r for r in revisions if Version.of(r["first_version"]) <= wanted),
        key=lambda r: Version.of(r["first_version"]),
    )


def _is_split(version: str) -> bool:
    return Version.of(version) >= Version.of(SPLIT_SINCE)


def _queue_statements(document: Any) -> list[Any]:
    found = [
        [
            s["Effect"],
            _sets(s["Principal"]) if isinstance(s["Principal"], dict) else s["Principal"],
            _set(s["Action"]),
            _set(s["Resource"]),
            _sets(s.get("Condition", {})),
        ]
        for s in document["Statement"]
    ]
    return sorted(found, key=json.dumps)


def _event(pattern: Any) -> list[list[str]]:
    return [_set(pattern["source"]), _set(pattern["detail-type"])]


def _sets(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sets(inner) for key, inner in value.items()}
    return _set(value)


def _set(value: Any) -> list[str]:
    """IAM takes one value for a list of one, and true for "true"; order means nothing to it."""
    items = value if isinstance(value, list) else [value]
    return sorted(str(item).lower() if isinstance(item, bool) else item for item in items)
