"""What the layout promises: imports go one way, and no file knows the machine it was written on."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("main.py", "stacks", "modules", "commands")
FACADE = "modules/cdk.py"
THREE = ("iam", "release", "provisioners")
BINDINGS = {"cdktf", "constructs", "jsii", "cdktf_cdktf_provider_aws", "cdktf_cdktf_provider_helm"}

# For each part: the parts that it may import besides itself.
ALLOWED = {
    "main": {"stacks", "modules.core", "modules.cdk", "modules.runtime"},
    "commands": {"stacks", "modules.provisioners", "modules.core", "modules.runtime"},
    "stacks": {
        "modules.iam",
        "modules.release",
        "modules.provisioners",
        "modules.core",
        "modules.cdk",
    },
    "modules.iam": {"modules.core", "modules.cdk"},
    "modules.release": {"modules.core", "modules.cdk"},
    "modules.provisioners": {"modules.core", "modules.cdk"},
    "modules.cdk": {"modules.core", "modules.runtime"},
    "modules.runtime": set(),
    "modules.core": set(),
    "modules": set(),
}


def code_files() -> list[str]:
    files: list[Path] = []
    for name in CODE:
        path = ROOT / name
        files += path.rglob("*.py") if path.is_dir() else [path] if path.exists() else []
    return sorted(str(path.relative_to(ROOT)) for path in files)


def tracked_files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def imported(source: str, package: str) -> set[str]:
    """The modules that a source imports anywhere, `from a import b` as both `a` and `a.b`.

    Relative imports are made absolute with `package`, the name of the package around the file.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            found.add(base)
            found |= {f"{base}.{name.name}" for name in node.names}
    return found


def imports_of(file: str) -> set[str]:
    package = ".".join(Path(file).parent.parts)
    return imported((ROOT / file).read_text(encoding="utf-8"), package)


def part_of(module: str) -> str | None:
    """The part of the project that a module belongs to, None for one from outside."""
    for part in sorted(ALLOWED, key=len, reverse=True):
        if module == part or module.startswith(f"{part}."):
            return part
    return None


def faults(file: str, modules: set[str]) -> list[str]:
    """The imports of a file that its place does not allow."""
    own = part_of(".".join(Path(file).with_suffix("").parts))
    assert own is not None
    parts = {part_of(module) for module in modules} - {None, own, "modules"}
    wrong = sorted(str(part) for part in parts if part not in ALLOWED[own])
    wrong += sorted(m for m in modules if m.split(".")[0] in BINDINGS and file != FACADE)
    if own in {f"modules.{name}" for name in THREE} and Path(file).name != "construct.py":
        wrong += sorted(module for module in modules if part_of(module) == "modules.cdk")
    return wrong


@pytest.mark.parametrize("file", code_files())
def test_imports_go_one_way_and_only_the_facade_knows_cdktf(file: str) -> None:
    assert faults(file, imports_of(file)) == []


@pytest.mark.parametrize(
    ("file", "source", "wrong"),
    [
        ("modules/iam/policy.py", "from modules.core import names", []),
        ("modules/iam/policy.py", "from modules.release import values", ["modules.release"]),
        ("modules/iam/policy.py", "from ..release import values", ["modules.release"]),
        ("modules/iam/policy.py", "from .events import rules", []),
        ("modules/iam/policy.py", "import stacks.cluster", ["stacks"]),
        ("modules/core/rules.py", "from modules.iam import settings", ["modules.iam"]),
        ("modules/core/rules.py", "from modules import cdk", ["modules.cdk"]),
        ("modules/iam/construct.py", "from modules.cdk import IamRole", []),
        (
            "modules/iam/policy.py",
            "from modules.cdk import IamRole",
            ["modules.cdk", "modules.cdk.IamRole"],
        ),
        ("modules/iam/construct.py", "import cdktf", ["cdktf"]),
        ("modules/iam/construct.py", "def f():\n    import cdktf.testing", ["cdktf.testing"]),
        ("modules/cdk.py", "from cdktf import App", []),
        ("stacks/cluster.py", "from modules.cdk import App", []),
        ("stacks/cluster.py", "from cdktf import App", ["cdktf", "cdktf.App"]),
        ("stacks/cluster.py", "import commands.synth", ["commands"]),
        ("main.py", "from stacks.output import synthesized", []),
        ("commands/synth.py", "from modules.cdk import App", ["modules.cdk"]),
    ],
)
def test_the_check_of_imports_sees_what_it_must(file: str, source: str, wrong: list[str]) -> None:
    package = ".".join(Path(file).parent.parts)
    assert faults(file, imported(source, package)) == wrong


