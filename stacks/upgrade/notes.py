"""What has to be done by hand on the way past a release, and where one can go back to.

The facts stand in the catalogue's section `upgrades`. Source: Karpenter's upgrade guide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modules.core.catalogue import Release
from modules.core.catalogue_file import section

ANYWHERE = "To any release of the same generation of the API."


@dataclass(frozen=True)
class Step:
    """Something that the apply does not do.

    Args:
        code: its stable code.
        before: whether it comes before the apply; else after it.
        title: what it is about.
        text: what is so, and what to do.
        commands: lines for a shell.
    """

    code: str
    before: bool
    title: str
    text: str
    commands: tuple[str, ...]


def steps(before: Release, after: Release, names: Mapping[str, str]) -> list[Step]:
    """The steps on the way from one release to the next, in order of the releases they are for.

    Args:
        names: what stands in the commands: `namespace` of Karpenter.
    """
    known = {
        **names,
        "version": after.version,
        "crd_folder": next(
            folder
            for since, folder in reversed(section("upgrades")["crd_folders"])
            if after.at_least(since)
        ),
        "crds": " ".join(crds(before)),
    }
    rows = section("upgrades")["notes"]
    return [_step(row, known) for row in rows if _applies(row, before, after)]


def rollback(before: Release, after: Release) -> str:
    """Where one can go back to from a release that was just reached.

    Says so where the release one came from is not among it.
    """
    for row in section("upgrades")["rollbacks"]:
        if not after.within(row["since"], row["until"]) or before.at_least(row["since"]):
            continue
        to = row["to"]
        within = to is None or any(before.within(*span) for span in to)
        return str(row["text"]) if within else f"Not to {before.version}. {row['text']}"
    return ANYWHERE


def crds(release: Release) -> Iterator[str]:
    """The names of the CRDs that a release brings."""
    for span, found in section("upgrades")["crds"]:
        if release.within(*span):
            yield from found


def _applies(row: Mapping[str, Any], before: Release, after: Release) -> bool:
    """Whether a step is for this part of the way.

    Most are for whoever passes a release; those with an end are for every upgrade up to there.
    """
    if "until" in row:
        return after.within(row["since"], row["until"])
    return not before.at_least(row["since"]) and after.at_least(row["since"])


def _step(row: Mapping[str, Any], names: Mapping[str, str]) -> Step:
    commands = tuple(command.format_map(names) for command in row["commands"])
    return Step(row["code"], row["when"] == "before", row["title"], row["text"], commands)
