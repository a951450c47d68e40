"""What the tests of published modules share."""

from __future__ import annotations

import pytest

from tests.terraform.published.cases import MODULES, load
from tests.terraform.published.judging import Judged, judge


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """By case, the validations that refuse it."""
    cases = load()
    found: Judged = {}
    for module in MODULES:
        of_module = [case for case in cases if case.module == module]
        found |= judge(module, of_module, tmp_path_factory.mktemp(module))
    return found