def test_the_pure_parts_load_without_cdktf() -> None:
    """The import graph of core, followed for real, reaches none of the bindings."""
    program = (
        "import importlib, pkgutil, sys, modules.core as core\n"
        "for m in pkgutil.walk_packages(core.__path__, 'modules.core.'):\n"
        "    importlib.import_module(m.name)\n"
        f"print(sorted(set(sys.modules) & {BINDINGS!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


MACHINE = {
    "a home folder": r"/(?:home|Users)/\w+/|(?<![\w.])/root/",
    "a working folder": r"(?<![\w.])/work/",
    "a temporary folder": r"(?<![\w.])/tmp/",
}
REGISTRY = r"https?://[^\s\"']*(?:pypi|/simple|npmjs|artifactory|nexus|verdaccio|devpi)[^\s\"']*"
THIS_FILE = "tests/test_layout.py"


def text_of_tracked_files() -> Iterator[tuple[str, str]]:
    for name in tracked_files():
        try:
            yield name, (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


@pytest.mark.parametrize("pattern", [*MACHINE.values(), REGISTRY], ids=[*MACHINE, "a registry"])
def test_no_tracked_file_names_a_place_of_one_machine(pattern: str) -> None:
    found = [
        f"{name}: {match.group()}"
        for name, text in text_of_tracked_files()
        if name != THIS_FILE
        for match in re.finditer(pattern, text)
    ]
    assert found == []


def pipfile() -> dict[str, dict[str, object]]:
    return tomllib.loads((ROOT / "Pipfile").read_text(encoding="utf-8"))


def test_the_pipfile_names_no_index() -> None:
    assert set(pipfile()) == {"packages", "dev-packages", "scripts"}


def test_the_lock_file_names_no_index() -> None:
    text = (ROOT / "Pipfile.lock").read_text(encoding="utf-8")
    assert json.loads(text)["_meta"]["sources"] == []
    assert "://" not in text


@pytest.mark.parametrize("section", ["default", "develop"])
def test_every_locked_package_has_its_hashes(section: str) -> None:
    lock = json.loads((ROOT / "Pipfile.lock").read_text(encoding="utf-8"))
    assert lock[section]
    assert [name for name, package in lock[section].items() if not package["hashes"]] == []


def test_both_sections_lock_the_same_version_of_a_package() -> None:
    lock = json.loads((ROOT / "Pipfile.lock").read_text(encoding="utf-8"))
    both = set(lock["default"]) & set(lock["develop"])
    assert {n: lock["default"][n]["version"] for n in both} == {
        n: lock["develop"][n]["version"] for n in both
    }


def test_the_npm_lock_file_names_no_registry() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    assert [name for name, package in packages.items() if "resolved" in package] == []
    # What lies in the archive of another package has no hash of its own.
    downloaded = {n: package for n, package in packages.items() if not package.get("inBundle")}
    assert [n for n, package in downloaded.items() if "integrity" not in package] == []


def dependencies() -> list[tuple[str, str]]:
    """Each line of the Pipfile that names a package, with the line before it."""
    lines = (ROOT / "Pipfile").read_text(encoding="utf-8").partition("[scripts]")[0].splitlines()
    named = [(n, line) for n, line in enumerate(lines) if re.match(r"[\w-]+ *=", line)]
    return [(line, lines[n - 1]) for n, line in named]


def test_every_dependency_is_found_by_the_tests_below() -> None:
    assert len(dependencies()) == len(pipfile()["packages"]) + len(pipfile()["dev-packages"])


@pytest.mark.parametrize(("line", "before"), dependencies())
def test_every_dependency_is_pinned_and_says_what_it_is_for(line: str, before: str) -> None:
    assert re.fullmatch(r'[\w-]+ = "==\d[\w.]*"', line)
    assert re.fullmatch(r"# \S.{10,}\.", before)


@pytest.mark.parametrize("command", sorted(set(pipfile()["scripts"]) - {"test"}))
def test_each_command_has_its_script_and_its_module(command: str) -> None:
    module = command.replace("-", "_")
    assert pipfile()["scripts"][command] == f"python -m commands.{module}"
    assert (ROOT / "commands" / f"{module}.py").is_file()


def test_the_cdktf_project_file_leaves_the_context_to_the_environment() -> None:
    project = json.loads((ROOT / "cdktf.json").read_text(encoding="utf-8"))
    # With a `context` the CLI would overwrite CDKTF_CONTEXT_JSON; without a `projectId` it would
    # write one into the file.
    assert "context" not in project
    assert project["projectId"]
    assert project["language"] == "python"
    assert project["sendCrashReports"] == "false"
