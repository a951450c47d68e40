"""The swap: a complete synthesis replaces the last one, and nothing of the user's is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.core.faults import InvalidInput
from stacks import output
from stacks.manifest import Note, declared_stacks, notes, written_files
from stacks.output import output_folder, synthesized

CLI = {"CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS": "true"}
USER_FILES = {
    "terraform.tfstate": "state",
    "terraform.tfstate.backup": "old state",
    "errored.tfstate": "state that could not be saved",
    "plan": "a plan",
    ".terraform.lock.hcl": "locks",
    ".terraform/providers/x": "provider",
    "notes/read.me": "mine",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else "(folder)"
        for path in sorted(folder.rglob("*"))
    }


def synth(
    out: Path,
    stacks: dict[str, dict[str, str]],
    *,
    environ: dict[str, str] | None = None,
    annotations: dict[str, list[dict[str, str]]] | None = None,
) -> list[str]:
    """Write stacks as CDKTF would; returns what was reported."""
    told: list[str] = []
    with synthesized(out, environ=environ or {}, report=told.append) as staging:
        for name, files in stacks.items():
            write(staging / "stacks" / name, files)
        entries = {name: {"annotations": (annotations or {}).get(name, [])} for name in stacks}
        write(staging, {"manifest.json": json.dumps({"stacks": entries})})
    return told


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "cdktf.out"


def test_the_first_synthesis_makes_the_folder(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1", "assets/chart/x": "y"}})
    assert tree(out) == {
        "manifest.json": '{"stacks": {"a": {"annotations": []}}}',
        "stacks": "(folder)",
        "stacks/a": "(folder)",
        "stacks/a/assets": "(folder)",
        "stacks/a/assets/chart": "(folder)",
        "stacks/a/assets/chart/x": "y",
        "stacks/a/cdk.tf.json": "1",
    }


def test_no_staging_folder_is_left_behind(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}})
    assert list(out.parent.iterdir()) == [out]


def test_a_second_synthesis_replaces_the_files_and_the_whole_of_assets(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1", "assets/old": "x"}})
    synth(out, {"a": {"cdk.tf.json": "2", "assets/new": "y"}})
    assert tree(out / "stacks" / "a") == {
        "assets": "(folder)",
        "assets/new": "y",
        "cdk.tf.json": "2",
    }


def test_files_of_the_user_survive_a_synthesis(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}})
    write(out / "stacks" / "a", USER_FILES)
    write(out, {"beside": "mine"})
    before = tree(out)
    synth(out, {"a": {"cdk.tf.json": "2"}})
    assert tree(out) == before | {"stacks/a/cdk.tf.json": "2"}


@pytest.mark.parametrize(
    ("first", "second"),
    [("cdk.tf", "cdk.tf.json"), ("cdk.tf.json", "cdk.tf")],
    ids=["HCL, then JSON", "JSON, then HCL"],
)
def test_the_form_written_before_does_not_stay_beside_the_new_one(
    out: Path, first: str, second: str
) -> None:
    synth(out, {"a": {first: "1"}})
    synth(out, {"a": {second: "2"}})
    assert tree(out / "stacks" / "a") == {second: "2"}


def test_the_metadata_of_an_hcl_synthesis_goes_with_it(out: Path) -> None:
    synth(out, {"a": {"cdk.tf": "1", "metadata.json": "{}"}})
    assert set(tree(out / "stacks" / "a")) == {"cdk.tf", "metadata.json"}
    synth(out, {"a": {"cdk.tf.json": "2"}})
    assert set(tree(out / "stacks" / "a")) == {"cdk.tf.json"}


def synth_halfway(out: Path) -> None:
    with synthesized(out, environ={}) as staging:
        write(staging, {"stacks/a/cdk.tf.json": "2", "manifest.json": '{"stacks": {"a": {}}}'})
        raise ArithmeticError("halfway")


def synth_without_manifest(out: Path) -> None:
    with synthesized(out, environ={}) as staging:
        write(staging, {"stacks/a/cdk.tf.json": "2"})


def test_a_failure_in_the_synthesis_leaves_the_last_output(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}})
    before = tree(out.parent)
    with pytest.raises(ArithmeticError):
        synth_halfway(out)
    assert tree(out.parent) == before


def test_a_failure_in_the_first_synthesis_leaves_nothing(out: Path) -> None:
    with pytest.raises(ArithmeticError):
        synth_halfway(out)
    assert list(out.parent.iterdir()) == []


def test_a_synthesis_without_a_manifest_is_a_failure(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}})
    before = tree(out.parent)
    with pytest.raises(RuntimeError, match=r"manifest\.json"):
        synth_without_manifest(out)
    assert tree(out.parent) == before


@pytest.mark.parametrize("environ", [{}, CLI], ids=["alone", "under the CLI"])
@pytest.mark.parametrize("failing", range(9))
def test_a_failure_in_the_swap_is_taken_back(
    out: Path, environ: dict[str, str], failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever rename fails, the output is as it was; the last cases need fewer renames."""
    synth(out, {"gone": {"cdk.tf.json": "0"}})
    write(out / "stacks" / "gone", USER_FILES)
    synth(out, {"back": {"cdk.tf.json": "0"}, "a": {"cdk.tf": "1", "assets/x": "1"}})
    write(out / "stacks" / "back", USER_FILES)
    (out / "undeclared").mkdir()
    (out / "stacks" / "back").rename(out / "undeclared" / "back")
    before = tree(out.parent)
    calls = 0

    def fail_once(method: str) -> None:
        original = getattr(Path, method)

        def wrapped(self: Path, *args: object) -> object:
            nonlocal calls
            calls += 1
            if calls == failing + 1:
                raise OSError("no space left")
            return original(self, *args)

        monkeypatch.setattr(Path, method, wrapped)

    fail_once("rename")
    fail_once("replace")
    wanted = {"a": {"cdk.tf.json": "2", "assets/y": "2"}, "back": {"cdk.tf.json": "2"}}
    try:
        synth(out, {**wanted, "new": {"cdk.tf.json": "2"}}, environ=environ)
    except InvalidInput:
        assert tree(out.parent) == before
    else:
        assert calls <= failing


