"""`publish` tells bad input as a message, not as a traceback."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commands import publish
from modules.core.faults import Fault, InvalidInput


def test_bad_input_of_the_publisher_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = InvalidInput([Fault(("version",), "is not known", "a known one", "choose one")])

    def refuse(argv: Sequence[str]) -> int:
        raise error

    monkeypatch.setattr(publish.publish, "main", refuse)
    assert publish.main([]) == 1
    assert capsys.readouterr().err == f"{error}\n"
