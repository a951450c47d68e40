"""Settings of the controller under one name each, whatever the key of a release's chart is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from modules.core.catalogue import NEWEST_KNOWN, Release
from modules.core.expressions import is_known
from modules.core.faults import Fault, nearest
from modules.core.inputs import Settings
from modules.core.rules import between, one_of, pattern
from modules.release import concepts
from modules.release.concepts import GATE
from modules.release.merge import merged

DURATION = pattern(
    "controller_duration",
    r"([0-9]+(\.[0-9]+)?(ms|s|m|h))+",
    allowed='a duration with its unit, such as "10s"',
    fix="write a number and ms, s, m or h",
)
LOG_LEVEL = one_of("log_level", ("debug", "info", "error"), fix="write info unless you debug")
LOG_ENCODING = one_of("log_encoding", ("console", "json"), fix="write json for machines to read")
DNS_POLICY = one_of(
    "dns_policy",
    ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    fix="write Default where Karpenter launches the nodes that the cluster's DNS runs on",
)
REPLICAS = between(
    "replicas", 1, 10, unit="replicas", fix="run two, or one where Karpenter has a single node"
)
INTERFACES = between("reserved_enis", 0, 15, unit="network interfaces", fix="reserve 0 or 1")


class ControllerSettings(Settings):
    """What can be set without knowing the chart of a release; left out, the chart's default."""

    replicas: Annotated[int, REPLICAS] | None = None
    """How many replicas run; one of them leads."""

    log_level: Annotated[str, LOG_LEVEL] | None = None
    """How much is logged: debug, info or error."""

    log_encoding: Annotated[str, LOG_ENCODING] | None = None
    """How it is written: console or json. From 1.0.0 on it is always json."""

    log_output_paths: list[str] | None = None
    """Where logs go, such as stdout."""

    log_error_output_paths: list[str] | None = None
    """Where errors of the logger itself go, such as stderr."""

    batch_max_duration: Annotated[str, DURATION] | None = None
    """Longest time for which pods are gathered before nodes are launched for them."""

    batch_idle_duration: Annotated[str, DURATION] | None = None
    """Time without new pods after which a batch ends early."""

    dns_policy: Annotated[str, DNS_POLICY] | None = None
    """DNS policy of the controller's pods."""

    cluster_ca_bundle: str | None = None
    """CA certificates of the cluster's API server, in PEM. By default they are looked up."""

    isolated_vpc: bool | None = None
    """Whether the VPC has no way out, so that prices cannot be looked up."""

    vm_memory_overhead_percent: float | None = None
    """Share of an instance's memory, from 0 to 1, that its virtual machine takes."""

    reserved_enis: Annotated[int, INTERFACES] | None = None
    """How many network interfaces of each node are not for pods, from 0 to 15."""

    feature_gates: dict[str, bool] = {}
    """Feature gates by Karpenter's names of them, such as spotToSpotConsolidation."""


def values_of(settings: ControllerSettings, release: Release) -> dict[str, Any]:
    """The same as values of a release's chart."""
    return merged(
        *(
            concepts.placed(concept, release, _written(concept, value))
            for concept, _, value in _given(settings)
        )
    )


def check_settings(
    settings: ControllerSettings, values: object, release: Release
) -> Iterator[Fault]:
    """The faults of settings that a release does not have, or that its values set as well.

    Args:
        values: the user's values for the chart.
    """
    for concept, path, value in _given(settings):
        if concept not in concepts.concepts():
            yield _unknown_gate(path, value)
            continue
        key = concepts.key_of(concept, release)
        if key is None:
            spans = [span for _, spans in concepts.keys_of(concept) for span in spans]
            yield Fault(
                path,
                f"is not a setting of Karpenter {release.version}",
                f"no {path[-1]} with this release; {NEWEST_KNOWN}",
                concepts.when(spans, release, "releases"),
                value,
            )
        elif isinstance(values, Mapping) and concepts.is_set_in(values, key):
            yield Fault(
                path,
                f"is given in values too, as {key}",
                "one of the two",
                f"remove {key} from values",
                value,
            )


def _given(settings: ControllerSettings) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Each concept that is set: its name, where it stands, its value."""
    for name, info in ControllerSettings.model_fields.items():
        value = getattr(settings, name)
        if name == "feature_gates":
            for gate, on in value.items() if is_known(value) else ():
                yield f"{GATE}{gate}", (str(info.alias), gate), on
        elif value is not None:
            yield name, (str(info.alias),), value


def _written(concept: str, value: Any) -> Any:
    """A value as the charts have it: the number of interfaces is text there."""
    return str(value) if concept == "reserved_enis" and isinstance(value, int) else value


def _unknown_gate(path: tuple[str, ...], value: object) -> Fault:
    known = [c.removeprefix(GATE) for c in concepts.concepts() if c.startswith(GATE)]
    like = nearest(path[-1], known)
    return Fault(
        path,
        "is not a feature gate known here",
        f"one of {', '.join(known)}; {NEWEST_KNOWN}",
        f"did you mean {like}?" if like else "remove it",
        value,
    )
