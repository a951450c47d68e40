"""Placing resources that a literal or a Terraform expression switches on.

Cluster stacks know at synth whether a resource is wanted; published modules leave it to a
variable. Constructs write both in one way: `when` places a resource and gives back how to
refer to it. References are plain Terraform text, since the addresses are plain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from modules.core.expressions import Expr, template


class Element(Protocol):
    """What this file needs of a CDKTF resource or data source."""

    @property
    def terraform_resource_type(self) -> str: ...

    @property
    def friendly_unique_id(self) -> str: ...

    def add_override(self, path: str, value: Any) -> None: ...


@dataclass(frozen=True)
class Placed:
    """A resource in the plan, and how to refer to it.

    Args:
        address: such as `aws_iam_role.controller`.
        counted: whether an expression decides if there is one or none.
    """

    address: str
    counted: bool = False

    def attribute(self, name: str) -> Expr:
        """Its attribute; null where there is no such resource."""
        return Expr(f"one({self.address}[*].{name})" if self.counted else f"{self.address}.{name}")


def place(element: Element, *, data: bool = False) -> Placed:
    """How to refer to a resource, or to a data source, that is always there."""
    address = f"{element.terraform_resource_type}.{element.friendly_unique_id}"
    return Placed(f"data.{address}" if data else address)


def when(switch: bool | Expr, make: Callable[[], Element], *, data: bool = False) -> Placed | None:
    """Places what `make` makes, if the switch is on.

    Args:
        switch: a literal, or an expression that is known at plan.

    Returns:
        None where the switch is literally off.
    """
    if switch is False:
        return None
    element = make()
    placed = place(element, data=data)
    if isinstance(switch, Expr):
        element.add_override("count", f"${{{switch.text} ? 1 : 0}}")
        return Placed(placed.address, counted=True)
    return placed


def for_each(element: Element, values: Mapping[str, str] | Expr) -> Placed:
    """One instance of the resource for each entry; it reads `each.key` and `each.value`.

    Args:
        values: keys are literal or known at plan.
    """
    element.add_override(
        "for_each",
        str(values) if isinstance(values, Expr) else {k: template(v) for k, v in values.items()},
    )
    return place(element)


def depend(element: Element, on: Iterable[Placed | None]) -> None:
    """Makes the resource wait for others at apply, and go before them at destroy."""
    addresses = [placed.address for placed in on if placed is not None]
    if addresses:
        element.add_override("depends_on", addresses)


def require(element: Element, conditions: Iterable[tuple[Expr, str | Expr]]) -> None:
    """Preconditions of a resource: `(what must hold, what to say where it does not)`."""
    blocks = [
        {"condition": str(condition), "error_message": template(message)}
        for condition, message in conditions
    ]
    if blocks:
        element.add_override("lifecycle.precondition", blocks)
