"""The checks behind `doctor`. They see the machine only through what is passed in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from modules.core.catalogue import DEFAULT_VERSION, RELEASES
from modules.runtime.node import find_node

TERRAFORM_AT_LEAST = (1, 11)
"""1.11 made `use_lockfile` of the S3 backend stable."""

AWS_CLI_AT_LEAST = (2, 0)
"""Version 2 has `aws eks get-token`, by which the helm provider logs in."""

NODE_MAJORS = (20, 22)
"""cdktf-cli 0.21 brings its terminal library built for these."""

QUICK = 30.0
"""Seconds that a tool may take to tell its version."""

CREDENTIALS = 20.0
"""Seconds for the one call to AWS: without credentials the CLI asks the metadata service first."""

RunTool = Callable[[list[str], float], str | None]
"""Runs a program for so many seconds; gives its stdout, or None when that does not work."""


@dataclass(frozen=True)
class Finding:
    """One thing looked at.

    Args:
        what: its name.
        ok: whether it is as it must be.
        detail: what was found.
        fix: what to do when it is not ok.
        needed: whether a deploy fails without it.
    """

    what: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = True


def diagnose(run: RunTool, environ: Mapping[str, str], *, home: Path, root: Path) -> list[Finding]:
    """All checks, in the order in which a deploy would meet them."""
    return [
        node(run, environ),
        cdktf_cli(root),
        terraform(run, environ),
        aws_cli(run),
        credentials(run),
        kubectl(run),
        registry_login(environ, home),
    ]


def node(run: RunTool, environ: Mapping[str, str]) -> Finding:
    """Node for jsii and the CDKTF CLI."""
    found = find_node(environ)
    said = run([found, "--version"], QUICK) if found else None
    version = _version(said)
    wanted = " or ".join(map(str, NODE_MAJORS))
    return Finding(
        "Node",
        version is not None and version[0] in NODE_MAJORS,
        f"{said.strip()} at {found}" if said else "not found",
        f"run `make setup`, and unset JSII_NODE or let it name a Node {wanted}",
    )


def cdktf_cli(root: Path) -> Finding:
    """The CLI in the version that package.json pins."""
    wanted = _json(root / "package.json").get("devDependencies", {}).get("cdktf-cli")
    installed = _json(root / "node_modules" / "cdktf-cli" / "package.json").get("version")
    return Finding(
        "CDKTF CLI",
        installed is not None and installed == wanted,
        installed or "not installed",
        f"run `make setup`, which installs {wanted}",
    )


def terraform(run: RunTool, environ: Mapping[str, str]) -> Finding:
    """Terraform, under the name by which the CDKTF CLI calls it."""
    binary = environ.get("TERRAFORM_BINARY_NAME") or "terraform"
    said = run([binary, "version", "-json"], QUICK)
    version = _version(json.loads(said)["terraform_version"]) if said else None
    least = ".".join(map(str, TERRAFORM_AT_LEAST))
    return Finding(
        "Terraform",
        version is not None and version >= TERRAFORM_AT_LEAST,
        _dotted(version),
        f"install Terraform {least} or later and put it on PATH",
    )


def aws_cli(run: RunTool) -> Finding:
    """The AWS CLI, which Terraform's helm provider runs for a token of the cluster."""
    said = run(["aws", "--version"], QUICK)
    version = _version(said.removeprefix("aws-cli/")) if said else None
    return Finding(
        "AWS CLI",
        version is not None and version >= AWS_CLI_AT_LEAST,
        _dotted(version),
        "install AWS CLI version 2 and put it on PATH before any version 1",
    )


def credentials(run: RunTool) -> Finding:
    """Whether AWS knows who is calling. The accounts of single clusters are not tried."""
    said = run(["aws", "sts", "get-caller-identity", "--output", "json"], CREDENTIALS)
    return Finding(
        "AWS credentials",
        said is not None,
        json.loads(said)["Arn"] if said else "AWS did not say who you are",
        "log in (`aws sso login`, or AWS_PROFILE, or access keys), then try "
        "`aws sts get-caller-identity`",
    )


def kubectl(run: RunTool) -> Finding:
    """Useful for looking at nodes and claims; no step of ours calls it."""
    said = run(["kubectl", "version", "--client", "--output", "json"], QUICK)
    return Finding(
        "kubectl",
        said is not None,
        json.loads(said)["clientVersion"]["gitVersion"] if said else "not found",
        "install it if you want to look into the cluster",
        needed=False,
    )


def registry_login(environ: Mapping[str, str], home: Path) -> Finding:
    """A login to the public registry that an earlier `helm` or `docker` run has left.

    The charts need no login. With one that has expired (after 12 hours) the registry answers 403
    instead of falling back to an anonymous pull.
    """
    host = urlsplit(RELEASES[DEFAULT_VERSION].chart_repository).netloc
    logins = [
        f"`{tool} logout {host}` (it is in {file})"
        for tool, file in _login_files(environ, home)
        if any(host in known for known in _json(file).get("auths", {}))
    ]
    return Finding(
        "Registry login",
        not logins,
        f"a login to {host} is left over; once expired it causes 403" if logins else "none",
        "run " + " and ".join(logins),
        needed=False,
    )


def _login_files(environ: Mapping[str, str], home: Path) -> Iterator[tuple[str, Path]]:
    helm = "helm registry"
    if chosen := environ.get("HELM_REGISTRY_CONFIG"):
        yield helm, Path(chosen)
    else:
        configuration = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        yield helm, configuration / "helm" / "registry" / "config.json"
        yield helm, home / "Library" / "Preferences" / "helm" / "registry" / "config.json"
    yield "docker", Path(environ.get("DOCKER_CONFIG") or home / ".docker") / "config.json"


def _json(file: Path) -> dict[str, Any]:
    """The object in a file; an empty one when the file is missing or broken."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _version(text: str | None) -> tuple[int, ...] | None:
    found = re.match(r"v?(\d+)\.(\d+)\.(\d+)", text.strip()) if text else None
    return tuple(map(int, found.groups())) if found else None


def _dotted(version: tuple[int, ...] | None) -> str:
    return ".".join(map(str, version)) if version else "not found"
