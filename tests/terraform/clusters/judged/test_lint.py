"""What linters know of AWS, and every document that an apply left there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.iam.policy import PHRASES
from stacks.settings import ClusterSettings
from tests.terraform.clusters.cases import EXAMPLES, VARIANTS, named
from tests.terraform.clusters.installation import account
from tests.terraform.clusters.judged.applied import FIRST_EXAMPLE, Applied, Document, at_release
from tests.terraform.clusters.judged.conftest import GetApplied
from tests.terraform.clusters.judged.findings import NOT_IN_REFERENCE, Finding, findings
from tests.terraform.clusters.judged.releases import every_release

ACCEPTED: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("accepted.yaml").read_text(encoding="utf-8")
)
DOCUMENTS = {*PHRASES, "node_ipv6_cni", "queue", "controller trust", "node trust"}


def found(applied: Applied) -> dict[str, set[Finding]]:
    """By document."""
    return {name: findings(document) for name, document in applied.documents.items()}


def accepted(applied: Applied, cluster: ClusterSettings) -> dict[str, set[Finding]]:
    """Likewise."""
    provider = applied.controller_trust["Statement"][0]["Principal"]["Federated"]
    places = {
        "partition": provider.split(":")[1],
        "provider": provider,
        "host": provider.partition("/")[2],
        "region": cluster.region,
        "account": account(cluster),
        "cluster": cluster.name,
    }
    expected: dict[str, set[Finding]] = {name: set() for name in applied.documents}
    for entry in ACCEPTED:
        if entry["document"] in expected and _is_of(entry, cluster.karpenter_version):
            expected[entry["document"]] |= {
                (entry["statement"], entry["issue"], subject.format(**places))
                for subject in entry["subjects"]
            }
    return expected


def _is_of(entry: dict[str, Any], version: str) -> bool:
    release = RELEASES[version]
    begun = "since" not in entry or release.at_least(entry["since"])
    return begun and not ("until" in entry and release.at_least(entry["until"]))


@every_release
def test_nothing_is_found_but_what_is_accepted(version: str, applied: GetApplied) -> None:
    cluster = at_release(FIRST_EXAMPLE, version)
    there = applied(cluster)
    assert found(there) == accepted(there, cluster)


@pytest.mark.parametrize("cluster", named([*EXAMPLES[1:], *VARIANTS]))
def test_nothing_else_is_found_in_clusters_set_up_otherwise(
    cluster: ClusterSettings, applied: GetApplied
) -> None:
    there = applied(cluster)
    assert found(there) == accepted(there, cluster)


@pytest.mark.parametrize("entry", ACCEPTED, ids=lambda e: f"{e['statement']}: {e['issue']}")
def test_what_is_accepted_has_a_reason_and_a_document(entry: dict[str, Any]) -> None:
    assert entry["document"] in DOCUMENTS
    assert entry["reason"].endswith(".")
    assert entry["subjects"]


def statement(**changes: Any) -> Document:
    base = {"Sid": "S", "Effect": "Allow", "Action": ["ec2:TerminateInstances"]}
    instances = ["arn:aws:ec2:us-west-2:*:instance/*"]
    owned = {"StringEquals": {"aws:ResourceTag/team": "a"}}
    made: Document = {**base, "Resource": instances, "Condition": owned, **changes}
    return made


REFERENCE = [
    ({}, set()),
    ({"Action": ["ec2:TerminateInstance"]}, {"ec2:TerminateInstance is no action"}),
    ({"Action": ["ec3:TerminateInstances"]}, {"ec3:TerminateInstances is no action"}),
    (
        {"Resource": ["arn:aws:ec2:us-west-2:*:instances/*"]},
        {
            "no action of the statement is about arn:aws:ec2:us-west-2:*:instances/*",
            "ec2:TerminateInstances is about no resource of the statement",
        },
    ),
    (
        {"Resource": [*statement()["Resource"], "arn:aws:ec2:us-west-2:*:subnet/*"]},
        {"no action of the statement is about arn:aws:ec2:us-west-2:*:subnet/*"},
    ),
    (
        {"Action": ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"]},
        {"ec2:DeleteLaunchTemplate is about no resource of the statement"},
    ),
    (
        {"Condition": {"StringEquals": {"aws:ResourceTags/team": "a"}}},
        {"ec2:TerminateInstances has no key aws:ResourceTags/team"},
    ),
    (
        {"Condition": {"StringEquals": {"ec2:CreateAction": "a"}}},
        {"ec2:TerminateInstances has no key ec2:CreateAction"},
    ),
    ({"Condition": {"StringEquals": {"aws:RequestedRegion": "us-west-2"}}}, set()),
    ({"Effect": "Deny", "Action": "ec2:*", "Resource": "*"}, set()),
    (
        {
            "Effect": "Deny",
            "Action": "sqs:*",
            "Resource": "*",
            "Condition": {"Bool": {"ec2:Public": "true"}},
        },
        {"sqs:* has no key ec2:Public"},
    ),
]


@pytest.mark.parametrize(("changes", "expected"), REFERENCE)
def test_the_reference_knows_what_is_wrong(changes: dict[str, Any], expected: set[str]) -> None:
    document = {"Version": "2012-10-17", "Statement": [statement(**changes)]}
    told = {subject for _, issue, subject in findings(document) if issue == NOT_IN_REFERENCE}
    assert told == expected


PARLIAMENT = [
    ({"Condition": {"StringEqual": {"aws:ResourceTag/team": "a"}}}, "UNKNOWN_OPERATOR"),
    ({"Resource": ["arn:aws:ec2:us-west-2:*"]}, "INVALID_ARN"),
    ({"Condition": {"Bool": {"aws:SecureTransport": "yes"}}}, "MISMATCHED_TYPE_OPERATION_TO_NULL"),
]


@pytest.mark.parametrize(("changes", "issue"), PARLIAMENT)
def test_parliament_knows_what_is_wrong(changes: dict[str, Any], issue: str) -> None:
    document = {"Version": "2012-10-17", "Statement": [statement(**changes)]}
    assert issue in {found for _, found, _ in findings(document)}
    assert findings({**document, "Statement": [statement()]}) == set()


@pytest.mark.parametrize("partition", ["aws-cn", "aws-us-gov", "aws-iso"])
def test_other_partitions_arns_are_found_no_worse(partition: str, applied: GetApplied) -> None:
    there = applied(at_release(FIRST_EXAMPLE, DEFAULT_VERSION))
    for name, document in there.policies.items():
        moved = yaml.safe_load(yaml.safe_dump(document).replace("arn:aws:", f"arn:{partition}:"))
        assert moved != document
        told = {
            (sid, issue, subject.replace(f"arn:{partition}:", "arn:aws:"))
            for sid, issue, subject in findings(moved)
        }
        assert told == findings(document), name
