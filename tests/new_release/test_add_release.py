"""A release added from its chart and template equals the one in the catalogue."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from commands.add_release import main
from modules.core import catalogue_file
from modules.core.catalogue import Version

CATALOGUE = catalogue_file.read(catalogue_file.PATH)
KUBERNETES = {row["line"]: row["kubernetes"] for row in CATALOGUE["lines"]}


def as_of(version: str) -> dict[str, Any]:
    """The catalogue as it was when this release was the newest."""
    data = copy.deepcopy(CATALOGUE)
    at = Version.of(version)
    data["lines"] = [row for row in data["lines"] if Version.of(row["line"]) <= Version.of(version)]
    line = data["lines"][-1]
    line["last_patch"] = int(version.rpartition(".")[2])
    line.pop("evidence", None)
    for section in ("chart_values", "iam"):
        data[section] = _cut(data[section], at)
    return data


def _cut(data: Any, at: Version) -> Any:
    if isinstance(data, dict):
        if "spans" in data:
            spans = [
                [first, None if gone is not None and Version.of(gone) > at else gone]
                for first, gone in data["spans"]
                if Version.of(first) <= at
            ]
            if not spans:
                return None
            data = {**data, "spans": spans}
        return {key: value if key == "spans" else _cut(value, at) for key, value in data.items()}
    if isinstance(data, list):
        return [kept for item in data if (kept := _cut(item, at)) is not None]
    return data


def plain(data: Any) -> Any:
    """The table without what only tells how it came about: order, and spans that say nothing."""
    statements = {}
    for row in data["iam"]["statements"]:
        items = {
            part: sorted(
                i if isinstance(i, str) else json.dumps(i, sort_keys=True)
                for i in _normal(row[part], row["spans"])
            )
            for part in ("actions", "resources")
        }
        conditions = sorted(
            json.dumps(
                {
                    **{k: c[k] for k in ("test", "key", "value") if k in c},
                    **({"values": _normal(c["values"], row["spans"])} if "values" in c else {}),
                    "spans": c.get("spans", row["spans"]),
                },
                sort_keys=True,
            )
            for c in row.get("conditions", ())
        )
        statements[row.get("sid", row["actions"][0])] = [
            row["group"],
            row["spans"],
            items,
            conditions,
        ]
    keys = {(row["name"], json.dumps(row["spans"])) for row in data["chart_values"]["keys"]}
    named = {
        (row.get("detail_type", row.get("name")), json.dumps(row["spans"]))
        for part in ("events", "node_policies")
        for row in data["iam"][part]
    }
    return statements, keys, named


def _normal(items: list[Any], spans: Any) -> list[Any]:
    """An item whose spans are those of its row needs none."""
    return [
        item["value"] if isinstance(item, dict) and item["spans"] == spans else item
        for item in items
    ]


def inputs(folder: Path, version: str, reference_dir: Path) -> tuple[Path, Path]:
    """A chart and a template, made of what the reference knows of the release."""
    rows = json.loads((reference_dir / "karpenter" / "values-keys.json").read_text())["charts"]
    row = [r for r in rows["karpenter"] if Version.of(r["first"]) <= Version.of(version)][-1]
    values: dict[str, Any] = {}
    for name, default in row["defaults"].items():
        steps = _steps(name)
        here = values
        for step in steps[:-1]:
            here = here.setdefault(step, {})
        here[steps[-1]] = default
    chart = folder / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "values.yaml").write_text(yaml.safe_dump(values))
    named = [f"{{{{ .Values.{name} }}}}" for name in row["used_by_templates_only"] or ()]
    (chart / "templates/deployment.yaml").write_text("\n".join(named))
    revisions = json.loads((reference_dir / "karpenter" / "iam.json").read_text())["revisions"]
    revision = [r for r in revisions if Version.of(r["first_version"]) <= Version.of(version)][-1]
    policies: dict[str, list[dict[str, Any]]] = {}
    for s in revision["statements"]:
        statement = {
            "Sid": s["sid"],
            "Effect": s["effect"],
            "Action": s["actions"],
            "Resource": s["resources"],
        }
        if s["conditions"]:
            statement["Condition"] = s["conditions"]
        policies.setdefault(s["policy"], []).append(statement)
    resources: dict[str, Any] = {
        f"KarpenterController{name}": {
            "Type": "AWS::IAM::ManagedPolicy",
            "Properties": {"PolicyDocument": {"Fn::Sub": json.dumps({"Statement": statements})}},
        }
        for name, statements in policies.items()
    }
    for name, rule in revision["event_rules"].items():
        resources[name] = {"Type": "AWS::Events::Rule", "Properties": rule}
    resources["KarpenterNodeRole"] = {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "ManagedPolicyArns": [
                {"Fn::Sub": arn} for arn in revision["node_role"]["ManagedPolicyArns"]
            ]
        },
    }
    (template := folder / "cloudformation.yaml").write_text(
        yaml.safe_dump({"Resources": resources})
    )
    return chart, template


def _steps(name: str) -> list[str]:
    if name == "nodeSelector.kubernetes.io/os":
        return ["nodeSelector", "kubernetes.io/os"]
    return name.split(".")


def run(folder: Path, before: str, version: str, reference_dir: Path) -> dict[str, Any]:
    (path := folder / "catalogue.json").write_text(catalogue_file.dumped(as_of(before)))
    chart, template = inputs(folder, version, reference_dir)
    low, high = KUBERNETES[version.rpartition(".")[0]]
    arguments = ["--version", version, "--chart", str(chart), "--policy", str(template)]
    assert main([*arguments, "--kubernetes", f"{low}-{high}"], path) == 0
    text = path.read_text()
    data = catalogue_file.read(path)
    assert text == catalogue_file.dumped(data)
    return data


@pytest.mark.parametrize(
    ("before", "version"),
    [
        ("1.9.2", "1.10.0"),
        ("1.10.2", "1.11.0"),
        ("1.11.3", "1.12.0"),
        ("1.12.2", "1.13.0"),
        ("1.13.1", "1.14.0"),
        ("1.14.0", "1.14.1"),
    ],
)
def test_a_release_added_again_is_the_same(
    before: str, version: str, tmp_path: Path, reference_dir: Path
) -> None:
    data = run(tmp_path, before, version, reference_dir)
    expected = as_of(version)
    assert plain(data) == plain(expected)
    added = {k: v for k, v in data["lines"][-1].items() if k not in ("crds", "evidence")}
    wanted = {k: v for k, v in expected["lines"][-1].items() if k != "crds"}
    assert added == wanted


def test_a_new_line_says_by_which_crds_it_is_judged(tmp_path: Path, reference_dir: Path) -> None:
    line = run(tmp_path, "1.13.1", "1.14.0", reference_dir)["lines"][-1]
    assert line["crds"] == "1.13.1"
    assert line["evidence"] == {"0": "manifests are judged by the CRDs of 1.13.1"}


CHART = {"replicas": 2, "settings": {"newThing": "10s"}}
POLICY = """\
Resources:
  KarpenterControllerInterruptionPolicy:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument: !Sub |
        {"Statement": [{"Sid": "AllowInterruptionQueueActions", "Effect": "Allow",
          "Action": ["sqs:ReceiveMessage"], "Resource": "${KarpenterInterruptionQueue.Arn}"}]}
