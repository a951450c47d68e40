"""`check`: four steps in order, stopping at the first that fails."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commands.check import check, steps


def ran(failing: str | None) -> tuple[int, list[str]]:
    names: list[str] = []

    def run(line: Sequence[str]) -> int:
        names.append(" ".join(line[2:4]))
        return 5 if failing and names[-1].startswith(failing) else 0

    return check(["-n", "2"], run), names


def test_all_steps_run_when_none_fails_and_the_tests_come_last() -> None:
    assert ran(None) == (0, ["ruff format", "ruff check", "mypy", "pytest -n"])


@pytest.mark.parametrize(
    ("failing", "names"),
    [
        ("ruff format", ["ruff format"]),
        ("ruff check", ["ruff format", "ruff check"]),
        ("mypy", ["ruff format", "ruff check", "mypy"]),
        ("pytest", ["ruff format", "ruff check", "mypy", "pytest -n"]),
    ],
)
def test_the_first_failure_ends_it_with_its_code(failing: str, names: list[str]) -> None:
    assert ran(failing) == (5, names)


def test_the_format_is_checked_and_not_changed() -> None:
    assert "--check" in steps([])[0]
    assert "--fix" not in steps([])[1]
