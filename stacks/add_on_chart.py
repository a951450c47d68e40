"""What an add-on block says about the Helm release: its name, and where its chart lies.

Up to 0.16 charts lay at an address of their own and had plain names; from 0.17.0 on the address
of the chart is whole, its name at the end, and the add-on's release took the chart's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from modules.core import names
from modules.core.catalogue import NEWEST_KNOWN, RELEASES, Release
from modules.core.faults import Fault
from modules.provisioners.add_on_settings import AddOnSettings

_OLD_NAMESPACE = "karpenter"
"""Where the add-on put Karpenter before it took kube-system."""

_END = f"/{names.CHART}"


def chart_repository(block: AddOnSettings, release: Release) -> str | None:
    """The address up to the chart's name, or None where it is Karpenter's own."""
    given = block.repository
    if given is None or given == _address(release):
        return None
    return given.removesuffix(_END) if _is_whole(release) else given


def check_chart(block: AddOnSettings, release: Release) -> Iterator[Fault]:
    """Faults of the release's name and of the chart's address."""
    if block.release != names.CHART:
        yield _other_name(block)
    given = block.repository
    if given is None:
        return
    elsewhere = {_address(other) for other in RELEASES.values()} - {_address(release)}
    whole = _is_whole(release)
    if given in elsewhere or (whole and not given.endswith(_END)):
        yield Fault(
            ("repository",),
            f"is not where the chart of Karpenter {release.version} lies",
            f"{_address(release)}, or a mirror{f' that ends in {_END}' if whole else ''}",
            f"remove it, or write {_address(release)}; {NEWEST_KNOWN}",
            given,
        )


def _other_name(block: AddOnSettings) -> Fault:
    namespace = block.namespace or _OLD_NAMESPACE
    return Fault(
        ("release",),
        "is not the name of Karpenter's Helm release",
        f"{names.CHART}: from {_first_whole()} on the chart comes under this name alone",
        "if such a release is installed, replace it: 1. `helm uninstall "
        f"{block.release} --namespace {namespace}`, which leaves the CRDs, and with them pools, "
        "classes and nodes; do not delete the CRDs. 2. Give the CRDs to the new release: label "
        "each app.kubernetes.io/managed-by=Helm and annotate it meta.helm.sh/release-name="
        f"{names.CRD_CHART} and meta.helm.sh/release-namespace=<the new namespace>. 3. Remove "
        f"this line, and apply; {NEWEST_KNOWN}",
        block.release,
    )


def _address(release: Release) -> str:
    """What the add-on's documentation gives as the address."""
    return release.chart_repository + (_END if _is_whole(release) else "")


def _is_whole(release: Release) -> bool:
    return release.chart_repository.startswith("oci://")


def _first_whole() -> str:
    """The first release whose chart has a whole address."""
    return next(b.version for a, b in pairwise(RELEASES.values()) if _is_whole(a) < _is_whole(b))
