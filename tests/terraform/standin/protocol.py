"""Terraform's plugin protocol 6 in front of a provider."""

from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from tf.gen import tfplugin_pb2 as pb
from tf.gen import tfplugin_pb2_grpc as rpc
from typing_extensions import override

from . import schema
from .errors import Problem, ProviderError
from .log import Call
from .provider import Provider
from .values import UNKNOWN, State, dump, known_text, load
from .world import World

MakeProvider = Callable[[World], Provider]
# A forwarding process names its working directory in this request header.
DIRECTORY_HEADER = "standin-directory"


def _path(attribute: str) -> pb.AttributePath:
    steps = [pb.AttributePath.Step(attribute_name=attribute)] if attribute else []
    return pb.AttributePath(steps=steps)


def _problems(problems: Iterable[Problem]) -> list[pb.Diagnostic]:
    return [
        pb.Diagnostic(
            severity=pb.Diagnostic.ERROR,
            summary=problem.message,
            attribute=_path(problem.attribute),
        )
        for problem in problems
    ]


def _diagnostic(error: Exception) -> pb.Diagnostic:
    if isinstance(error, ProviderError):
        return pb.Diagnostic(
            severity=pb.Diagnostic.ERROR,
            summary=error.summary,
            detail=error.detail,
            attribute=_path(error.attribute),
        )
    # An injected fault, or a mistake in the stand-in itself: then the traceback helps.
    return pb.Diagnostic(
        severity=pb.Diagnostic.ERROR, summary=str(error), detail=traceback.format_exc()
    )


# What names an object in the log, known before and after it is made; the first that is there.
_NAMES = (
    "name",
    "target_id",
    "policy_arn",
    "principal_arn",
    "service_account",
    "addon_name",
    "queue_url",
    "resource_id",
    "url",
    "aws_service_name",
    "id",
)


def _name(state: State | None) -> str:
    for key in _NAMES:
        if value := known_text((state or {}).get(key)):
            return value
    return ""


def _known(block: schema.Block, state: State) -> State:
    """Nothing stays unknown after an apply."""

    def fill(_name: str, attribute: schema.Block, value: Any) -> Any:
        return schema.zero(attribute) if value is UNKNOWN else value

    return schema.walk(block, state, fill)


