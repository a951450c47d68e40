"""What lies in `generated/` is what the publisher writes, and it keeps what a module promises."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modules.core.catalogue import DEFAULT_VERSION
from modules.core.inputs import Settings
from modules.core.rules import Rule
from modules.core.versioned import VERSION_FIELDS
from modules.iam.settings import IamSettings
from modules.provisioners.settings import ProvisionerSettings
from modules.release.settings import ReleaseSettings
from stacks.folder import MANIFEST
from stacks.publish import GENERATED, files, release_of
from stacks.published import modules_for
from stacks.published.base import PROVIDERS, PublishedModule
from stacks.published.files import hcl_files, json_files
from stacks.published.karpenter import _DESCRIPTIONS as JOINED_DESCRIPTIONS
from stacks.readme import HEADER
from tests.evaluation import unformatted

SETTINGS: dict[str, type[Settings]] = {
    "karpenter-iam": IamSettings,
    "karpenter-release": ReleaseSettings,
    "karpenter-provisioners": ProvisionerSettings,
}
MODULES = {module.name: module for module in modules_for(release_of(DEFAULT_VERSION))}
TEXTS = {
    path: content.decode()
    for path, content in files(release_of(DEFAULT_VERSION)).items()
    if path.endswith((".tf", ".tf.json")) and "/examples/" not in path
}

every_module = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)


def test_the_generated_folder_is_current() -> None:
    fresh = files(release_of(DEFAULT_VERSION))
    lying = {
        path.relative_to(GENERATED).as_posix(): path.read_bytes()
        for path in GENERATED.rglob("*")
        if path.is_file() and ".terraform" not in path.parts
    }
    lying.pop(MANIFEST)
    unlike = sorted(p for p in fresh.keys() | lying.keys() if fresh.get(p) != lying.get(p))
    assert not unlike, "generated/ is not current; run: pipenv run publish"


def test_terraform_fmt_would_change_nothing() -> None:
    assert unformatted(GENERATED) == ""


@pytest.mark.parametrize(
    "unwanted",
    [
        r"^provider\b",
        r'"provider":',
        r"\bbackend\b",
        r"(?<![\w:/.\]-])/(home|root|tmp|Users|work|var|opt)/",
        r"_[0-9A-F]{8}\b",
        r"TfToken",
        r"asset",
    ],
)
def test_no_module_holds(unwanted: str) -> None:
    found = [p for p, text in TEXTS.items() if re.search(unwanted, text, re.MULTILINE)]
    assert found == []


@every_module
def test_every_variable_and_output_is_described_in_sentences(module: PublishedModule) -> None:
    described = {item.name: item.description for item in (*module.variables, *module.outputs)}
    assert [name for name, text in described.items() if not re.match(r"[A-Z`].*\.$", text)] == []


@every_module
def test_every_variable_is_used_and_every_used_one_is_declared(module: PublishedModule) -> None:
    body = json.dumps([*module.blocks, module.outputs_tree])
    used = set(re.findall(r"\bvar\.(\w+)", body))
    assert used == {variable.name for variable in module.variables}


@every_module
def test_validations_read_declared_variables_only(module: PublishedModule) -> None:
    declared = {variable.name for variable in module.variables}
    for variable in module.variables:
        for rule in variable.validations:
            assert set(re.findall(r"\bvar\.(\w+)", rule.condition)) <= declared


@every_module
def test_every_variable_says_whether_null_is_a_value(module: PublishedModule) -> None:
    for name, block in module.variables_tree["variable"].items():
        assert isinstance(block["nullable"], bool), name
        assert block.get("default", "") is not None or block["nullable"]


@every_module
def test_each_comment_stands_above_a_block(module: PublishedModule) -> None:
    placed = {
        ".".join(labels)
        for block in module.blocks
        for labels in _labels(next(iter(block.values())))
    }
    assert set(module.comments) <= placed | {"locals"}


def _labels(tree: Any) -> Iterator[tuple[str, ...]]:
    for label, inner in tree.items():
        yield (label,)
        if isinstance(inner, dict):
            yield from ((label, name) for name in inner)


@every_module
def test_the_readme_lists_every_variable_and_output(module: PublishedModule) -> None:
    text = (GENERATED / module.name / "README.md").read_text(encoding="utf-8")
    first_cells = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    wanted = [item.name for item in (*module.variables, *module.outputs)]
    assert [name for name in wanted if name not in first_cells] == []
    assert f"Karpenter **{DEFAULT_VERSION}**" in text


NO_VARIABLES = ("settings", "default_instance_profile")
"""A module is for one release: `values` takes its chart's keys, and newer releases no profile."""