"""


def arguments(folder: Path, **changes: str) -> list[str]:
    (folder / "chart").mkdir()
    (folder / "chart/values.yaml").write_text(yaml.safe_dump(CHART))
    (folder / "policy.yaml").write_text(POLICY)
    given = {
        "--version": "1.16.0",
        "--chart": str(folder / "chart"),
        "--policy": str(folder / "policy.yaml"),
        "--kubernetes": "1.26-1.38",
        **changes,
    }
    return [text for pair in given.items() for text in pair]


def test_what_changes_is_told_and_a_dry_run_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "catalogue.json").write_text(catalogue_file.dumped(CATALOGUE))
    before = path.read_text()
    assert main([*arguments(tmp_path), "--dry-run"], path) == 0
    out = capsys.readouterr().out
    for line in (
        "Would add Karpenter 1.16.0 after 1.15.1:",
        "a new line 1.16, for Kubernetes 1.26 to 1.38",
        "value key settings.newThing, taken for duration by its default '10s'",
        "no value key dnsPolicy any more",
        "AllowInterruptionQueueActions: other actions: -sqs:DeleteMessage, -sqs:GetQueueUrl",
        "no statement AllowScopedDeletion any more",
    ):
        assert line in out
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"--version": "1.15.1"}, "is known already"),
        ({"--version": "1.14.2"}, "is known already"),
        ({"--version": "1.16"}, "is no release"),
        ({"--kubernetes": "1.26"}, "is no range"),
        ({"--chart": "/nowhere"}, "has no values.yaml to read"),
        ({"--policy": "/nowhere"}, "cannot be read"),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(
    changes: dict[str, str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "catalogue.json").write_text(catalogue_file.dumped(CATALOGUE))
    before = path.read_text()
    assert main(arguments(tmp_path, **changes), path) == 1
    out, err = capsys.readouterr()
    assert told in err
    assert out == ""
    assert path.read_text() == before


def test_all_faults_are_told_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = arguments(tmp_path, **{"--version": "x", "--kubernetes": "y", "--chart": "/nowhere"})
    assert main(given) == 1
    assert "3 faults, nothing was written" in capsys.readouterr().err


def test_the_catalogue_is_written_in_its_canonical_form() -> None:
    assert catalogue_file.PATH.read_text() == catalogue_file.dumped(CATALOGUE)
