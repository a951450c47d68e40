"""Decides requests by policies as AWS documents it: an explicit deny, else an allow, else a deny.

For requests within one account: there, either of the caller's own policies and the resource's may
allow. Boundaries, session policies and those of an organisation are left out.

Source: IAM's user guide, "Policy evaluation logic" and the reference of policy elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tests.policies.conditions import Context, as_list, holds, matches, substituted

Document = Mapping[str, Any]
Statement = Mapping[str, Any]

WITH_VARIABLES = "2012-10-17"
"""The version of the policy language since which `${...}` is a variable."""


class Decision(Enum):
    ALLOW = "allow"
    EXPLICIT_DENY = "explicit deny"
    IMPLICIT_DENY = "implicit deny"


@dataclass(frozen=True)
class Request:
    """One call.

    Args:
        action: as in a policy, such as `ec2:RunInstances`.
        resource: the ARN it is about, `*` where it is about none.
        context: its condition keys.
        principal: who calls, in the form of a policy's `Principal`: (`Service`, its name),
            (`Federated`, the provider's ARN) or (`AWS`, an ARN); resource policies want it.
    """

    action: str
    resource: str = "*"
    context: Context = field(default_factory=dict)
    principal: tuple[str, str] | None = None


def decide(
    request: Request, *, identity: Sequence[Document] = (), resource: Document | None = None
) -> Decision:
    """The decision on a request.

    Args:
        identity: the policies attached to the caller.
        resource: the policy of the resource; a role's trust is one.

    Raises:
        ValueError: a document is not what its place takes, or its condition cannot be judged.
    """
    effects = {
        statement["Effect"]
        for statement in _statements(identity, resource, request)
        if _applies(statement, request)
    }
    if "Deny" in effects:
        return Decision.EXPLICIT_DENY
    return Decision.ALLOW if "Allow" in effects else Decision.IMPLICIT_DENY


def _statements(
    identity: Sequence[Document], resource: Document | None, request: Request
) -> Iterator[Statement]:
    """All statements that are about the request's principal."""
    for document in identity:
        for statement in _of(document):
            if "Principal" in statement or "NotPrincipal" in statement:
                raise ValueError("a policy of a caller names no principal")
            if "Resource" not in statement and "NotResource" not in statement:
                raise ValueError("a statement of a caller's policy names a resource")
            yield statement
    if resource is not None:
        for statement in _of(resource):
            if _is_about(statement, request.principal):
                yield statement


def _of(document: Document) -> list[Statement]:
    if document.get("Version") != WITH_VARIABLES:
        raise ValueError(f"only policies of version {WITH_VARIABLES} are judged")
    statements: list[Any] = as_list(document["Statement"])
    return statements


def _is_about(statement: Statement, principal: tuple[str, str] | None) -> bool:
    if principal is None:
        raise ValueError("a resource's policy wants to know who calls")
    if "NotPrincipal" in statement:
        return not _names(statement["NotPrincipal"], *principal)
    if "Principal" not in statement:
        raise ValueError("a statement of a resource's policy names a principal")
    return _names(statement["Principal"], *principal)


def _names(element: object, kind: str, name: str) -> bool:
    """Whether a `Principal` element names this one."""
    if element == "*":
        return True
    if not isinstance(element, Mapping):
        raise ValueError(f"{element} is no principal")
    everybody = "*" in as_list(element.get("AWS", []))
    return everybody or any(
        name == wanted or (kind == "AWS" and _is_in(name, str(wanted)))
        for wanted in as_list(element.get(kind, []))
    )


def _is_in(arn: str, account: str) -> bool:
    """Whether a principal is of an account, given by its number or as its root."""
    parts = arn.split(":")
    root = f"{':'.join(parts[:5])}:root"
    return account in (parts[4], root)


def _applies(statement: Statement, request: Request) -> bool:
    return (
        _covers(statement, "Action", request.action.lower(), request.context)
        and _covers(statement, "Resource", request.resource, request.context)
        and holds(statement.get("Condition", {}), request.context)
    )


def _covers(statement: Statement, element: str, value: str, context: Context) -> bool:
    for name, wanted in ((element, True), (f"Not{element}", False)):
        if name in statement:
            patterns = (substituted(str(item), context) for item in as_list(statement[name]))
            folded = (p.lower() if element == "Action" else p for p in patterns)
            return any(matches(pattern, value) for pattern in folded) == wanted
    if element == "Resource":
        return True  # A trust policy is attached to what it is about, so it names no resource.
    raise ValueError(f"a statement has neither {element} nor Not{element}")