class Servicer(rpc.ProviderServicer):  # type: ignore[misc]
    """Each connection is one provider configuration, so that aliases keep their own."""

    def __init__(self, name: str, make: MakeProvider, world: World) -> None:
        self._name = name
        self._make = make
        self._world = world
        self._providers: dict[str, Provider] = {}
        self._lock = threading.Lock()
        self._schema = schema.provider_schema(name)

    def _provider(self, context: grpc.ServicerContext) -> Provider:
        peer = context.peer()
        with self._lock:
            provider = self._providers.setdefault(peer, self._make(self._world))
        for key, value in context.invocation_metadata():
            if key == DIRECTORY_HEADER:
                self._world.working_directory = Path(value)
        return provider

    @contextmanager
    def _call(self, operation: str, type_name: str, state: State | None) -> Iterator[Call]:
        with self._world.log.record(operation, type_name, _name(state)) as call:
            self._world.faults.run(call, "before")
            with self._world.backend_lock:
                yield call
            call.name = call.name or _name(state)
            self._world.faults.run(call, "after")

    def _block(self, type_name: str) -> schema.Block:
        return schema.resource_block(self._name, type_name)

    @staticmethod
    def _capabilities() -> pb.ServerCapabilities:
        return pb.ServerCapabilities(plan_destroy=True, get_provider_schema_optional=True)

    @override
    def GetMetadata(self, request: Any, context: grpc.ServicerContext) -> Any:
        response = pb.GetMetadata
        return response.Response(
            server_capabilities=self._capabilities(),
            resources=[
                response.ResourceMetadata(type_name=name)
                for name in self._schema["resource_schemas"]
            ],
            data_sources=[
                response.DataSourceMetadata(type_name=name)
                for name in self._schema["data_source_schemas"]
            ],
        )

    @override
    def GetProviderSchema(self, request: Any, context: grpc.ServicerContext) -> Any:
        resources = self._schema["resource_schemas"].items()
        sources = self._schema["data_source_schemas"].items()
        return pb.GetProviderSchema.Response(
            provider=schema.message(self._schema["provider"]),
            server_capabilities=self._capabilities(),
            resource_schemas={name: schema.message(item) for name, item in resources},
            data_source_schemas={name: schema.message(item) for name, item in sources},
        )

    @override
    def ValidateProviderConfig(self, request: Any, context: grpc.ServicerContext) -> Any:
        return pb.ValidateProviderConfig.Response()

    @override
    def ConfigureProvider(self, request: Any, context: grpc.ServicerContext) -> Any:
        try:
            with self._call("configure", self._name, None):
                self._provider(context).configure(load(request.config) or {})
        except Exception as error:
            return pb.ConfigureProvider.Response(diagnostics=[_diagnostic(error)])
        return pb.ConfigureProvider.Response()

    @override
    def ValidateResourceConfig(self, request: Any, context: grpc.ServicerContext) -> Any:
        config = load(request.config)
        problems = self._provider(context).validate(request.type_name, config, data=False)
        return pb.ValidateResourceConfig.Response(diagnostics=_problems(problems))

    @override
    def ValidateDataResourceConfig(self, request: Any, context: grpc.ServicerContext) -> Any:
        config = load(request.config)
        problems = self._provider(context).validate(request.type_name, config, data=True)
        return pb.ValidateDataResourceConfig.Response(diagnostics=_problems(problems))

    @override
    def UpgradeResourceState(self, request: Any, context: grpc.ServicerContext) -> Any:
        raw = json.loads(request.raw_state.json)
        names = schema.empty(self._block(request.type_name))
        state = {name: raw.get(name) for name in names}
        return pb.UpgradeResourceState.Response(upgraded_state=dump(state))

    @override
    def PlanResourceChange(self, request: Any, context: grpc.ServicerContext) -> Any:
        response = pb.PlanResourceChange.Response
        prior, proposed = load(request.prior_state), load(request.proposed_new_state)
        provider, name = self._provider(context), request.type_name
        if proposed is None:
            return response(planned_state=dump(None))
        replace: list[str] = []
        try:
            with self._call("plan", name, proposed):
                if prior is None:
                    planned = provider.plan_create(name, proposed)
                else:
                    plan = provider.plan_update(name, prior, proposed, load(request.config))
                    planned, replace = plan.planned, plan.replace
        except Exception as error:
            return response(planned_state=dump(proposed), diagnostics=[_diagnostic(error)])
        return response(
            planned_state=dump(planned),
            requires_replace=[_path(attribute) for attribute in replace],
            legacy_type_system=provider.legacy_type_system,
        )

    @override
    def ApplyResourceChange(self, request: Any, context: grpc.ServicerContext) -> Any:
        response = pb.ApplyResourceChange.Response
        prior, planned = load(request.prior_state), load(request.planned_state)
        provider, name = self._provider(context), request.type_name
        operation = "delete" if planned is None else "create" if prior is None else "update"
        new: State | None = None
        try:
            with self._call(operation, name, planned or prior):
                if planned is None:
                    provider.delete(name, prior)
                elif prior is None:
                    new = _known(self._block(name), provider.create(name, planned))
                else:
                    new = _known(self._block(name), provider.update(name, prior, planned))
        except Exception as error:
            return response(new_state=dump(prior), diagnostics=[_diagnostic(error)])
        return response(new_state=dump(new), legacy_type_system=provider.legacy_type_system)

    @override
    def ReadResource(self, request: Any, context: grpc.ServicerContext) -> Any:
        state = load(request.current_state)
        try:
            with self._call("read", request.type_name, state):
                refreshed = self._provider(context).read(request.type_name, state)
        except Exception as error:
            return pb.ReadResource.Response(
                new_state=request.current_state, diagnostics=[_diagnostic(error)]
            )
        return pb.ReadResource.Response(new_state=dump(refreshed))

    @override
    def ImportResourceState(self, request: Any, context: grpc.ServicerContext) -> Any:
        state = schema.empty(self._block(request.type_name))
        state["id"] = request.id
        with self._call("import", request.type_name, state):
            state |= self._provider(context).imported(request.type_name, request.id)
        imported = pb.ImportResourceState.ImportedResource(
            type_name=request.type_name, state=dump(state)
        )
        return pb.ImportResourceState.Response(imported_resources=[imported])

    @override
    def ReadDataSource(self, request: Any, context: grpc.ServicerContext) -> Any:
        config = load(request.config)
        block = schema.data_block(self._name, request.type_name)
        try:
            with self._call("data", request.type_name, config):
                told = self._provider(context).read_data(request.type_name, config)
        except Exception as error:
            return pb.ReadDataSource.Response(diagnostics=[_diagnostic(error)])
        for name, attribute in block.get("attributes", {}).items():
            if config.get(name) is None and attribute.get("computed"):
                config[name] = told.get(name, schema.zero(attribute))

        def fill(_name: str, attribute: schema.Block, value: Any) -> Any:
            return schema.zero(attribute) if value is None and attribute.get("computed") else value

        return pb.ReadDataSource.Response(state=dump(schema.walk(block, config, fill)))

    @override
    def GetFunctions(self, request: Any, context: grpc.ServicerContext) -> Any:
        return pb.GetFunctions.Response()

    @override
    def StopProvider(self, request: Any, context: grpc.ServicerContext) -> Any:
        return pb.StopProvider.Response()
