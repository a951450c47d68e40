"""Which clusters a command is about, as the command line tells it."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from dataclasses import dataclass

ALL = "*"


class WrongSelectionError(Exception):
    """The command line names clusters that cannot be meant; `str()` is the message."""


@dataclass(frozen=True)
class Selection:
    """The clusters asked for and how to go about it.

    Args:
        clusters: their names; empty when all are meant.
        auto_approve: whether Terraform's plan is carried out without asking.
        passed_on: options for the CDKTF CLI, untouched.
    """

    clusters: tuple[str, ...]
    auto_approve: bool
    passed_on: tuple[str, ...]

    def stacks(self, declared: Sequence[str]) -> list[str]:
        """The stacks meant, out of those declared; `WrongSelectionError` for any other name."""
        if not self.clusters:
            return list(declared)
        if unknown := [name for name in self.clusters if name not in declared]:
            raise WrongSelectionError("\n".join(_unknown(name, declared) for name in unknown))
        return list(self.clusters)


def parse(command: str, argv: Sequence[str], *, many: bool, approval: bool) -> Selection:
    """Read a command line; argparse prints its usage and exits with 2 where it is wrong.

    `many` lets several clusters or all of them be named, which only a deploy does: a destroy of
    everything is a slip, and the CLI plans one stack at a time.
    """
    own, passed_on = _split(argv)
    parser = argparse.ArgumentParser(
        prog=f"pipenv run {command}", epilog="Options after -- go to the CDKTF CLI."
    )
    parser.add_argument(
        "clusters",
        nargs="*" if many else 1,
        metavar="cluster",
        help="its key in the cluster file" + ("; '*' means all" if many else ""),
    )
    if many:
        parser.add_argument("--all", action="store_true", help="all clusters of the file")
    if approval:
        parser.add_argument("--auto-approve", action="store_true", help="do not ask")
    options = parser.parse_args(own)

    clusters = tuple(dict.fromkeys(options.clusters))
    everything = many and (options.all or ALL in clusters)
    if ALL in clusters and not many:
        parser.error(f"name one cluster; {command} is never done for all at once")
    if everything and clusters not in ((), (ALL,)):
        parser.error("name clusters or ask for all, not both")
    if not everything and not clusters:
        parser.error("name a cluster, or ask for all with --all")
    return Selection(
        clusters=() if everything else clusters,
        auto_approve=approval and options.auto_approve,
        passed_on=passed_on,
    )


def _split(argv: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in argv:
        return list(argv), ()
    at = list(argv).index("--")
    return list(argv[:at]), tuple(argv[at + 1 :])


def _unknown(name: str, declared: Sequence[str]) -> str:
    like = difflib.get_close_matches(name, declared, n=1)
    hint = f" Did you mean {like[0]}?" if like else ""
    return f"No cluster {name} is declared; there are: {', '.join(declared) or 'none'}.{hint}"
