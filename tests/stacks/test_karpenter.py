"""The stack of a cluster: what is in it, in what order, and from whom it may come."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from modules.cdk import App, Fn
from modules.core.expressions import Expr
from modules.core.faults import InvalidInput
from modules.provisioners import chart_package
from stacks.clusters import DEFAULT_FILE, load_clusters
from stacks.karpenter import KarpenterStack
from stacks.manifest import notes
from stacks.settings import ClusterSettings
from tests.stacks.subset import differences

EXPECTED = Path(__file__).with_name("expected")
EXAMPLES = {cluster.stack_id: cluster for cluster in load_clusters(DEFAULT_FILE)}
FACTS: dict[str, Any] = {"name": "dev", "region": "us-west-2", "kubernetes_version": "1.34"}
ROLE = "arn:aws:iam::222222222222:role/terraform"


def synthesized(folder: Path, settings: ClusterSettings, id_: str = "one") -> dict[str, Any]:
    app = App(outdir=str(folder))
    KarpenterStack(app, id_, settings)
    app.synth()
    stack: dict[str, Any] = json.loads((folder / "stacks" / id_ / "cdk.tf.json").read_text())
    return stack


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("examples")
    return {id_: synthesized(folder / id_, cluster, id_) for id_, cluster in EXAMPLES.items()}


@pytest.mark.parametrize("id_", EXAMPLES)
def test_each_example_becomes_what_is_expected(id_: str, examples: dict[str, Any]) -> None:
    expected = yaml.safe_load((EXPECTED / f"{id_}.yaml").read_text(encoding="utf-8"))
    assert list(differences(expected, examples[id_])) == []


@pytest.mark.parametrize("id_", EXAMPLES)
def test_destroy_goes_pools_classes_controller_crds_permissions(
    id_: str, examples: dict[str, Any]
) -> None:
    resources = examples[id_]["resource"]
    releases = resources["helm_release"]
    needs = {name: set(release["depends_on"]) for name, release in releases.items()}
    assert "helm_release.provisioners_classes" in needs["provisioners_pools"]
    assert "helm_release.release_controller" in needs["provisioners_classes"]
    assert "helm_release.release_crds" in needs["release_controller"]
    permissions = {
        f"{kind}.{name}"
        for kind, named in resources.items()
        if kind != "helm_release"
        for name in named
    }
    assert permissions <= needs["release_controller"]
    assert permissions <= needs["release_crds"]


@pytest.mark.parametrize(
    ("id_", "foreign"),
    [
        ("blueprint-construct-dev", ["research", "eu-central-1", "222222222222", '1.35\\"']),
        ("research-prod", ["blueprint", "us-west-2", "always-on", "PrivateSubnet"]),
    ],
)
def test_nothing_of_one_cluster_is_in_the_stack_of_another(
    id_: str, foreign: list[str], examples: dict[str, Any]
) -> None:
    text = json.dumps({key: value for key, value in examples[id_].items() if key != "data"})
    for literal in foreign:
        assert literal not in text


def test_the_chart_lies_beside_the_stack(tmp_path: Path) -> None:
    synthesized(tmp_path, EXAMPLES["research-prod"])
    chart = tmp_path / "stacks" / "one" / "assets" / "chart"
    shipped = {
        p.relative_to(chart).as_posix(): p.read_bytes() for p in chart.rglob("*") if p.is_file()
    }
    assert shipped == chart_package.files()


def test_the_path_of_local_state_is_relative(examples: dict[str, Any]) -> None:
    path = examples["blueprint-construct-dev"]["terraform"]["backend"]["local"]["path"]
    assert path.startswith("../")
    assert path.endswith("/terraform.blueprint-construct-dev.tfstate")


def test_python_gives_what_yaml_gives(tmp_path: Path) -> None:
    given = tmp_path / "clusters.yaml"
    given.write_text("""
clusters:
  - name: dev
    region: us-west-2
    kubernetesVersion: "1.34"
    ipFamily: ipv6
    profile: tools
    assumeRole: { arn: "arn:aws:iam::222222222222:role/terraform", externalId: "42" }
    backend: { s3: { bucket: states } }
    tags: { team: research }
    iam: { nameSuffix: "-x", createOidcProvider: true }
    release: { namespace: karpenter, values: { replicas: 1 } }
    nodeClasses:
      default: { amiSelectorTerms: [{ alias: al2023@v20260917 }], userData: "${literal} %{if}" }
    nodePools: { default: { limits: { cpu: 8 }, template: { spec: { requirements: [] } } } }
