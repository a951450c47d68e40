"""Which clusters a command line means, and which command lines are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commands.selection import Selection, WrongSelectionError, parse

DECLARED = ["blueprint-dev", "blueprint-prod", "edge"]


def of_deploy(*argv: str) -> Selection:
    return parse("deploy", argv, many=True, approval=True)


def of_destroy(*argv: str) -> Selection:
    return parse("destroy", argv, many=False, approval=True)


def of_diff(*argv: str) -> Selection:
    return parse("diff", argv, many=False, approval=False)


@pytest.mark.parametrize("read", [of_deploy, of_destroy, of_diff])
def test_one_cluster_can_be_named_everywhere(read: Callable[..., Selection]) -> None:
    assert read("edge").stacks(DECLARED) == ["edge"]


@pytest.mark.parametrize(
    ("argv", "stacks"),
    [
        (["edge", "blueprint-dev"], ["edge", "blueprint-dev"]),
        (["edge", "edge"], ["edge"]),
        (["*"], DECLARED),
        (["--all"], DECLARED),
        (["--all", "*"], DECLARED),
    ],
)
def test_a_deploy_takes_several_or_all(argv: list[str], stacks: list[str]) -> None:
    assert of_deploy(*argv).stacks(DECLARED) == stacks


@pytest.mark.parametrize("read", [of_destroy, of_diff])
@pytest.mark.parametrize(
    "argv", [["edge", "blueprint-dev"], ["*"], ["--all"], ["edge", "--all"], []]
)
def test_diff_and_destroy_take_exactly_one(
    read: Callable[..., Selection], argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        read(*argv)
    assert exit_.value.code == 2
    assert "usage: pipenv run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name a cluster, or ask for all with --all"),
        (["edge", "--all"], "not both"),
        (["edge", "*"], "not both"),
    ],
)
def test_a_deploy_never_means_all_by_accident(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        of_deploy(*argv)
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err


def test_the_wildcard_of_a_destroy_is_told_apart_from_a_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        of_destroy("*")
    assert "destroy is never done for all at once" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "blueprint-dve",
            "No cluster blueprint-dve is declared; there are: blueprint-dev, blueprint-prod, edge."
            " Did you mean blueprint-dev?",
        ),
        (
            "zzz",
            "No cluster zzz is declared; there are: blueprint-dev, blueprint-prod, edge.",
        ),
        (
            "blueprint-*",
            "No cluster blueprint-* is declared; there are: blueprint-dev, blueprint-prod, edge."
            " Did you mean blueprint-dev?",
        ),
    ],
)
def test_an_undeclared_cluster_is_refused_with_the_declared_ones(name: str, message: str) -> None:
    with pytest.raises(WrongSelectionError) as error:
        of_deploy("edge", name).stacks(DECLARED)
    assert str(error.value) == message


def test_every_undeclared_cluster_is_told_at_once() -> None:
    with pytest.raises(WrongSelectionError) as error:
        of_deploy("x", "y").stacks(DECLARED)
    assert str(error.value).count("is declared") == 2


def test_approval_is_asked_for_unless_the_option_is_given() -> None:
    assert not of_deploy("edge").auto_approve
    assert of_deploy("edge", "--auto-approve").auto_approve


def test_a_diff_knows_no_approval() -> None:
    with pytest.raises(SystemExit):
        of_diff("edge", "--auto-approve")


def test_what_follows_two_dashes_goes_to_the_cli() -> None:
    selection = of_deploy("edge", "--", "--refresh-only", "--var", "a=b")
    assert selection.clusters == ("edge",)
    assert selection.passed_on == ("--refresh-only", "--var", "a=b")
