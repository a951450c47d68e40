"""The log of provider calls, in time order, for a test to read."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Call:
    """One call of Terraform to a provider.

    ``operation`` is one of configure, plan, create, update, delete, read, import, data.
    ``started`` and ``finished`` are ticks of one counter over all calls: A ended before B began if
    ``A.finished < B.started``. ``finished`` is None while the call runs; ``error`` tells why it
    failed. Terraform tells a provider no addresses: ``name`` is the object's name, or what tells
    it best: a target's id, an attachment's policy ARN, an access entry's principal ARN.
    """

    operation: str
    type: str
    name: str
    started: int
    finished: int | None = None
    error: str | None = None


@dataclass
class CallLog:
    calls: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Condition()
        self._tick = itertools.count(1)

    def clear(self) -> None:
        with self._lock:
            self.calls.clear()

    @contextmanager
    def record(self, operation: str, type_name: str, name: str) -> Iterator[Call]:
        with self._lock:
            call = Call(operation, type_name, name, next(self._tick))
            self.calls.append(call)
        try:
            yield call
        except BaseException as error:
            call.error = str(error)
            raise
        finally:
            with self._lock:
                call.finished = next(self._tick)
                self._lock.notify_all()

    def matching(
        self, operation: str | None = None, type_name: str | None = None, name: str | None = None
    ) -> list[Call]:
        """Calls in time order, narrowed by what is given."""
        with self._lock:
            return [
                call
                for call in self.calls
                if operation in (None, call.operation)
                and type_name in (None, call.type)
                and name in (None, call.name)
            ]

    def changes(self) -> list[Call]:
        """Creates, updates and deletes, in time order."""
        return [c for c in self.matching() if c.operation in ("create", "update", "delete")]

    def wait_until_quiet(self, timeout: float = 10.0) -> None:
        """Wait until no call runs: after Terraform was killed, calls in flight still end here."""

        def idle() -> bool:
            return all(call.finished is not None for call in self.calls)

        with self._lock:
            if not self._lock.wait_for(idle, timeout):
                raise TimeoutError("a provider call still runs")
