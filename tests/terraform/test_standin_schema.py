"""The served schema is what the installed bindings say, and every table fits it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.terraform.standin import derive, facts, served
from tests.terraform.standin.aws.data import SOURCES
from tests.terraform.standin.aws.provider import RESOURCES
from tests.terraform.standin.aws.validation import ARNS, CONFLICTS, NUMBERS, TEXTS
from tests.terraform.standin.bindings import UnreadableBinding
from tests.terraform.standin.schema import provider_schema, resource_block, zero


def test_the_committed_schema_is_derived_from_the_installed_bindings() -> None:
    assert derive.SCHEMA_FILE.read_text() == derive.derive()


def test_every_served_type_has_a_schema_and_an_implementation() -> None:
    for provider, key, types in (
        ("aws", "resource_schemas", served.RESOURCES["aws"]),
        ("aws", "data_source_schemas", served.DATA_SOURCES["aws"]),
        ("helm", "resource_schemas", served.RESOURCES["helm"]),
        ("helm", "data_source_schemas", served.DATA_SOURCES["helm"]),
    ):
        assert set(provider_schema(provider)[key]) == set(types)
    assert set(RESOURCES) == set(served.RESOURCES["aws"])
    assert set(SOURCES) == set(served.DATA_SOURCES["aws"])


def test_a_type_that_the_bindings_lack_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(served.RESOURCES, "helm", ("helm_release", "helm_chart"))
    with pytest.raises(UnreadableBinding, match=r"resource\.helm_chart"):
        derive.derive_provider("helm")


@pytest.mark.parametrize(
    ("table", "names"),
    [
        pytest.param(name, names, id=f"{label}-{name}")
        for label, rows in (
            ("force_new", facts.FORCE_NEW),
            ("defaults", facts.DEFAULTS),
            ("texts", TEXTS),
            ("arns", ARNS),
            ("numbers", NUMBERS),
            (
                "conflicts",
                {key: {n for pair in rows for n in pair} for key, rows in CONFLICTS.items()},
            ),
        )
        for name, names in rows.items()
    ],
)
def test_a_table_names_only_attributes_that_exist(table: str, names: Any) -> None:
    block = resource_block(table.split("_")[0], table)
    assert set(names) <= {*block["attributes"], *block.get("block_types", {})}


# Kinds of attribute that the reader tells apart in different ways; read by eye off the
# providers' documentation.
KINDS = [
    ("aws_iam_role", "name", {"optional": True, "computed": True, "type": "string"}),
    ("aws_iam_role", "assume_role_policy", {"required": True, "type": "string"}),
    ("aws_iam_role", "arn", {"computed": True, "type": "string"}),
    ("aws_iam_role", "tags", {"optional": True, "type": ["map", "string"]}),
    (
        "aws_iam_role",
        "managed_policy_arns",
        {"optional": True, "computed": True, "type": ["set", "string"]},
    ),
    (
        "aws_iam_openid_connect_provider",
        "thumbprint_list",
        {"optional": True, "computed": True, "type": ["list", "string"]},
    ),
    ("aws_sqs_queue", "delay_seconds", {"optional": True, "type": "number"}),
    (
        "helm_release",
        "repository_password",
        {"optional": True, "sensitive": True, "type": "string"},
    ),
]


@pytest.mark.parametrize(("type_name", "attribute", "expected"), KINDS)
def test_an_attribute_is_read_right(type_name: str, attribute: str, expected: Any) -> None:
    block = resource_block(type_name.split("_")[0], type_name)
    assert block["attributes"][attribute] == expected


def test_a_block_a_nested_attribute_and_a_computed_object_are_told_apart() -> None:
    assert resource_block("aws", "aws_iam_role")["block_types"]["inline_policy"] == {
        "nesting_mode": "set",
        "block": {
            "attributes": {
                "name": {"optional": True, "type": "string"},
                "policy": {"optional": True, "type": "string"},
            }
        },
    }
    release = resource_block("helm", "helm_release")["attributes"]
    assert release["set"]["nested_type"]["nesting_mode"] == "list"
    assert release["metadata"]["nested_type"]["nesting_mode"] == "single"
    cluster = provider_schema("aws")["data_source_schemas"]["aws_eks_cluster"]["block"]
    assert cluster["attributes"]["certificate_authority"]["type"] == [
        "list",
        ["object", {"data": "string"}],
    ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("string", ""),
        ("number", 0),
        ("bool", False),
        (["map", "string"], {}),
        (["set", "string"], []),
        (["object", {"a": "string"}], None),
    ],
)
def test_an_unfilled_computed_attribute_gets_the_zero_of_its_type(kind: Any, expected: Any) -> None:
    assert zero({"type": kind}) == expected


def test_terraform_reads_the_schema_as_it_is_written(terraform: Any, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(
        'terraform {\n required_providers {\n  aws = { source = "hashicorp/aws" }\n'
        '  helm = { source = "hashicorp/helm" }\n }\n}\n'
    )
    tf = terraform(tmp_path)
    tf.init()
    told = json.loads(tf.run("providers", "schema", "-json").stdout)["provider_schemas"]
    for provider in ("aws", "helm"):
        ours, theirs = provider_schema(provider), told[derive.source_address(provider)]
        for key in ("resource_schemas", "data_source_schemas"):
            for name, schema in ours[key].items():
                assert _plain(theirs[key][name]["block"]) == schema["block"], name
        assert _plain(theirs["provider"]["block"]) == ours["provider"]["block"]


def _plain(block: Any) -> Any:
    # Terraform adds the kind of its descriptions to each level.
    if isinstance(block, dict):
        return {key: _plain(item) for key, item in block.items() if key != "description_kind"}
    return [_plain(item) for item in block] if isinstance(block, list) else block
