"""The controller's policies, one for each group of statements, and their size as IAM counts it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from modules.core.catalogue import Release
from modules.core.expressions import Expr
from modules.core.names import POLICY_VERSION
from modules.iam.facts import Facts, Text
from modules.iam.statements import Statement, statements

MAX_POLICY_SIZE = 6144
"""Longest managed policy, in characters without white space (IAM quotas)."""
MAX_TRUST_SIZE = 2048
"""Longest trust policy, likewise."""
MAX_POLICIES_PER_ROLE = 10
"""Managed policies of one role, unless AWS has raised the quota."""

INTERRUPTION = "interruption"
ADDITIONAL = "additional"
"""The group of the user's own statements."""

PHRASES = {
    "node_lifecycle": "NodeLifecycle",
    "iam_integration": "IAMIntegration",
    "eks_integration": "EKSIntegration",
    INTERRUPTION: "Interruption",
    "zonal_shift": "ZonalShift",
    "resource_discovery": "ResourceDiscovery",
    ADDITIONAL: "Additional",
}
"""Each group by its name in resource addresses: its part of the policy's name."""


@dataclass(frozen=True)
class Group:
    """One policy of the controller.

    Args:
        id: its name in resource addresses.
        statements: what it allows; a list, or an expression that is one.
    """

    id: str
    statements: list[Statement] | list[dict[str, object]] | Expr

    @property
    def phrase(self) -> str:
        """Its part of the policy's name."""
        return PHRASES[self.id]

    @property
    def document(self) -> dict[str, object]:
        """The policy document."""
        return {"Version": POLICY_VERSION, "Statement": self.statements}


def groups(release: Release, facts: Facts, node_role_arn: Text) -> list[Group]:
    """Karpenter's own policies but the interruption queue's, without empty ones."""
    words = facts.words(node_role_arn=node_role_arn)
    made = (
        Group(id_, statements(id_, release, words))
        for id_ in PHRASES
        if id_ not in (INTERRUPTION, ADDITIONAL)
    )
    return [group for group in made if group.statements]


def interruption(release: Release, queue_arn: Text) -> Group:
    """The policy for the interruption queue; without statements where a release reads none."""
    words = {"queue": queue_arn}
    return Group(INTERRUPTION, statements(INTERRUPTION, release, words))


def additional(given: list[dict[str, object]] | Expr) -> Group:
    """The policy of the user's own statements."""
    return Group(ADDITIONAL, given)


def size(document: object) -> int:
    """How long IAM takes a document to be, which does not count the white space between tokens.

    Raises:
        TypeError: the document holds expressions, whose values only Terraform knows.
    """
    return len(json.dumps(document, separators=(",", ":"), ensure_ascii=False))
