"""Suppressions: what a comment covers, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.linting import codes, lint_folder, lint_text

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  role: KarpenterNodeRole-example
  amiSelectorTerms:
    - alias: al2023@latest
  subnetSelectorTerms:
    - tags: { karpenter.sh/discovery: example }
  securityGroupSelectorTerms:
    - tags: { karpenter.sh/discovery: example }
"""
IGNORE = "# karpenter-lint: ignore"


def above(line: str, comment: str) -> str:
    """The class with a comment above one of its lines."""
    found = next(text for text in CLASS.splitlines() if text.strip() == line)
    indent = found[: len(found) - len(found.lstrip())]
    return CLASS.replace(f"{found}\n", f"{indent}{comment}\n{found}\n")


def behind(line: str, comment: str) -> str:
    return CLASS.replace(f"{line}\n", f"{line} {comment}\n")


def test_without_suppressions_both_findings_are_told(tmp_path: Path) -> None:
    assert codes(lint_text(tmp_path, CLASS)) == ["KPT204", "KPT201"]


@pytest.mark.parametrize(
    "text",
    [
        f"{IGNORE} KPT201 a test bed\n{CLASS}",
        f"{IGNORE} KPT201: a test bed\n# Another comment.\n\n---\n{CLASS}",
        above("amiSelectorTerms:", f"{IGNORE} KPT201 a test bed"),
        above("spec:", f"{IGNORE} KPT201 - a test bed"),
        above("- alias: al2023@latest", f"{IGNORE} KPT201 a test bed"),
        behind("    - alias: al2023@latest", f"{IGNORE} KPT201 a test bed"),
        behind("  amiSelectorTerms:", f"{IGNORE} KPT201 a test bed"),
    ],
    ids=[
        "above the object",
        "above the document's beginning",
        "above the key around",
        "above the spec",
        "above the item",
        "behind the line",
        "behind the key around",
    ],
)
def test_a_comment_suppresses_a_finding_of_what_it_stands_at(text: str, tmp_path: Path) -> None:
    assert codes(lint_text(tmp_path, text)) == ["KPT204"]


def test_several_codes_are_suppressed_by_one_comment(tmp_path: Path) -> None:
    text = f"{IGNORE} KPT201, KPT204 a test bed\n{CLASS}"
    assert codes(lint_text(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{IGNORE} KPT201\n{CLASS}", "KPT007"),
        (f"{IGNORE} KPT299 no such code\n{CLASS}", "KPT007"),
        (f"{IGNORE} a reason without a code\n{CLASS}", "KPT007"),
        (f"# karpenter-lint: disable KPT201 another word\n{CLASS}", "KPT007"),
        (f"{IGNORE} KPT001 what the API server refuses\n{CLASS}", "KPT007"),
        (f"{IGNORE} KPT217 what is not found\n{CLASS}", "KPT008"),
        (above("subnetSelectorTerms:", f"{IGNORE} KPT201 elsewhere"), "KPT008"),
        (above("role: KarpenterNodeRole-example", f"{IGNORE} KPT201 elsewhere"), "KPT008"),
        (f"{CLASS}{IGNORE} KPT201 below everything\n", "KPT008"),
        (f"{CLASS}---\n{IGNORE} KPT201 the next object\n{CLASS}", "KPT301"),
    ],
)
def test_a_suppression_that_cannot_be_heeded_or_is_idle_is_told_and_hides_nothing(
    text: str, wrong: str, tmp_path: Path
) -> None:
    found = codes(lint_text(tmp_path, text))
    assert wrong in found
    assert "KPT201" in found


def test_a_comment_suppresses_nothing_in_another_file(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "class.yaml").write_text(f"{IGNORE} KPT201 only here\n{CLASS}")
    (tmp_path / "objects.yaml").write_text(CLASS)
    assert codes(lint_folder(tmp_path)) == ["KPT204", "KPT201", "KPT204"]


CLUSTERS = """\
clusters:
  - name: example
    region: us-west-2
    kubernetesVersion: "1.34"
    nodeClasses:
      default:
        amiSelectorTerms:
          - alias: al2023@latest
"""


@pytest.mark.parametrize(
    ("before", "line", "found"),
    [
        ("", "", ["KPT201"]),
        (
            "          - alias",
            "          # karpenter-lint: ignore KPT201 a test bed\n",
            ["KPT007", "KPT201"],
        ),
        ("    nodeClasses", "    suppress: [{ code: KPT201, reason: a test bed }]\n", []),
    ],
    ids=["nothing", "a comment", "the setting"],
)
def test_a_cluster_file_suppresses_by_its_setting_and_not_by_comments(
    before: str, line: str, found: list[str], tmp_path: Path
) -> None:
    text = CLUSTERS.replace(before, f"{line}{before}") if before else CLUSTERS
    told = [c for c in codes(lint_text(tmp_path, text)) if c != "KPT303"]
    assert told == found
