"""Being started by Terraform itself: go-plugin's handshake, TLS, and the end of the process."""

from __future__ import annotations

import base64
import os
import signal
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import grpc

# The process's address of the stand-in to forward to, e.g. STANDIN_ADDRESS_AWS=127.0.0.1:4711.
ADDRESS_VARIABLE = "STANDIN_ADDRESS_"
KEY_VARIABLE = "STANDIN_TLS_KEY"
CERTIFICATE_VARIABLE = "STANDIN_TLS_CERTIFICATE"
_PROTOCOLS = "1|6"


def serve(make_server: Callable[[Callable[[], None]], grpc.Server]) -> None:
    """Serve on a unix socket until Terraform says Shutdown; then end the process.

    :param make_server: is given what to call on Shutdown.
    """
    # Ctrl-C goes to the whole process group; the plugin leaves it to Terraform.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    done = threading.Event()
    certificate = Path(os.environ[CERTIFICATE_VARIABLE]).read_bytes()
    key = Path(os.environ[KEY_VARIABLE]).read_bytes()
    with tempfile.TemporaryDirectory() as directory:
        server = make_server(done.set)
        socket = f"{directory}/plugin.sock"
        server.add_secure_port(
            f"unix://{socket}", grpc.ssl_server_credentials([(key, certificate)])
        )
        server.start()
        body = b"".join(certificate.split(b"-----")[2].split())
        encoded = base64.b64encode(base64.b64decode(body)).decode().rstrip("=")
        print(f"{_PROTOCOLS}|unix|{socket}|grpc|{encoded}", flush=True)
        done.wait()
        server.stop(0.2).wait()
    # Threads of gRPC and boto must not keep a plugin alive that Terraform has let go.
    os._exit(0)
