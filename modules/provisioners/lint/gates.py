"""Rules on what works behind a feature gate only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.api.fields import QUANTITY
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity

_RESERVED_RESOURCES = ("kubeReserved", "systemReserved")


@dataclass(frozen=True)
class Gate:
    """What works behind a feature gate only.

    Args:
        name: of the gate, as the chart has it.
        kind: of the objects concerned.
        field: of their spec, or None for the objects as such.
        since: first release with the gate.
        default_from: first release that has it on by default, or None.
    """

    name: str
    kind: str
    field: str | None
    since: str
    default_from: str | None = None


_GATES = (
    Gate(
        "reservedCapacity", names.NODE_CLASS, "capacityReservationSelectorTerms", "1.3.0", "1.6.0"
    ),
    Gate("nodeOverlay", "NodeOverlay", None, "1.7.0"),
    Gate("staticCapacity", names.NODE_POOL, "replicas", "1.8.0"),
    Gate("capacityBuffer", "CapacityBuffer", None, "1.14.0"),
)


def _gated(context: Context) -> Iterator[tuple[Manifest, Fault]]:
    for gate in _GATES:
        default = gate.default_from is not None and context.release.at_least(gate.default_from)
        on = context.facts.feature_gates.get(gate.name, default)
        if on or not context.release.at_least(gate.since):
            continue
        for manifest in context.of_kinds(gate.kind):
            if gate.field is None or manifest.spec.get(gate.field) is not None:
                yield (
                    manifest,
                    Fault(
                        () if gate.field is None else (gate.field,),
                        f"needs the feature gate {gate.name}, which is off"
                        f"{'' if default else ' by default'}",
                        f"settings.featureGates.{gate.name}: true in the chart's values",
                        f"switch {gate.name} on, and say so here, or remove it",
                    ),
                )


def _expressions(node_class: Manifest, context: Context) -> Iterator[Fault]:
    if context.facts.feature_gates.get("nodeClassCEL"):
        return
    kubelet = look.mapping(node_class.spec, "kubelet")
    texts: list[tuple[look.Path, str | None]] = [
        (("kubelet", "maxPods"), look.text(kubelet, "maxPods"))
    ]
    for key in _RESERVED_RESOURCES:
        amounts = look.mapping(kubelet, key)
        texts += ((("kubelet", key, str(n)), look.text(amounts, n)) for n in amounts)
    for path, given in texts:
        if given is not None and not QUANTITY.check(given):
            yield Fault(
                path,
                "is an expression, which needs the feature gate nodeClassCEL",
                "a whole number, or the gate settings.awsFeatureGates.nodeClassCEL",
                "switch nodeClassCEL on, and say so here, or write a number",
                given,
            )


RULES = (
    LintRule(
        "KPT607",
        "something behind a feature gate that is off",
        Severity.WARNING,
        "The controller does not read it.",
        "Karpenter's settings: feature gates",
        check_all=_gated,
        since="1.3.0",
    ),
    LintRule(
        "KPT608",
        "an expression in the kubelet's settings",
        Severity.ERROR,
        "The class is not ready: KubeletExpressionsDisabled.",
        "Karpenter 1.15, concepts: kubelet expressions",
        (names.NODE_CLASS,),
        _expressions,
        since="1.15.0",
    ),
)