@pytest.mark.parametrize("environ", [{}, CLI], ids=["alone", "under the CLI"])
def test_an_undeclared_stack_with_only_our_files_is_removed_and_reported(
    out: Path, environ: dict[str, str]
) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}, "b": {"cdk.tf.json": "1", "assets/x": "y"}})
    told = synth(out, {"a": {"cdk.tf.json": "1"}}, environ=environ)
    # Under the CLI an empty folder stays, which the CLI deletes.
    assert tree(out).get("stacks/b") == ("(folder)" if environ else None)
    assert "stacks/b/cdk.tf.json" not in tree(out)
    assert "undeclared/b" not in tree(out)
    assert len(told) == 1
    assert told[0].startswith("Stack b is no longer declared")
    assert told[0].endswith("was removed.")


def backend(**block: object) -> dict[str, str]:
    return {"cdk.tf.json": json.dumps({"terraform": {"backend": block}})}


@pytest.mark.parametrize("environ", [{}, CLI], ids=["alone", "under the CLI"])
@pytest.mark.parametrize(
    ("written", "state"),
    [
        (backend(local={"path": "../../../terraform.b.tfstate"}), "{top}/terraform.b.tfstate"),
        (backend(local={"path": "../../../other.tfstate"}), None),
        (
            backend(s3={"bucket": "states", "key": "karpenter/b.tfstate"}),
            "s3://states/karpenter/b.tfstate",
        ),
        (backend(), None),
        ({"cdk.tf.json": "{"}, None),
    ],
)
def test_the_state_of_a_stack_that_was_removed_is_named(
    out: Path, written: dict[str, str], state: str | None, environ: dict[str, str]
) -> None:
    write(out.parent, {"terraform.b.tfstate": "state"})
    synth(out, {"a": {"cdk.tf.json": "1"}, "b": written})
    (told,) = synth(out, {"a": {"cdk.tf.json": "1"}}, environ=environ)
    removed, _, left = told.partition(" was removed.")
    assert removed.startswith("Stack b is no longer declared: ")
    where = None if state is None else state.format(top=out.parent.resolve())
    assert left == (
        ""
        if where is None
        else f" Its state was left in {where}. If its resources still exist, declare it again and "
        "run `destroy`."
    )
    assert (out.parent / "terraform.b.tfstate").read_text() == "state"


