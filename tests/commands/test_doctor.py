"""`doctor`: one healthy machine, and each thing that can be wrong with it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from commands import doctor
from commands.diagnosis import Finding, diagnose


def terraform_says(version: str) -> str:
    return json.dumps({"terraform_version": version})


@dataclass
class Machine:
    """A machine on which a deploy works; each test changes one thing."""

    root: Path
    home: Path
    environ: dict[str, str] = field(default_factory=lambda: {"JSII_NODE": "/node"})
    says: dict[str, str | None] = field(
        default_factory=lambda: {
            "/node --version": "v22.20.0\n",
            "terraform version": terraform_says("1.11.4"),
            "aws --version": "aws-cli/2.31.0 Python/3.13.7 Linux/6.1 exe/x86_64\n",
            "aws sts": json.dumps({"Arn": "arn:aws:iam::111122223333:user/someone"}),
            "kubectl version": json.dumps({"clientVersion": {"gitVersion": "v1.34.1"}}),
        }
    )

    def run(self, line: list[str], seconds: float) -> str | None:
        assert 0 < seconds <= 30
        return self.says.get(" ".join(line[:2]))

    def login(self, file: str, host: str) -> None:
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"auths": {host: {"auth": "cGFzc3dvcmQ="}}}))

    def findings(self) -> dict[str, Finding]:
        found = diagnose(self.run, self.environ, home=self.home, root=self.root)
        return {finding.what: finding for finding in found}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    root, home = tmp_path / "root", tmp_path / "home"
    cli = root / "node_modules" / "cdktf-cli"
    cli.mkdir(parents=True)
    home.mkdir()
    (root / "package.json").write_text('{"devDependencies": {"cdktf-cli": "0.21.0"}}')
    (cli / "package.json").write_text('{"version": "0.21.0"}')
    return Machine(root, home)


def test_a_healthy_machine_is_found_healthy(machine: Machine) -> None:
    assert {what: finding.ok for what, finding in machine.findings().items()} == {
        "Node": True,
        "CDKTF CLI": True,
        "Terraform": True,
        "AWS CLI": True,
        "AWS credentials": True,
        "kubectl": True,
        "Registry login": True,
    }


@pytest.mark.parametrize(
    ("program", "what", "needed"),
    [
        ("/node --version", "Node", True),
        ("terraform version", "Terraform", True),
        ("aws --version", "AWS CLI", True),
        ("aws sts", "AWS credentials", True),
        ("kubectl version", "kubectl", False),
    ],
)
def test_a_program_that_is_missing_or_fails_is_the_only_finding(
    machine: Machine, program: str, what: str, needed: bool
) -> None:
    machine.says[program] = None
    bad = [finding for finding in machine.findings().values() if not finding.ok]
    assert [(finding.what, finding.needed) for finding in bad] == [(what, needed)]
    assert bad[0].fix


@pytest.mark.parametrize(
    ("version", "ok"),
    [
        ("1.10.5", False),
        ("1.11.0", True),
        ("1.12.0-beta1", True),
        ("1.14.0", True),
        ("0.15.5", False),
        ("2.0.0", True),
    ],
)
def test_terraform_is_old_enough_from_1_11(machine: Machine, version: str, ok: bool) -> None:
    machine.says["terraform version"] = terraform_says(version)
    assert machine.findings()["Terraform"].ok is ok


def test_terraform_is_asked_under_the_name_that_the_cli_uses(machine: Machine) -> None:
    machine.environ["TERRAFORM_BINARY_NAME"] = "tofu"
    assert not machine.findings()["Terraform"].ok
    machine.says["tofu version"] = terraform_says("1.11.0")
    assert machine.findings()["Terraform"].ok


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("aws-cli/1.42.0 Python/3.11.7\n", False),
        ("aws-cli/2.0.0 Python/3.11.7\n", True),
        ("something else\n", False),
    ],
)
def test_the_aws_cli_is_version_2(machine: Machine, said: str, ok: bool) -> None:
    machine.says["aws --version"] = said
    assert machine.findings()["AWS CLI"].ok is ok


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("v18.20.8\n", False),
        ("v20.19.0\n", True),
        ("v22.20.0\n", True),
        ("v24.0.0\n", False),
    ],
)
def test_node_is_one_that_the_cli_was_built_for(machine: Machine, said: str, ok: bool) -> None:
    machine.says["/node --version"] = said
    assert machine.findings()["Node"].ok is ok


@pytest.mark.parametrize(
    ("package", "ok", "detail"),
    [
        ('{"version": "0.21.0"}', True, "0.21.0"),
        ('{"version": "0.20.12"}', False, "0.20.12"),
        ("not JSON", False, "not installed"),
        ("[]", False, "not installed"),
    ],
)
def test_the_cdktf_cli_is_the_pinned_one(
    machine: Machine, package: str, ok: bool, detail: str
) -> None:
    (machine.root / "node_modules" / "cdktf-cli" / "package.json").write_text(package)
    finding = machine.findings()["CDKTF CLI"]
    assert (finding.ok, finding.detail) == (ok, detail)
    assert "0.21.0" in finding.fix


def test_without_any_package_files_the_cdktf_cli_is_not_found(machine: Machine) -> None:
    (machine.root / "package.json").unlink()
    (machine.root / "node_modules" / "cdktf-cli" / "package.json").unlink()
    assert not machine.findings()["CDKTF CLI"].ok


@pytest.mark.parametrize(
    ("file", "fix"),
    [
        (".config/helm/registry/config.json", "helm registry logout public.ecr.aws"),
        (
            "Library/Preferences/helm/registry/config.json",
            "helm registry logout public.ecr.aws",
        ),
        (".docker/config.json", "docker logout public.ecr.aws"),
    ],
)
@pytest.mark.parametrize(
    ("host", "ok"),
    [
        ("public.ecr.aws", False),
        ("https://public.ecr.aws/v2/", False),
        ("ghcr.io", True),
    ],
)
def test_a_login_left_over_for_the_charts_registry_is_noted(
    machine: Machine, file: str, fix: str, host: str, ok: bool
) -> None:
    machine.login(file, host)
    finding = machine.findings()["Registry login"]
    assert finding.ok is ok
    assert not finding.needed
    assert (fix in finding.fix) is not ok


@pytest.mark.parametrize(
    ("variable", "value", "file"),
    [
        ("HELM_REGISTRY_CONFIG", "mine.json", "mine.json"),
        ("XDG_CONFIG_HOME", "xdg", "xdg/helm/registry/config.json"),
        ("DOCKER_CONFIG", "dock", "dock/config.json"),
    ],
)
def test_a_login_is_looked_for_where_the_environment_says(
    machine: Machine, variable: str, value: str, file: str
) -> None:
    machine.login(file, "public.ecr.aws")
    assert machine.findings()["Registry login"].ok
    machine.environ[variable] = str(machine.home / value)
    assert not machine.findings()["Registry login"].ok


def test_no_secret_of_a_login_is_shown(machine: Machine) -> None:
    machine.login(".docker/config.json", "public.ecr.aws")
    assert "cGFzc3dvcmQ=" not in doctor.report(list(machine.findings().values()))


def test_the_report_has_a_line_for_each_finding_and_the_fix_of_the_bad_ones() -> None:
    findings = [
        Finding("Node", True, "v22.20.0", "not shown"),
        Finding("Terraform", False, "1.5.0", "install it"),
        Finding("kubectl", False, "not found", "install that", needed=False),
    ]
    assert doctor.report(findings).splitlines() == [
        "ok       Node: v22.20.0",
        "missing  Terraform: 1.5.0",
        "         fix: install it",
        "note     kubectl: not found",
        "         fix: install that",
    ]


@pytest.mark.parametrize(
    ("finding", "code"),
    [
        (Finding("x", True, ""), 0),
        (Finding("x", False, ""), 1),
        (Finding("x", False, "", needed=False), 0),
    ],
    ids=["well", "a needed thing is missing", "another thing is missing"],
)
def test_the_exit_code_says_whether_a_deploy_can_work(
    finding: Finding, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "diagnose", lambda *_, **__: [finding])
    assert doctor.main([]) == code


@pytest.mark.parametrize(
    ("program", "seconds", "said"),
    [
        ("print('hello')", 30, "hello\n"),
        ("raise SystemExit(3)", 30, None),
        ("import time; time.sleep(60)", 0.5, None),
    ],
    ids=["works", "fails", "takes too long"],
)
def test_a_tool_is_run_for_a_limited_time(program: str, seconds: float, said: str | None) -> None:
    assert doctor.run_tool([sys.executable, "-c", program], seconds) == said


def test_a_tool_that_does_not_exist_says_nothing(tmp_path: Path) -> None:
    assert doctor.run_tool([str(tmp_path / "none")], 30) is None
