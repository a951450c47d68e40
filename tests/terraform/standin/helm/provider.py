"""The helm provider as the protocol needs it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typing_extensions import override

from .. import planning, schema
from ..errors import Problem, ProviderError
from ..kubernetes import Release
from ..planning import Plan
from ..provider import Provider
from ..values import UNKNOWN, State, known_text
from ..world import World
from . import charts, release
from .uninstall import uninstall

# What makes the provider plan new metadata.
_METADATA_SOURCES = ("chart", "repository", "set", "set_list", "set_sensitive", "values", "version")


class HelmProvider(Provider):
    name = "helm"
    legacy_type_system = False

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._host = ""

    @override
    def configure(self, config: State) -> None:
        kubernetes = config.get("kubernetes")
        host = kubernetes.get("host") if isinstance(kubernetes, dict) else None
        self._host = known_text(host) or ""

    @override
    def validate(self, type_name: str, config: State, *, data: bool) -> Iterable[Problem]:
        timeout = config.get("timeout")
        if isinstance(timeout, (int, float)) and timeout < 0:
            yield Problem("timeout", "timeout must not be negative")

    def _chart(self, state: State) -> Any:
        """The local chart, None for one of a registry, whose content is not looked at."""
        chart = known_text(state.get("chart"))
        if chart is None or known_text(state.get("repository")) or chart.startswith("oci://"):
            return None
        path = charts.local_chart(self.world.working_directory, state)
        if path is None:
            raise ProviderError(
                "Error locating chart", f"Unable to locate chart {chart}: path {chart} not found"
            )
        return charts.load(path)

    def _settle_version(self, planned: State, configured: Any) -> None:
        """The provider plans the chart's own version and refuses another one."""
        if planned.get("chart") is UNKNOWN or planned.get("repository") is UNKNOWN:
            return
        chart = self._chart(planned)
        if chart is None:
            if configured is None:
                raise ProviderError(
                    "Error locating chart",
                    "The stand-in does not know the newest version of a chart in a registry: "
                    "set version.",
                )
            return
        if isinstance(configured, str) and configured.lstrip("v") != chart.version.lstrip("v"):
            raise ProviderError(
                "Planned version is different from configured version",
                f'The version in the configuration is "{configured}" '
                f'but the planned version is "{chart.version}".',
            )
        planned["version"] = configured if isinstance(configured, str) else chart.version

    @override
    def plan_create(self, type_name: str, planned: State) -> State:
        configured = planned.get("version")
        block = schema.resource_block(self.name, type_name)
        planned = planning.plan_create(type_name, block, planned, {}, "")
        planned |= {"manifest": None, "resources": None, "status": "deployed"}
        self._settle_version(planned, configured)
        return planned

    @override
    def plan_update(self, type_name: str, prior: State, planned: State, config: State) -> Plan:
        block = schema.resource_block(self.name, type_name)
        plan = planning.plan_update(type_name, block, prior, planned, {}, "")
        planned = plan.planned
        planned["status"] = "deployed"
        self._settle_version(planned, config.get("version"))
        if any(planned.get(name) != prior.get(name) for name in _METADATA_SOURCES):
            planned["metadata"] = UNKNOWN
        return plan

    def _deploy(self, planned: State, *, upgrade: bool) -> State:
        chart = self._chart(planned)
        wanted = release.described(planned, self._host, chart)
        if chart is not None:
            before = self.world.kubernetes.releases.get(wanted.key)
            revision = before.revision + 1 if before else 1
            rendered = charts.render(chart, planned, upgrade=upgrade, revision=revision)
            wanted.manifest, wanted.objects = rendered.manifest, rendered.objects
            wanted.hooks = rendered.hooks
        deploy = release.upgrade if upgrade else release.install
        deploy(self.world.kubernetes, wanted)
        told = release.computed(planned, wanted, self._app_version(chart, wanted))
        told["version"] = wanted.version
        return {
            name: told.get(name, UNKNOWN) if value is UNKNOWN else value
            for name, value in planned.items()
        }

    @staticmethod
    def _app_version(chart: Any, wanted: Release) -> str:
        return str(chart.metadata.get("appVersion", "")) if chart is not None else wanted.version

    @override
    def create(self, type_name: str, planned: State) -> State:
        return self._deploy(planned, upgrade=False)

    @override
    def update(self, type_name: str, prior: State, planned: State) -> State:
        return self._deploy(planned, upgrade=True)

    def _key(self, state: State) -> tuple[str, str, str]:
        return self._host, state["namespace"], state["name"]

    @override
    def read(self, type_name: str, state: State) -> State | None:
        found = self.world.kubernetes.releases.get(self._key(state))
        if found is None:
            return None
        result = {**state, "id": found.name, "status": found.status}
        if found.version.lstrip("v") != (known_text(state.get("version")) or "").lstrip("v"):
            result["version"] = found.version
        if state.get("metadata") is None:
            told = release.computed(state, found, found.version)
            result["metadata"] = told["metadata"]
        return result

    @override
    def delete(self, type_name: str, state: State) -> None:
        found = self.world.kubernetes.releases.get(self._key(state))
        if found is not None:
            found.wait, found.timeout = bool(state["wait"]), int(state["timeout"])
            found.run_hooks = not state["disable_webhooks"]
            uninstall(self.world.kubernetes, found)

    @override
    def imported(self, type_name: str, identifier: str) -> State:
        namespace, _, name = identifier.rpartition("/")
        key = self._host, namespace or "default", name
        found = self.world.kubernetes.releases.get(key)
        if found is None:
            raise ProviderError("Error getting release", f"Unable to get Helm release {name}")
        return {
            "id": name,
            "name": name,
            "namespace": found.namespace,
            "chart": found.chart_name,
            "repository": found.repository or None,
            "version": found.version,
        }

    @override
    def read_data(self, type_name: str, config: State) -> State:
        state = {"namespace": "default", **{k: v for k, v in config.items() if v is not None}}
        chart = self._chart(state)
        if chart is None:
            raise ProviderError("Error locating chart", "The stand-in renders local charts only.")
        rendered = charts.render(chart, state, upgrade=False, revision=1)
        return {
            "id": config["name"],
            "manifest": rendered.manifest + rendered.hooks_manifest,
            "notes": "",
            "crds": [item["data"] for item in chart.crds],
            "namespace": state["namespace"],
            "version": chart.version,
        }