""")
    (from_yaml,) = load_clusters(given)
    from_python = ClusterSettings(
        **FACTS,
        ip_family="ipv6",
        profile="tools",
        assume_role={"arn": ROLE, "external_id": "42"},
        backend={"s3": {"bucket": "states"}},
        tags={"team": "research"},
        iam={"name_suffix": "-x", "create_oidc_provider": True},
        release={"namespace": "karpenter", "values": {"replicas": 1}},
        node_classes={
            "default": {
                "amiSelectorTerms": [{"alias": "al2023@v20260917"}],
                "userData": "${literal} %{if}",
            }
        },
        node_pools={"default": {"limits": {"cpu": 8}, "template": {"spec": {"requirements": []}}}},
    )
    found = synthesized(tmp_path / "yaml", from_yaml)
    assert synthesized(tmp_path / "python", from_python) == found
    (values,) = found["resource"]["helm_release"]["provisioners_classes"]["values"]
    assert "$${literal} %%{if}" in values


def test_python_is_judged_by_the_same_rules() -> None:
    settings = ClusterSettings(**FACTS, karpenter_version="1.8.4", iam={"create_node_role": False})
    with pytest.raises(InvalidInput, match="stack one: 2 faults") as caught:
        KarpenterStack(App(), "one", settings)
    assert [fault.path for fault in caught.value.faults] == [
        ("karpenterVersion",),
        ("iam", "nodeRoleArn"),
    ]


@pytest.mark.parametrize(
    ("version", "crds", "controller"),
    [
        ("1.9.1", "1.9.1", "1.9.1"),
        ("v1.9.1", "1.9.1", "1.9.1"),
        ("1.9", "1.9.2", "1.9.2"),
        ("1.16.0", "1.16.0", "1.16.0"),
        ("0.34.11", "v0.34.11", "v0.34.11"),
        ("0.35.0", "0.35.0", "0.35.0"),
        ("0.21.0", "v0.21.0", "v0.21.0"),
        ("0.20.0", None, "v0.20.0"),
        ("v0.17.0", None, "v0.17.0"),
        ("0.16", None, "0.16.3"),
    ],
)
def test_a_release_may_be_named_in_every_form_and_has_its_own_charts(
    version: str, crds: str | None, controller: str, tmp_path: Path
) -> None:
    given = ClusterSettings(**FACTS, karpenter_version=version, accept_newer_version=True)
    found = synthesized(tmp_path, given)
    charts = {c["chart"]: c["version"] for c in found["resource"]["helm_release"].values()}
    assert charts.get("karpenter-crd") == crds
    assert charts["karpenter"] == controller
    assert ("crd_version" in found["output"]) is (crds is not None)
    old = controller in ("v0.17.0", "0.16.3")
    assert ("aws_sqs_queue" in found["resource"]) is not old


def test_a_cluster_that_was_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    with pytest.raises(InvalidInput, match="1 fault"):
        KarpenterStack(app, "one", ClusterSettings(**FACTS, karpenter_version="1.8.4"))
    KarpenterStack(app, "one", ClusterSettings(**FACTS, karpenter_version="1.8.5"))
    with pytest.raises(InvalidInput, match="the id of one"):
        KarpenterStack(app, "one", ClusterSettings(**FACTS, karpenter_version="1.8.5"))


def test_a_cluster_may_be_known_only_to_terraform(tmp_path: Path) -> None:
    name = Fn.lower("DEV")
    version = Fn.trimspace(" 1.34 ")
    settings = ClusterSettings(**{**FACTS, "name": name, "kubernetes_version": version})
    found = synthesized(tmp_path, settings)
    live = found["data"]["aws_eks_cluster"]["cluster"]
    assert live["name"] == '${lower("DEV")}'
    assert 'trimspace(" 1.34 ")' in live["lifecycle"]["postcondition"][0]["condition"]
    arguments = found["provider"]["helm"][0]["kubernetes"]["exec"]["args"]
    assert arguments[3] == '${lower("DEV")}'


def test_the_release_may_not_be() -> None:
    with pytest.raises(InvalidInput, match="known only to Terraform"):
        KarpenterStack(App(), "one", ClusterSettings(**FACTS, karpenter_version=Fn.lower("1.14.2")))


def test_without_interruption_handling_there_is_no_queue(tmp_path: Path) -> None:
    found = synthesized(tmp_path, ClusterSettings(**FACTS, interruption_handling=False))
    assert "aws_sqs_queue" not in found["resource"]
    assert "aws_cloudwatch_event_rule" not in found["resource"]
    assert not {"queue_arn", "queue_name"} & set(found["output"])


def test_without_pools_only_karpenter_is_installed(tmp_path: Path) -> None:
    found = synthesized(tmp_path, ClusterSettings(**FACTS))
    assert sorted(found["resource"]["helm_release"]) == ["release_controller", "release_crds"]
    assert found["output"]["pool_names"]["value"] == []


@pytest.mark.parametrize(
    ("iam", "checked"),
    [
        ({}, True),
        ({"create_access_entry": False}, False),
        ({"create_node_role": False, "node_role_arn": ROLE}, False),
        ({"create_node_role": False, "node_role_arn": ROLE, "create_access_entry": True}, True),
    ],
)
def test_the_authentication_mode_matters_exactly_where_an_access_entry_is_made(
    iam: dict[str, Any], checked: bool, tmp_path: Path
) -> None:
    found = synthesized(tmp_path, ClusterSettings(**FACTS, iam=iam))
    conditions = json.dumps(found["data"]["aws_eks_cluster"]["cluster"]["lifecycle"])
    assert ("authentication_mode" in conditions) is checked
    assert ("aws_eks_access_entry" in found["resource"]) is checked


def test_every_condition_on_the_live_cluster_says_the_fix(examples: dict[str, Any]) -> None:
    for stack in examples.values():
        conditions = stack["data"]["aws_eks_cluster"]["cluster"]["lifecycle"]["postcondition"]
        assert len(conditions) == 4
        assert all(re.search(r"\bFix: ", c["error_message"]) for c in conditions)


@pytest.mark.parametrize(
    ("more", "fragment"),
    [
        (
            {"node_pools": {"a": {"template": {"spec": {"requirements": []}}}}},
            "create-service-linked-role --aws-service-name spot.amazonaws.com",
        ),
        (
            {"node_classes": {"a": {"amiSelectorTerms": [{"alias": "al2023@latest"}]}}},
            "al2023@latest",
        ),
        ({"assume_role": {"arn": ROLE, "external_id": "42"}}, "cannot pass an external ID"),
    ],
)
def test_what_is_worth_a_word_is_said(more: dict[str, Any], fragment: str, tmp_path: Path) -> None:
    classes = {"a": {"amiSelectorTerms": [{"alias": "al2023@v20260917"}]}}
    synthesized(tmp_path, ClusterSettings(**{**FACTS, "node_classes": classes, **more}))
    assert any(fragment in note.message for note in notes(tmp_path))


def test_nothing_is_said_without_need(tmp_path: Path) -> None:
    synthesized(tmp_path, ClusterSettings(**FACTS, assume_role={"arn": ROLE}))
    assert notes(tmp_path) == []


@pytest.mark.parametrize(
    ("id_", "name", "problem"),
    [
        ("two", "demo", "two.name: is the cluster of one again"),
        ("ONE", "other", "ONE.id: gives the stack the id of one"),
        ("two", "other", None),
    ],
)
def test_what_two_clusters_must_not_share_is_told_in_python_too(
    id_: str, name: str, problem: str | None, tmp_path: Path
) -> None:
    app = App(outdir=str(tmp_path))
    first = ClusterSettings(**{**FACTS, "name": "demo"})
    KarpenterStack(app, "one", first)
    second = first.model_copy(update={"name": name})
    if problem is None:
        KarpenterStack(app, id_, second)
        return
    with pytest.raises(InvalidInput, match=problem):
        KarpenterStack(app, id_, second)
    KarpenterStack(App(outdir=str(tmp_path / "another")), id_, second)


def test_clusters_that_only_terraform_knows_may_stand_side_by_side(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    for id_ in ("one", "two"):
        facts: dict[str, Any] = {
            "name": Expr(f"local.{id_}"),
            "region": Expr("local.region"),
            "assume_role": {"arn": Expr(f"local.{id_}_role")},
            "allowed_account_ids": [Expr(f"local.{id_}_account")],
        }
        KarpenterStack(app, id_, ClusterSettings(**{**FACTS, **facts}))


def test_settings_that_are_refused_in_python_say_what_is_allowed() -> None:
    with pytest.raises(ValidationError, match=r"Allowed: an AWS region code.*Fix: give the region"):
        ClusterSettings(**{**FACTS, "region": "Oregon"})
