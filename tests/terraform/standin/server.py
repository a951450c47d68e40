"""gRPC servers that Terraform takes for go-plugin processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent import futures
from typing import Any

import grpc
from tf.gen import grpc_controller_pb2 as controller
from tf.gen import grpc_controller_pb2_grpc as controller_rpc
from tf.gen import grpc_stdio_pb2_grpc as stdio_rpc
from tf.gen import tfplugin_pb2_grpc as rpc
from typing_extensions import override

from .aws.provider import AwsProvider
from .derive import source_address
from .helm.provider import HelmProvider
from .protocol import MakeProvider, Servicer
from .world import World

PROVIDERS: dict[str, MakeProvider] = {"aws": AwsProvider, "helm": HelmProvider}
PROTOCOL = 6
# Terraform's default parallelism is 10; one thread more serves the calls around them.
_THREADS = 16
OPTIONS = [
    ("grpc.max_receive_message_length", 1 << 28),
    ("grpc.max_send_message_length", 1 << 28),
]


class _Controller(controller_rpc.GRPCControllerServicer):  # type: ignore[misc]
    def __init__(self, on_shutdown: Callable[[], None]) -> None:
        self._on_shutdown = on_shutdown

    @override
    def Shutdown(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._on_shutdown()
        return controller.Empty()


class _Stdio(stdio_rpc.GRPCStdioServicer):  # type: ignore[misc]
    @override
    def StreamStdio(self, request: Any, context: grpc.ServicerContext) -> Any:
        return iter(())


def add_plugin_services(server: grpc.Server, on_shutdown: Callable[[], None]) -> None:
    """The two services that go-plugin asks of every plugin beside its own."""
    controller_rpc.add_GRPCControllerServicer_to_server(_Controller(on_shutdown), server)
    stdio_rpc.add_GRPCStdioServicer_to_server(_Stdio(), server)


def new_server(name: str, world: World, on_shutdown: Callable[[], None]) -> grpc.Server:
    """A server of one provider without a port yet."""
    server = grpc.server(futures.ThreadPoolExecutor(_THREADS), options=OPTIONS)
    rpc.add_ProviderServicer_to_server(Servicer(name, PROVIDERS[name], world), server)
    add_plugin_services(server, on_shutdown)
    return server


class Servers:
    """Both providers on 127.0.0.1. TCP and not a unix socket: a peer's port tells aliases apart."""

    def __init__(self, world: World) -> None:
        self._servers: list[grpc.Server] = []
        self.addresses: dict[str, str] = {}
        for name in PROVIDERS:
            # Terraform shuts a re-attached provider down after each command; it stays up here.
            server = new_server(name, world, on_shutdown=lambda: None)
            port = server.add_insecure_port("127.0.0.1:0")
            server.start()
            self._servers.append(server)
            self.addresses[name] = f"127.0.0.1:{port}"

    def reattach(self) -> str:
        """The value of TF_REATTACH_PROVIDERS."""
        return json.dumps(
            {
                source_address(name): {
                    "Protocol": "grpc",
                    "ProtocolVersion": PROTOCOL,
                    "Pid": os.getpid(),
                    "Test": True,
                    "Addr": {"Network": "tcp", "String": address},
                }
                for name, address in self.addresses.items()
            }
        )

    def stop(self) -> None:
        for server in self._servers:
            server.stop(None)
