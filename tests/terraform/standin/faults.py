"""Faults that a test plants in provider calls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .log import Call

When = Literal["before", "after"]
Hook = Callable[[Call], None]


class InjectedFault(Exception):
    """The error of a call that a test made fail."""


@dataclass
class _Fault:
    operation: str
    type_name: str
    nth: int
    when: When
    hook: Hook
    name: str | None
    seen: int = 0


class Faults:
    """Hooks run before or after the Nth call of an operation on a type.

    A hook that raises makes the call fail: before, nothing has happened yet; after, the object is
    changed but Terraform is told of an error and keeps the state it had.
    """

    def __init__(self) -> None:
        self._faults: list[_Fault] = []
        self._lock = threading.Lock()

    def clear(self) -> None:
        with self._lock:
            self._faults.clear()

    def add(
        self,
        operation: str,
        type_name: str,
        hook: Hook,
        *,
        nth: int = 1,
        when: When = "before",
        name: str | None = None,
    ) -> None:
        """Run ``hook`` at the ``nth`` call (1-based, counted from now); ``name`` narrows it."""
        with self._lock:
            self._faults.append(_Fault(operation, type_name, nth, when, hook, name))

    def fail(
        self,
        operation: str,
        type_name: str,
        message: str = "ServiceUnavailable: injected by the test",
        *,
        nth: int = 1,
        when: When = "before",
        name: str | None = None,
    ) -> None:
        """Make the ``nth`` call fail once, with this message."""

        def hook(_call: Call) -> None:
            raise InjectedFault(message)

        self.add(operation, type_name, hook, nth=nth, when=when, name=name)

    def run(self, call: Call, when: When) -> None:
        due: list[Hook] = []
        with self._lock:
            for fault in self._faults:
                if (fault.operation, fault.type_name, fault.when) != (
                    call.operation,
                    call.type,
                    when,
                ) or fault.name not in (None, call.name):
                    continue
                fault.seen += 1
                if fault.seen == fault.nth:
                    due.append(fault.hook)
        for hook in due:
            hook(call)