def _rules(annotation: Any) -> Iterator[Rule]:
    for argument in typing.get_args(annotation):
        if isinstance(argument, Rule):
            yield argument
        else:
            yield from _rules(argument)


@pytest.mark.parametrize("name", SETTINGS)
def test_validation_messages_are_those_of_python(name: str) -> None:
    variables = MODULES[name].variables_tree["variable"]
    for field, info in SETTINGS[name].model_fields.items():
        if field in (*VERSION_FIELDS, *NO_VARIABLES):
            assert field not in variables
            continue
        rules = [m for m in info.metadata if isinstance(m, Rule)] + [*_rules(info.annotation)]
        messages = [block["error_message"] for block in variables[field].get("validation", [])]
        for rule in rules:
            told = f"{field}: is not allowed. {rule.message}"
            assert (told in messages) is (rule.condition is not None), (field, rule.id)


def test_the_whole_module_passes_on_every_variable_of_its_parts() -> None:
    whole, *parts = MODULES.values()
    calls = {name: body for block in whole.blocks for name, body in block["module"].items()}
    assert list(calls) == ["iam", "release", "provisioners"]
    for call, part in zip(calls.values(), parts, strict=True):
        assert call["source"] == f"../{part.name}"
        passed = call.keys() - {"source", "depends_on"}
        assert passed == {variable.name for variable in part.variables}


def test_the_whole_module_applies_permissions_controller_and_pools_in_this_order() -> None:
    calls = {
        name: c for block in MODULES["karpenter"].blocks for name, c in block["module"].items()
    }
    assert "depends_on" not in calls["iam"]
    assert calls["release"]["depends_on"] == ["module.iam"]
    assert calls["provisioners"]["depends_on"] == ["module.release"]


def test_the_controller_role_is_given_away_with_all_its_permissions() -> None:
    outputs = MODULES["karpenter-iam"].outputs_tree["output"]
    waits = outputs["controller_role_arn"]["depends_on"]
    assert "aws_iam_role_policy_attachment.node_lifecycle" in waits
    assert "aws_cloudwatch_event_target.spot_interruption" in waits


def test_descriptions_that_are_joined_are_of_variables() -> None:
    names = {variable.name for variable in MODULES["karpenter"].variables}
    assert names >= JOINED_DESCRIPTIONS.keys()


def test_examples_use_the_ranges_and_the_source_of_their_module() -> None:
    mains = sorted(GENERATED.glob("*/examples/*/main.tf"))
    assert len({path.parts[-4] for path in mains}) == len(MODULES)
    for main in mains:
        text = main.read_text(encoding="utf-8")
        assert f'.git//generated/{main.parts[-4]}?ref=v1.0.0"\n  source = "../.."' in text
        versions = (main.parent / "versions.tf").read_text(encoding="utf-8")
        set_up = re.findall(r'^provider "(\w+)"', _provider_texts(main.parent), re.MULTILINE)
        for name in set_up:
            assert PROVIDERS[name]["version"] in versions


def _provider_texts(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.tf"))


def test_hand_written_blocks_stand_in_both_forms(tmp_path: Path) -> None:
    whole = MODULES["karpenter"]
    shutil.copytree(whole.handwritten, tmp_path / "parts")
    (tmp_path / "parts/moved.tf").write_bytes(b"moved {}\n")
    module = dataclasses.replace(whole, handwritten=tmp_path / "parts")
    assert hcl_files(module)["moved.tf"] == json_files(module)["moved.tf"] == b"moved {}\n"
    assert "examples/basic/main.tf" not in json_files(module)
    assert HEADER not in hcl_files(module)


def test_json_is_sorted_and_ends_in_a_line_feed() -> None:
    for path, text in TEXTS.items():
        if path.endswith(".json"):
            assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
