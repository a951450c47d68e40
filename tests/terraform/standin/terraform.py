"""Running Terraform on a directory against the stand-in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .engines import ENGINES, environment
from .faults import When
from .log import Call
from .world import World

both_engines = pytest.mark.parametrize("terraform", list(ENGINES), indirect=True)
"""Decorator: run a test that uses the fixture ``terraform`` with both engines."""

_TIMEOUT_SECONDS = 180
_PLAN_FILE = "tfplan"


class TerraformFailed(AssertionError):
    """A run ended otherwise than the test expected."""


@dataclass(frozen=True)
class Result:
    arguments: tuple[str, ...]
    code: int
    stdout: str
    stderr: str

    @property
    def text(self) -> str:
        """All that was printed, with Terraform's line wrapping and frames taken out."""
        words = (self.stdout + "\n" + self.stderr).replace("│", " ").split()
        return " ".join(words)


@dataclass(frozen=True)
class Plan:
    """``terraform show -json`` of a saved plan, and the run that made it."""

    result: Result
    document: dict[str, Any]

    @property
    def empty(self) -> bool:
        return not self.actions and not self.output_changes

    @property
    def actions(self) -> dict[str, list[str]]:
        """Address to actions, of everything that changes. Data sources are left out."""
        return {
            change["address"]: change["change"]["actions"]
            for change in self.document.get("resource_changes", [])
            if change["mode"] == "managed" and change["change"]["actions"] != ["no-op"]
        }

    @property
    def output_changes(self) -> dict[str, list[str]]:
        return {
            name: change["actions"]
            for name, change in self.document.get("output_changes", {}).items()
            if change["actions"] != ["no-op"]
        }

    def change(self, address: str) -> dict[str, Any]:
        """The change of one address: before, after, after_unknown, replace_paths."""
        for item in self.document.get("resource_changes", []):
            if item["address"] == address:
                change: dict[str, Any] = item["change"]
                return change
        raise KeyError(address)


class Terraform:
    """One working directory. Commands that fail raise ``TerraformFailed`` unless told to ``fail``.

    Every command takes further command line options as strings and, where it makes sense,
    ``variables`` (name to value; anything that is not a string is passed as JSON, which Terraform
    reads so only where the variable has a type).
    """

    def __init__(
        self,
        directory: Path,
        world: World,
        environment: Mapping[str, str],
        *,
        engine: str = "path",
    ) -> None:
        self.directory = directory
        self.engine = engine
        self._world = world
        self._environment = dict(environment)
        self._running: subprocess.Popen[str] | None = None

    def run(self, *arguments: str, codes: Sequence[int] = (0,), fail: bool = False) -> Result:
        """Run a command; ``fail`` turns the expectation round: it must end with code 1."""
        self._world.working_directory = self.directory
        with subprocess.Popen(
            [*ENGINES[self.engine], *arguments],
            cwd=self.directory,
            env={**environment(), **self._environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            self._running = process
            try:
                out, err = process.communicate(timeout=_TIMEOUT_SECONDS)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            finally:
                self._running = None
        result = Result(arguments, process.returncode, out, err)
        if result.code not in ((1,) if fail else codes):
            raise TerraformFailed(
                f"terraform {' '.join(arguments)} ended with {result.code}\n{out}\n{err}"
            )
        return result

    @staticmethod
    def _variables(variables: Mapping[str, Any] | None) -> list[str]:
        return [
            f"-var={name}={value if isinstance(value, str) else json.dumps(value)}"
            for name, value in (variables or {}).items()
        ]

    def init(self, *options: str, fail: bool = False) -> Result:
        return self.run("init", "-input=false", "-no-color", *options, fail=fail)

    def validate(self, *, fail: bool = False) -> dict[str, Any]:
        """The parsed ``validate -json``: ``valid`` and ``diagnostics``."""
        result = self.run("validate", "-json", fail=fail)
        document: dict[str, Any] = json.loads(result.stdout)
        return document

    def plan(self, *options: str, variables: Mapping[str, Any] | None = None) -> Plan:
        more = [*options, *self._variables(variables)]
        result = self.run("plan", "-input=false", "-no-color", f"-out={_PLAN_FILE}", *more)
        return Plan(result, json.loads(self.run("show", "-json", _PLAN_FILE).stdout))

    def plan_fails(self, *options: str, variables: Mapping[str, Any] | None = None) -> Result:
        more = [*options, *self._variables(variables)]
        return self.run("plan", "-input=false", "-no-color", *more, fail=True)

    def apply(
        self, *options: str, variables: Mapping[str, Any] | None = None, fail: bool = False
    ) -> Result:
        more = [*options, *self._variables(variables)]
        return self.run("apply", "-input=false", "-no-color", "-auto-approve", *more, fail=fail)

    def destroy(
        self, *options: str, variables: Mapping[str, Any] | None = None, fail: bool = False
    ) -> Result:
        more = [*options, *self._variables(variables)]
        return self.run("destroy", "-input=false", "-no-color", "-auto-approve", *more, fail=fail)

    def import_(
        self, address: str, identifier: str, variables: Mapping[str, Any] | None = None
    ) -> Result:
        more = self._variables(variables)
        return self.run("import", "-input=false", "-no-color", *more, address, identifier)

    def test(self, *options: str, fail: bool = False) -> Result:
        return self.run("test", "-no-color", *options, fail=fail)

    def show(self) -> dict[str, Any]:
        """The state as ``show -json`` tells it."""
        document: dict[str, Any] = json.loads(self.run("show", "-json").stdout)
        return document

    def output(self) -> dict[str, Any]:
        """Output values by name."""
        outputs = json.loads(self.run("output", "-json").stdout)
        return {name: item["value"] for name, item in outputs.items()}

    def state(self) -> list[str]:
        """Addresses in the state, data sources included."""
        # Without any state the command ends with 1.
        return self.run("state", "list", codes=(0, 1)).stdout.split()

    def killed(
        self,
        command: str,
        operation: str,
        type_name: str,
        *options: str,
        nth: int = 1,
        when: When = "before",
        name: str | None = None,
        variables: Mapping[str, Any] | None = None,
    ) -> Result:
        """Run apply or destroy and SIGKILL it at the ``nth`` such provider call.

        ``before``: the call has done nothing yet, and does nothing. ``after``: the object is
        changed, but Terraform never hears of it.
        """

        def kill(_call: Call) -> None:
            process = self._running
            if process is None:
                raise TerraformFailed("the call came while no Terraform ran")
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise ConnectionAbortedError("Terraform was killed here")

        self._world.faults.add(operation, type_name, kill, nth=nth, when=when, name=name)
        more = [*options, *self._variables(variables)]
        result = self.run(
            command,
            "-input=false",
            "-no-color",
            "-auto-approve",
            *more,
            codes=(-signal.SIGKILL,),
        )
        self._world.log.wait_until_quiet()
        return result
