"""The agreements between options as `validation` blocks of the published module's variables."""

from __future__ import annotations

from modules.core.catalogue import Release
from modules.core.inputs import Validation
from modules.iam import extra_statements
from modules.iam.checks import AGREEMENTS


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by the variable that they stand at, beyond those of single values."""
    statements = "controller_policy_statements"
    blocks: dict[str, list[Validation]] = {
        statements: [
            Validation(
                extra_statements.shape_condition(f"var.{statements}"),
                f"{statements}: {extra_statements.PROBLEM}. "
                f"Allowed: {extra_statements.ALLOWED}. Fix: {extra_statements.FIX}.",
            )
        ]
    }
    for agreement in AGREEMENTS:
        block = Validation(agreement.condition(release), agreement.message)
        blocks.setdefault(agreement.field, []).append(block)
    return blocks
