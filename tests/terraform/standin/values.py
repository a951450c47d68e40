"""Values on the wire: msgpack with Terraform's unknown values."""

from __future__ import annotations

import json
from typing import Any, Final

import msgpack
from tf.gen import tfplugin_pb2 as pb

State = dict[str, Any]


class Unknown:
    """A value that is known only after apply. There is one, ``UNKNOWN``; compare with ``is``."""

    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN: Final = Unknown()


def _unknown(_code: int, _data: bytes) -> Unknown:
    # Extension 0 is a plain unknown, 12 one with refinements (not null, prefix ...): both are
    # simply unknown here.
    return UNKNOWN


def _encode(value: object) -> Any:
    if value is UNKNOWN:
        return msgpack.ExtType(0, b"\0")
    raise TypeError(f"cannot encode {value!r}")


def load(value: pb.DynamicValue) -> Any:
    """Decode; numbers that are whole come out as int."""
    if value.json:
        return json.loads(value.json)
    if not value.msgpack:
        return None
    return _whole(msgpack.unpackb(value.msgpack, ext_hook=_unknown, strict_map_key=False))


def dump(value: Any) -> pb.DynamicValue:
    return pb.DynamicValue(msgpack=msgpack.packb(value, default=_encode))


def _whole(value: Any) -> Any:
    # Terraform may send 300 as an integer or a float, depending on where it came from.
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def has_unknown(value: Any) -> bool:
    """Whether an unknown lies anywhere in the value."""
    if isinstance(value, dict):
        return any(has_unknown(item) for item in value.values())
    if isinstance(value, list):
        return any(has_unknown(item) for item in value)
    return value is UNKNOWN


def known_text(value: Any) -> str | None:
    """The value if it is a known, non-empty string."""
    return value if isinstance(value, str) and value else None
