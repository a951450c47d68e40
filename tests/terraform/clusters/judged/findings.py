"""What is found in a document, statement by statement, by two who know what AWS knows.

Parliament looks no further in a statement once something is wrong there, so each is given alone.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any

from tests.terraform.clusters.judged.service_reference import unknown

with warnings.catch_warnings():
    warnings.simplefilter("ignore", UserWarning)  # It imports pkg_resources, which is to go.
    from parliament import analyze_policy_string

Finding = tuple[str, str, str]
"""The statement's Sid or first action, what is wrong with it, and in what."""

NOT_IN_REFERENCE = "NOT_IN_REFERENCE"
_ROLE = "arn:aws:iam::123456789012:role/trusting"


def findings(document: dict[str, Any]) -> set[Finding]:
    """All of them."""
    return {
        (str(statement.get("Sid") or statement["Action"]), issue, subject)
        for statement in document["Statement"]
        for issue, subject in _of(statement, document)
    }


def _of(statement: dict[str, Any], document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    # A trust policy's statement names no resource, which parliament wants.
    complete = statement if "Resource" in statement else {**statement, "Resource": _ROLE}
    text = json.dumps({**document, "Statement": [complete]})
    for finding in analyze_policy_string(text).findings:
        for subject in _subjects(finding.detail):
            yield finding.issue, subject
    for subject in unknown(statement):
        yield NOT_IN_REFERENCE, subject


def _subjects(detail: Any) -> Iterator[str]:
    for item in detail if isinstance(detail, list) else [detail]:
        if isinstance(item, dict) and "action" in item:
            yield f"{item['action']} on {item['required_format']}"
        else:
            yield str(item)
