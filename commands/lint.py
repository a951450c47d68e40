"""Judge manifests of Karpenter's kinds, and cluster files, before anything is applied.

The manifests of one folder are taken for the objects of one cluster. What is not said about the
cluster is unknown, and no rule guesses it; only that it is in production counts until --dev says
otherwise. A comment `# karpenter-lint: ignore KPT204 <reason>` above an object or a key, or behind
it, suppresses a finding; cluster files have `suppress` under each cluster for it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from modules.core.catalogue import Release, find
from modules.core.faults import Fault, InvalidInput
from modules.core.rules import KUBERNETES_VERSION
from stacks.lint import Facts, Report, Request, Severity, report, run, sarif

_SWITCHES = {
    "queue": "the controller reads an interruption queue",
    "kms-permissions": "Karpenter may use the KMS keys that classes name",
    "prefix-delegation": "the network plugin gives nodes whole prefixes of addresses",
    "device-plugins": "device plugins for accelerators run on the nodes",
    "isolated-vpc": "the VPC has no way to AWS's public endpoints",
    "pod-security-groups": "pods have security groups of their own",
    "ebs-csi": "the EBS CSI driver runs on the nodes",
}
"""Option -> what it says of the cluster."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="pipenv run lint",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="a file or a folder")
    made.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    made.add_argument(
        "--karpenter-version",
        metavar="V",
        help="release or line to judge manifests for; by default the project's, or the newest "
        "that serves them",
    )
    made.add_argument("--kubernetes-version", metavar="K", help="the clusters' minor version")
    made.add_argument(
        "--previous",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="the objects as they are in the cluster, to judge the change as well",
    )
    made.add_argument("--strict", action="store_true", help="let warnings fail as errors do")
    _add_facts(made.add_argument_group("what is known of the cluster"))
    return made


def _add_facts(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--cluster-name", metavar="NAME")
    group.add_argument("--dev", action="store_true", help="the cluster is not in production")
    for switch, what in _SWITCHES.items():
        group.add_argument(f"--{switch}", action=argparse.BooleanOptionalAction, help=what)
    group.add_argument("--cni", metavar="NAME", help="network plugin: vpc-cni, cilium, calico")
    for option, metavar, what in (
        ("--feature-gate", "NAME", "a feature gate of the controller that is on"),
        ("--zone", "ZONE", "a zone that the cluster has subnets in"),
        ("--removes-taint", "KEY", "a startup taint that something of yours removes"),
        ("--discovery-tag", "KEY=VALUE", "a tag of the cluster's subnets and security groups"),
    ):
        group.add_argument(option, action="append", default=[], metavar=metavar, help=what)


def facts_of(given: argparse.Namespace) -> Facts:
    """What the options say of the cluster."""
    pairs = [tag.partition("=") for tag in given.discovery_tag]
    return Facts(
        cluster_name=given.cluster_name,
        discovery_tags={key: value for key, _, value in pairs} or None,
        cni=given.cni,
        production=False if given.dev else None,
        feature_gates=dict.fromkeys(given.feature_gate, True),
        zones=given.zone or None,
        startup_taints_removed=given.removes_taint,
        **{switch.replace("-", "_"): vars(given)[switch.replace("-", "_")] for switch in _SWITCHES},
    )


def request_of(given: argparse.Namespace) -> Request:
    """What the options ask for.

    Raises:
        InvalidInput: a version is none.
    """
    faults: list[Fault] = []
    release = None
    if given.karpenter_version is not None:
        found = find(given.karpenter_version, "--karpenter-version")
        if isinstance(found, Release):
            release = found
        else:
            faults.append(found)
    kubernetes = given.kubernetes_version
    rule = KUBERNETES_VERSION
    if kubernetes is not None and not rule.check(kubernetes):
        at = ("--kubernetes-version",)
        faults.append(
            Fault(at, "is no Kubernetes version", rule.allowed, "write it like 1.34", kubernetes)
        )
    faults += (
        Fault(("--discovery-tag",), "has no value", "KEY=VALUE", "write an = between them", tag)
        for tag in given.discovery_tag
        if "=" not in tag
    )
    if faults:
        raise InvalidInput(faults, "the command line")
    return Request(given.paths, release, kubernetes, facts_of(given), given.previous)


def failed(found: Report, *, strict: bool) -> bool:
    """Whether the findings are a failure."""
    return bool(found.count(Severity.ERROR) or (strict and found.count(Severity.WARNING)))


def main(argv: Sequence[str]) -> int:
    """Returns 1 when there are errors, or warnings under --strict; else 0."""
    given = parser().parse_args(argv)
    try:
        request = request_of(given)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 1
    found = run.run(request)
    if given.format == "sarif":
        print(sarif.as_sarif(found, Path.cwd()))
    else:
        print(report.as_json(found) if given.format == "json" else report.as_text(found))
    return int(failed(found, strict=given.strict))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
