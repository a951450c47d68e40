"""A filesystem mirror of both providers, written at test time, for ``terraform init``."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from . import handshake
from .derive import source_address
from .schema import provider_schema
from .server import PROVIDERS

_REPOSITORY = Path(__file__).resolve().parents[3]
_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def _key_pair(directory: Path) -> tuple[Path, Path]:
    """A self-signed pair for localhost: Terraform talks TLS to a provider it starts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    key_file, certificate_file = directory / "localhost.key", directory / "localhost.pem"
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return key_file, certificate_file


class Mirror:
    """The mirror and what points Terraform at it."""

    def __init__(
        self,
        directory: Path,
        *,
        addresses: dict[str, str] | None = None,
        versions: dict[str, str] | None = None,
    ) -> None:
        """Write it.

        :param addresses: stand-ins to forward to (``Servers.addresses``); without, each process
            that Terraform starts has a moto of its own.
        :param versions: versions to claim; by default those of the bindings.
        """
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.versions = {
            name: (versions or {}).get(name) or provider_schema(name)["version"]
            for name in PROVIDERS
        }
        self.configuration = directory / "mirror.tfrc"
        key, certificate = _key_pair(directory)
        lines = [
            "#!/bin/sh",
            f"export PYTHONPATH='{_REPOSITORY}'",
            f"export {handshake.KEY_VARIABLE}='{key}'",
            f"export {handshake.CERTIFICATE_VARIABLE}='{certificate}'",
        ]
        lines += [
            f"export {handshake.ADDRESS_VARIABLE}{name.upper()}='{address}'"
            for name, address in (addresses or {}).items()
        ]
        for name, version in self.versions.items():
            start = f"exec '{sys.executable}' -m tests.terraform.standin {name}"
            self._write(name, version, "\n".join([*lines, start, ""]))
        self.configuration.write_text(
            "provider_installation {\n  filesystem_mirror {\n"
            f'    path = "{directory / "providers"}"\n  }}\n}}\n'
        )

    def _write(self, name: str, version: str, script: str) -> None:
        machine = f"{platform.system().lower()}_{_MACHINES[platform.machine().lower()]}"
        folder = self.directory / "providers" / source_address(name) / version / machine
        folder.mkdir(parents=True)
        executable = folder / f"terraform-provider-{name}_v{version}"
        executable.write_text(script)
        executable.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """What a program that runs Terraform needs, e.g. the CDKTF CLI."""
        return {
            "TF_CLI_CONFIG_FILE": os.fspath(self.configuration),
            "CHECKPOINT_DISABLE": "1",
        }
