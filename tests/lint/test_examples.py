"""Every rule has an example in which it finds something, and a twin in which it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from modules.provisioners.lint.examples import Example, examples
from modules.provisioners.lint.registry import BY_CODE, RULES
from tests.lint.linting import codes, lint_example, lint_text, places

FOLDER = Path(__file__).parents[2] / "modules/provisioners/lint/examples"
EXAMPLES = [pytest.param(code, example, id=code) for code, example in examples().items()]


def test_every_rule_has_an_example_and_every_example_a_rule() -> None:
    assert set(examples()) == {rule.code for rule in RULES}


def test_no_code_is_given_twice() -> None:
    assert sorted(BY_CODE) == [rule.code for rule in RULES]
    assert list(BY_CODE) == sorted(BY_CODE)


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_the_rule_finds_its_bad_example_where_it_says(
    code: str, example: Example, tmp_path: Path
) -> None:
    assert set(places(lint_example(tmp_path, example, example.bad), code)) == {example.at}


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_the_rule_finds_nothing_in_the_mended_example(
    code: str, example: Example, tmp_path: Path
) -> None:
    assert code not in codes(lint_example(tmp_path, example, example.good))


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_no_mended_example_is_refused_by_the_api_server(
    code: str, example: Example, tmp_path: Path
) -> None:
    found = codes(lint_example(tmp_path, example, example.good))
    assert [c for c in found if c.startswith("KPT0")] == []


GENERATIONS = {
    "1.14.2": ("karpenter.sh/v1", "karpenter.k8s.aws/v1"),
    "0.37.8": ("karpenter.sh/v1beta1", "karpenter.k8s.aws/v1beta1"),
    "0.31.4": ("karpenter.sh/v1alpha5", "karpenter.k8s.aws/v1alpha1"),
}


@pytest.mark.parametrize("release", GENERATIONS)
def test_nothing_at_all_is_found_in_the_baseline(release: str, tmp_path: Path) -> None:
    text = (FOLDER / "baseline.yaml").read_text(encoding="utf-8")
    objects = [o for o in yaml.safe_load_all(text) if o["apiVersion"] in GENERATIONS[release]]
    assert len(objects) == 2
    assert codes(lint_text(tmp_path, yaml.safe_dump_all(objects), release)) == []
