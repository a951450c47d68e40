"""A provider process that hands every call to a stand-in elsewhere; it needs no boto or moto."""

from __future__ import annotations

from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc

_DIRECTORY_HEADER = "standin-directory"
_PROVIDER_SERVICE = "/tfplugin6.Provider/"
_CONTROLLER_SHUTDOWN = "/plugin.GRPCController/Shutdown"
_STDIO = "/plugin.GRPCStdio/StreamStdio"


class _Forwarder(grpc.GenericRpcHandler):  # type: ignore[misc]
    def __init__(self, address: str, on_shutdown: Callable[[], None]) -> None:
        self._channel = grpc.insecure_channel(address)
        self._on_shutdown = on_shutdown
        self._metadata = ((_DIRECTORY_HEADER, str(Path.cwd())),)

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        if details.method.startswith(_PROVIDER_SERVICE):
            return grpc.unary_unary_rpc_method_handler(self._forward(details.method))
        if details.method == _CONTROLLER_SHUTDOWN:
            return grpc.unary_unary_rpc_method_handler(self._shutdown)
        if details.method == _STDIO:
            return grpc.unary_stream_rpc_method_handler(lambda _request, _context: iter(()))
        return None

    def _forward(self, method: str) -> Callable[[bytes, Any], Any]:
        call = self._channel.unary_unary(method)

        def forward(request: bytes, context: Any) -> Any:
            try:
                return call(request, metadata=self._metadata)
            except grpc.RpcError as error:
                # Terraform asks newer methods of every provider, and goes on without them only
                # if it is told that they are not implemented.
                context.abort(error.code(), error.details())

        return forward

    def _shutdown(self, _request: bytes, _context: Any) -> bytes:
        self._on_shutdown()
        return b""


def new_server(address: str, on_shutdown: Callable[[], None]) -> grpc.Server:
    server = grpc.server(futures.ThreadPoolExecutor(16))
    server.add_generic_rpc_handlers((_Forwarder(address, on_shutdown),))
    return server