@pytest.mark.parametrize("name", [*USER_FILES])
def test_an_undeclared_stack_with_a_file_of_the_user_stays_in_its_place(
    out: Path, name: str
) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}, "b": {"cdk.tf.json": "1"}})
    write(out / "stacks" / "b", {name: "mine"})
    before = tree(out / "stacks" / "b")
    for _ in range(2):  # It is told each time.
        told = synth(out, {"a": {"cdk.tf.json": "1"}})
        assert tree(out / "stacks" / "b") == before
        assert len(told) == 1
        assert f"it holds {Path(name).parts[0]}." in told[0]
        assert f"terraform -chdir={out / 'stacks' / 'b'} destroy" in told[0]
    assert declared_stacks(out) == ["a"]


def test_under_the_cli_it_moves_out_of_reach_and_comes_back_when_declared_again(
    out: Path,
) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}, "b": {"cdk.tf.json": "1"}})
    write(out / "stacks" / "b", USER_FILES)
    before = tree(out / "stacks" / "b")

    told = synth(out, {"a": {"cdk.tf.json": "1"}}, environ=CLI)
    assert tree(out / "stacks" / "b") == {}
    assert tree(out / "undeclared" / "b") == before
    assert f"{out / 'undeclared' / 'b'} was kept" in told[0]
    (out / "stacks" / "b").rmdir()  # as the CLI does

    assert "was kept" in synth(out, {"a": {"cdk.tf.json": "1"}}, environ=CLI)[0]

    told = synth(out, {"a": {"cdk.tf.json": "1"}, "b": {"cdk.tf.json": "2"}}, environ=CLI)
    assert tree(out / "stacks" / "b") == before | {"cdk.tf.json": "2"}
    assert not (out / "undeclared" / "b").exists()
    assert "came back" in told[0]


def test_files_in_both_places_are_left_there_and_told(out: Path) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}})
    write(out, {"undeclared/a/terraform.tfstate": "old", "stacks/a/terraform.tfstate": "new"})
    told = synth(out, {"a": {"cdk.tf.json": "2"}})
    assert tree(out)["undeclared/a/terraform.tfstate"] == "old"
    assert tree(out)["stacks/a/terraform.tfstate"] == "new"
    assert "Look in which of them its state is" in told[0]


def test_by_default_an_undeclared_stack_is_told_on_stderr(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    synth(out, {"a": {"cdk.tf.json": "1"}, "b": {"cdk.tf.json": "1"}})
    with synthesized(out, environ={}) as staging:
        write(staging, {"stacks/a/cdk.tf.json": "1"})
        write(staging, {"manifest.json": '{"stacks": {"a": {"annotations": []}}}'})
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("Stack b is no longer declared")


def test_the_listing_names_the_synthesized_files_only(out: Path) -> None:
    synth(out, {"b": {"cdk.tf.json": "12"}, "a": {"cdk.tf.json": "1", "assets/c/x": "123"}})
    write(out / "stacks" / "a", USER_FILES)
    listed = [
        (file.stack, str(file.path.relative_to(out)), file.size) for file in written_files(out)
    ]
    assert listed == [
        ("a", "stacks/a/cdk.tf.json", 1),
        ("a", "stacks/a/assets/c/x", 3),
        ("b", "stacks/b/cdk.tf.json", 2),
    ]


def test_the_notes_of_the_constructs_are_read_from_the_manifest(out: Path) -> None:
    warning = {"level": "@cdktf/warn", "constructPath": "a/pools", "message": "no subnets"}
    synth(out, {"a": {"cdk.tf.json": "1"}}, annotations={"a": [warning]})
    assert notes(out) == [Note("warn", "a/pools", "no subnets")]


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({}, "cdktf.out"),
        ({"CDKTF_OUTDIR": ""}, "cdktf.out"),
        ({"CDKTF_OUTDIR": "elsewhere/x"}, "elsewhere/x"),
    ],
    ids=["unset", "empty", "set by the CLI"],
)
def test_the_output_folder_is_the_one_the_cli_asks_for(
    environ: dict[str, str], folder: str
) -> None:
    assert output_folder(environ) == Path(folder)


def test_only_a_run_under_the_cli_is_taken_for_one() -> None:
    assert output.cli_deletes_undeclared(CLI)
    assert not output.cli_deletes_undeclared({"CDKTF_OUTDIR": "cdktf.out"})
