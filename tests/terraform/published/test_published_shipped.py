"""The `terraform test` files that come with the modules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stacks.publish import GENERATED
from tests.terraform.conftest import MakeTerraform
from tests.terraform.published.roots import REQUIRED, take_modules
from tests.terraform.standin.terraform import both_engines

FILES = sorted(GENERATED.glob("*/tests/*.tftest.hcl"))


@both_engines
@pytest.mark.parametrize("module", REQUIRED)
def test_the_tests_that_come_with_a_module_pass(
    module: str, terraform: MakeTerraform, tmp_path: Path
) -> None:
    take_modules(tmp_path)
    tf = terraform(tmp_path / "modules" / module)
    tf.init()
    runs = sum(
        len(re.findall(r'^run "', path.read_text(), re.MULTILINE))
        for path in FILES
        if path.parent.parent.name == module
    )
    assert runs
    assert f"Success! {runs} passed, 0 failed." in tf.test().text


def test_every_module_comes_with_tests() -> None:
    assert {path.parent.parent.name for path in FILES} == set(REQUIRED)
