"""A user's text reaches Helm as it is: through Python, a synthesized file, Terraform and YAML."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import helm_python
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modules.core.expressions import Expr, json_document
from modules.release.plain import unfit_parts
from tests.evaluation import evaluate
from tests.release.awkward import AWKWARD, UNREADABLE

# Terraform composes characters (NFC), so that composed text is what can come back unchanged.
_REFUSED = [chr(code) for code in (*range(0x7F, 0xA0), 0xFFFE, 0xFFFF)]
TEXT = st.text(st.characters(codec="utf-8", exclude_characters=_REFUSED)).map(
    lambda text: unicodedata.normalize("NFC", text)
)
PIECES = st.lists(
    st.sampled_from([*"${}%\\\"'<>&#\n\r\t~", "${", "%{", "$${", "%%{", "{{", "}}", "<<EOF\n", "é"])
).map("".join)
SCALAR = (
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.sampled_from([0.075, 1.5, -0.25])
)
DATA = st.recursive(
    SCALAR | TEXT | PIECES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT | PIECES, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    as_keys = {name: {text: [text]} for name, text in AWKWARD.items()}
    return evaluate(
        tmp_path_factory.mktemp("awkward"),
        {
            "document": json_document(AWKWARD),
            "own": "${jsonencode(var.data)}",
            "keys": json_document(as_keys),
        },
        variables={"data": AWKWARD},
    )


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_text_comes_back_from_terraform_unchanged(
    evaluated: dict[str, Any], name: str
) -> None:
    assert json.loads(evaluated["document"])[name] == AWKWARD[name]


@pytest.mark.parametrize("name", AWKWARD)
def test_helm_reads_awkward_text_as_that_text(evaluated: dict[str, Any], name: str) -> None:
    assert helm_python.values_from_yaml(evaluated["document"])[name] == AWKWARD[name]


def read_by_helm(data: object) -> object:
    """What Helm makes of the data, or its error."""
    try:
        return helm_python.values_from_yaml(json_document(data))
    except helm_python.HelmValuesError as error:
        return error


@pytest.mark.parametrize("name", UNREADABLE)
def test_text_that_helm_cannot_read_is_refused(name: str) -> None:
    [fault] = unfit_parts({"settings": [UNREADABLE[name]]})
    assert fault.path == ("settings", 0)
    assert read_by_helm({"a": UNREADABLE[name]}) != {"a": UNREADABLE[name]}


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_text_is_not_refused(name: str) -> None:
    assert not list(unfit_parts({AWKWARD[name]: AWKWARD[name]}))


def test_a_document_equals_what_terraform_would_encode(evaluated: dict[str, Any]) -> None:
    assert evaluated["document"] == evaluated["own"]


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_text_survives_as_a_key(evaluated: dict[str, Any], name: str) -> None:
    assert json.loads(evaluated["keys"])[name] == {AWKWARD[name]: [AWKWARD[name]]}


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(batch=st.lists(DATA, min_size=1, max_size=60))
def test_any_data_comes_back_from_terraform_and_helm_unchanged(
    batch: list[Any], tmp_path: Path
) -> None:
    data = {"batch": batch}
    found = evaluate(
        tmp_path,
        {"document": json_document(data), "own": "${jsonencode(var.data)}"},
        variables={"data": data},
    )
    assert json.loads(found["document"]) == data
    assert found["document"] == found["own"]
    assert helm_python.values_from_yaml(found["document"]) == data


def test_terraform_composes_characters(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "é")
    found = evaluate(tmp_path, {"document": json_document([decomposed])})
    assert json.loads(found["document"]) == ["é"]
    assert decomposed != "é"


@pytest.fixture(scope="module")
def echoing_chart(tmp_path_factory: pytest.TempPathFactory) -> helm_python.Chart:
    """A chart that writes its values as YAML and puts one into a quoted place."""
    folder = tmp_path_factory.mktemp("chart")
    (folder / "templates").mkdir()
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: echo\nversion: 1.0.0\n")
    (folder / "templates" / "all.yaml").write_text("{{ toYaml .Values }}\n")
    (folder / "templates" / "each.yaml").write_text(
        "{{ range $key, $value := .Values }}\n{{ $key | quote }}: {{ $value | quote }}{{ end }}\n"
    )
    return helm_python.Chart.load(folder)


@pytest.mark.parametrize("template", ["all", "each"])
def test_a_chart_renders_awkward_text_as_that_text(
    echoing_chart: helm_python.Chart, evaluated: dict[str, Any], template: str
) -> None:
    values = helm_python.values_from_yaml(evaluated["document"])
    rendered = echoing_chart.render(values)[f"echo/templates/{template}.yaml"]
    assert helm_python.values_from_yaml(rendered) == AWKWARD


def test_an_expression_in_a_document_cannot_break_it(tmp_path: Path) -> None:
    document = json_document({"a": Expr("var.data"), "b": [Expr('var.data["quotes"]'), "${X}"]})
    found = evaluate(tmp_path, {"document": document}, variables={"data": AWKWARD})
    assert json.loads(found["document"]) == {"a": AWKWARD, "b": [AWKWARD["quotes"], "${X}"]}
