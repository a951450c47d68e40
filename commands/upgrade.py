"""Tell how to upgrade the Karpenter of a cluster: every stop, what to do by hand, the way back."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from modules.core.catalogue import DEFAULT_VERSION, Release, Version, find
from modules.core.faults import Fault, InvalidInput, nearest
from stacks.add_on import expanded
from stacks.clusters import clusters_path, load_clusters
from stacks.settings import ClusterSettings
from stacks.upgrade.changes import changes
from stacks.upgrade.plan import Plan, plan
from stacks.upgrade.rule import KEY
from stacks.upgrade.show import as_json, runbook, text

_SHOW = {"text": text, "json": as_json, "markdown": runbook}


def main(argv: Sequence[str], environ: Mapping[str, str] = os.environ) -> int:
    """Returns the exit code; bad input is told on stderr."""
    parser = argparse.ArgumentParser(prog="pipenv run upgrade", description=__doc__)
    parser.add_argument("cluster", help="id of a cluster in the cluster file")
    parser.add_argument(
        "--to",
        help="the release to end at, or a line such as 1.14; by default the cluster's "
        f"karpenterVersion where upgradingFrom is set, else {DEFAULT_VERSION}",
    )
    parser.add_argument(
        "--format", choices=sorted(_SHOW), default="text", help="markdown is a runbook"
    )
    options = parser.parse_args(argv)
    path = clusters_path(environ)
    try:
        print(_SHOW[options.format](planned(path, options.cluster, options.to)))
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def planned(path: Path, cluster_id: str, to: str | None) -> Plan:
    """The plan for a cluster of a file.

    Raises:
        InvalidInput: the file, the cluster or the release cannot be used.
    """
    clusters = {cluster.stack_id: cluster for cluster in load_clusters(path, upgrading=True)}
    if cluster_id not in clusters:
        raise InvalidInput([_no_such(cluster_id, clusters)], path)
    cluster = expanded(clusters[cluster_id])
    if cluster.upgrading_from:
        running = _release(cluster.upgrading_from, KEY)
    else:
        running = _release(cluster.karpenter_version, "karpenterVersion")
    target = _release(_target(cluster) if to is None else to, "--to")
    if Version.of(target.version) <= Version.of(running.version):
        fault = Fault(
            ("--to",),
            f"is not newer than {running.version}, which runs now",
            "a later release",
            "name a later one; the way back from each stop is in the plan of an upgrade",
            target.version,
        )
        raise InvalidInput([fault])
    return plan(
        cluster_id,
        running,
        target,
        cluster.kubernetes_version,
        {"namespace": cluster.release.namespace},
        lambda before, after: changes(cluster, before, after),
    )


def _no_such(cluster_id: str, known: Iterable[str]) -> Fault:
    like = nearest(cluster_id, known)
    fix = f"did you mean {like}?" if like else "name one of these"
    return Fault(
        ("clusters",), "has no such cluster", f"one of {', '.join(known)}", fix, cluster_id
    )


def _target(cluster: ClusterSettings) -> str:
    return cluster.karpenter_version if cluster.upgrading_from else DEFAULT_VERSION


def _release(version: str, name: str) -> Release:
    found = find(version, name)
    if isinstance(found, Fault):
        raise InvalidInput([found])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
