"""The fault of a jump past a release that cannot be left out."""

from __future__ import annotations

from collections.abc import Iterator

from modules.core.catalogue import NEWEST_KNOWN, Release, Version
from modules.core.faults import Fault
from stacks.upgrade.route import skipped

KEY = "upgradingFrom"


def check(running: Release, target: Release, given: str) -> Iterator[Fault]:
    """The faults of going from the release that runs to the one that is wanted.

    Args:
        given: the running version as it was written.
    """
    if Version.of(target.version) < Version.of(running.version):
        yield Fault(
            (KEY,),
            f"is newer than the karpenterVersion, {target.version}",
            "the release that runs now, which is older than the one that is wanted",
            "remove it once the upgrade is done; `pipenv run upgrade` tells the way back",
            given,
        )
    elif stops := skipped(running, target):
        way = " → ".join([running.version, *(s.release.version for s in stops), target.version])
        first = stops[0]
        yield Fault(
            (KEY,),
            f"is too old for a direct upgrade to {target.version}: {first.why}",
            f"an upgrade by way of {way}; {NEWEST_KNOWN}",
            f"set karpenterVersion to {first.release.version} first; `pipenv run upgrade` tells "
            "what each step takes",
            given,
        )
