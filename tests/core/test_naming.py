"""Names fit, stay the same, and are the same in Python and in Terraform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.core.expressions import Expr, template
from modules.core.naming import Limit, fit
from tests.evaluation import evaluate

NAME = st.text(st.sampled_from("abcXYZ019-_"), max_size=120)

# One below, at and above each limit, and far above; what is in the middle comes as a variable.
PARTS = {
    f"{limit.name.lower()}_{length}": (limit, "Karpenter-", "c" * (length - 12), "-b")
    for limit in Limit
    for length in (limit - 1, limit, limit + 1, 150)
}


@given(st.sampled_from(Limit), NAME, NAME)
def test_a_name_is_never_too_long_and_never_changes(limit: Limit, one: str, other: str) -> None:
    name = fit(limit, one, other)
    assert isinstance(name, str)
    assert len(name) <= limit
    assert name == fit(limit, one + other)


@given(NAME, NAME)
def test_two_wholes_never_share_a_name(one: str, other: str) -> None:
    assert (fit(Limit.IAM_ROLE, one) == fit(Limit.IAM_ROLE, other)) == (one == other)


@pytest.mark.parametrize("limit", Limit)
def test_a_name_is_cut_only_above_its_limit(limit: Limit) -> None:
    assert fit(limit, "x" * (limit - 1)) == "x" * (limit - 1)
    assert fit(limit, "x" * limit) == "x" * limit
    cut = str(fit(limit, "x" * (limit + 1)))
    assert cut != "x" * limit
    assert len(cut) == limit
    assert cut.startswith("x" * (limit - 9) + "-")


def test_a_cut_name_is_the_same_for_all_time() -> None:
    """Another name would replace the resource: this pins the rule itself."""
    assert fit(Limit.IAM_ROLE, "KarpenterNodeRole-", "c" * 47) == (
        "KarpenterNodeRole-ccccccccccccccccccccccccccccccccccccc-4ba2a5cf"
    )


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("names")
    return evaluate(
        folder,
        {
            name: template(fit(limit, before, Expr(f'var.middles["{name}"]'), after))
            for name, (limit, before, _, after) in PARTS.items()
        },
        variables={"middles": {name: middle for name, (_, _, middle, _) in PARTS.items()}},
    )


@pytest.mark.parametrize("name", PARTS)
def test_terraform_makes_the_name_that_python_makes(evaluated: dict[str, Any], name: str) -> None:
    assert evaluated[name] == fit(*PARTS[name])


def test_one_expression_makes_the_whole_an_expression() -> None:
    assert isinstance(fit(Limit.IAM_ROLE, "a", Expr("var.b")), Expr)
    assert fit(Limit.IAM_ROLE, "a", "b") == "ab"
