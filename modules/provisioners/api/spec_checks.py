"""Every fault of a spec: what the API server refuses, and what only we do."""

from __future__ import annotations

from typing import Any

from modules.core.catalogue import Api, Release
from modules.core.expressions import is_known
from modules.core.faults import Fault
from modules.core.inputs import Settings
from modules.provisioners.api import verdict
from modules.provisioners.api.judge import KINDS
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.open_kubelet import OPEN_KUBELET
from modules.provisioners.api.rules import SpecRule
from modules.provisioners.api.stable import STABLE_KINDS

__all__ = ["MODELS", "OPEN_KUBELET", "check_spec", "kind_named", "rules_of"]

MODELS: dict[str, type[Settings]] = {
    kind.kind: kind.model for kind in STABLE_KINDS if kind.api is Api.V1
}
"""Kind -> the model of its spec in v1, with all that any release knows."""


def kind_named(kind: str, release: Release, api: Api | None = None) -> Kind:
    """What is known of a kind in a generation of the API.

    Args:
        kind: its name.
        release: whose own generation is preferred where `api` gives none.
        api: another generation.

    Raises:
        LookupError: the release serves no such kind.
    """
    served = [k for k in KINDS.values() if k.kind == kind and k.served_by(release)]
    wanted = [k for k in served if k.api in (None, release.api if api is None else api)]
    if not wanted and api is None:
        wanted = served
    if not wanted:
        raise LookupError(f"Karpenter {release.version} has no {kind}{f' of {api}' if api else ''}")
    return wanted[0]


def rules_of(kind: str, release: Release, api: Api | None = None) -> list[SpecRule]:
    """The rules on more than one value of this kind's spec, without those that another includes."""
    rules = kind_named(kind, release, api).rules(release)
    return [rule for rule in rules if rule.weaker_than is None]


def check_spec(kind: str, data: Any, release: Release, api: Api | None = None) -> list[Fault]:
    """Every fault of a spec.

    Args:
        kind: `NodePool`, `EC2NodeClass` or another kind of Karpenter.
        data: the value of `spec`, as YAML gives it, complete with what the project adds. A
            null counts as absent, as it does for Kubernetes.
        release: the Karpenter release that is to read it.
        api: the generation that the spec is written in, if it is not the release's own.

    Returns:
        The faults, with paths from the spec down; empty where Karpenter takes it.
    """
    if not is_known(data):
        return []
    try:
        known = kind_named(kind, release, api)
    except LookupError as error:
        fix = "use a release that serves it, or a kind of this one"
        return [Fault((), str(error), "a kind that the release serves", fix, kind)]
    included = {r.id for r in known.rules(release) if r.weaker_than is not None}
    found = verdict.of_spec(known, data, release)
    return [judged.fault for judged in found if judged.rule not in included]
