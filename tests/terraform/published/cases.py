"""Calls of the published modules that their variables allow or refuse, and what Python says.

The values are those of the tables that Python's own tests read.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from pydantic.alias_generators import to_snake

from modules.core.catalogue import RELEASES, Release
from modules.core.faults import Fault
from modules.core.inputs import Settings, parse
from modules.iam.checks import check as check_iam
from modules.iam.settings import IamSettings
from modules.provisioners.checks import check as check_provisioners
from modules.provisioners.settings import ProvisionerSettings
from modules.release.checks import check as check_release
from modules.release.keys import keys_of, levels_of
from modules.release.settings import ReleaseSettings
from tests.core.test_rules import TABLE, text
from tests.provisioners.test_checks import BASELINE
from tests.provisioners.test_checks import CASES as OBJECTS
from tests.release.cases import CASES as VALUES
from tests.terraform.published.roots import VERSION

RELEASE = RELEASES[VERSION]
_HERE = Path(__file__).parent
_OPTIONS = yaml.safe_load((_HERE.parents[1] / "iam/faults.yaml").read_text(encoding="utf-8"))
_VARIABLES = yaml.safe_load((_HERE / "variables.yaml").read_text(encoding="utf-8"))

Check = Callable[[Any, Release], list[Fault]]


@dataclass(frozen=True)
class Module:
    """A module and the Python that judges the same settings.

    Args:
        facts: what every call sets unless the case does.
    """

    model: type[Settings]
    check: Check
    facts: dict[str, Any]


MODULES = {
    "karpenter-iam": Module(
        IamSettings,
        check_iam,
        {
            "cluster_name": "demo",
            "oidc_issuer": "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
        },
    ),
    "karpenter-release": Module(
        ReleaseSettings,
        check_release,
        {
            "cluster_name": "demo",
            "cluster_endpoint": "https://a.gr7.us-west-2.eks.amazonaws.com",
            "controller_role_arn": "arn:aws:iam::111122223333:role/controller",
            "queue_name": "Karpenter-demo",
        },
    ),
    "karpenter-provisioners": Module(
        ProvisionerSettings, check_provisioners, {"cluster_name": "demo", "node_role_name": "nodes"}
    ),
}


@dataclass(frozen=True, eq=False)
class Case:
    """Variables that a case sets, besides the facts."""

    module: str
    name: str
    given: dict[str, Any]

    @cached_property
    def faults(self) -> list[Fault]:
        """What Python says of the same settings."""
        module = MODULES[self.module]
        data = {**module.facts, **self.given, "karpenter_version": VERSION}
        settings, faults = parse(module.model, data)
        return faults if settings is None else module.check(settings, RELEASE)


def _misspelt() -> Iterator[tuple[Case, str]]:
    for row in yaml.safe_load((_HERE / "misspelt.yaml").read_text(encoding="utf-8")):
        variable, *steps, key = row["path"].split(".")
        in_values = variable == "values"
        given: dict[str, Any] = {"values": {}} if in_values else copy.deepcopy(BASELINE)
        at = given[variable]
        for step in steps:
            at = at[int(step)] if step.isdigit() else at.setdefault(step, {})
        at[key] = "x"
        module = "karpenter-release" if in_values else "karpenter-provisioners"
        yield Case(module, row["path"], given), row["told"]


MISSPELT = dict(_misspelt())
"""Calls with a slip of the pen, and what must be said of it."""


def load() -> list[Case]:
    """Every case, of all parts."""
    return [*_of_variables(), *_of_options(), *_of_values(), *_of_objects(), *MISSPELT]


def _of_variables() -> Iterator[Case]:
    for module, variables in _VARIABLES.items():
        for name, row in variables.items():
            row = {"rule": row} if isinstance(row, str) else row
            each, rule = row.get("each"), row.get("each", row.get("rule"))
            verdicts = TABLE[rule] if rule else row
            for verdict in ("allowed", "refused"):
                for value in map(text, verdicts[verdict]):
                    given = {name: {"some": value} if each else value, **row.get("with", {})}
                    yield Case(module, f"{name} {verdict}: {str(value)[:40]}", given)


def _of_options() -> Iterator[Case]:
    for row in _OPTIONS:
        if "version" not in row:
            given = {to_snake(key): value for key, value in row["options"].items()}
            # Terraform names no call where it refuses what the call leaves out.
            given.setdefault("node_role_arn", None)
            yield Case("karpenter-iam", row["name"], given)
    for action, verdict in (("x" * 6000, "fits"), ("x" * 6144, "is too long")):
        statement = {"Effect": "Allow", "Action": action, "Resource": "*"}
        given = {"controller_policy_statements": [statement]}
        yield Case("karpenter-iam", f"a policy that {verdict}", given)


def _of_values() -> Iterator[Case]:
    for case in VALUES:
        yield Case("karpenter-release", case.name, {"values": case.values})
    for path in levels_of(RELEASE):
        given = _nested((*path, "misspelt"), 1)
        yield Case("karpenter-release", f"misspelt below {path}", {"values": given})
    for path in (key.path for key in keys_of(RELEASE)):
        for value in ([1], {"a": 1}):
            given = _nested(path, value)
            yield Case("karpenter-release", f"{path} as {value}", {"values": given})
    for switch in (True, False):
        given = {"queue_name": None, "interruption_handling": switch}
        yield Case("karpenter-release", f"no queue, interruption handling {switch}", given)


def _nested(path: tuple[str, ...], value: object) -> dict[str, Any]:
    inner = {path[-1]: value}
    return _nested(path[:-1], inner) if path[:-1] else inner


_TYPES = "tags and metadata options of the wrong type"
"""A case about the fields of a spec, whose values are judged beyond the variables."""


_RESTRICTED = {"karpenter.sh/nodepool": "mine", "kubernetes.io/cluster/demo": "owned"}
_TAGGED: dict[str, dict[str, Any]] = {
    "tags of one's own": {**BASELINE, "tags": {"team": "a"}},
    **{
        f"the tag {key}": {**BASELINE, "tags": {"team": "a", key: value}}
        for key, value in _RESTRICTED.items()
    },
    "restricted tags without a class": {"tags": _RESTRICTED},
}
_MIXED = {"kind": "EC2NodeClass", "subnetSelectorTerms": [{"id": "subnet-0123abcd"}]}

OBJECT_VARIABLES = tuple(BASELINE)
"""Variables whose faults are told by the names of the objects in them."""

NO_SPEC = {
    "a manifest without a spec": "default: spec: is missing or no mapping",
    "a class's manifest without a spec": "default: spec: is missing or no mapping",
    "two classes and a manifest without a spec": "web: spec: is missing or no mapping",
}
"""Cases of manifests without a spec, and what alone is told of each."""


def _of_objects() -> Iterator[Case]:
    for name, row in OBJECTS.items():
        if name != _TYPES:
            given = {variable: row.get(variable, value) for variable, value in BASELINE.items()}
            yield Case("karpenter-provisioners", name, given)
    for name, given in _TAGGED.items():
        yield Case("karpenter-provisioners", name, given)
    node_class = BASELINE["node_classes"]["default"]
    two = {"node_classes": dict.fromkeys(("one", "two"), node_class)}
    given = {**two, "node_pools": {"web": {"kind": "NodePool"}}}
    yield Case("karpenter-provisioners", "two classes and a manifest without a spec", given)
    given = {"node_classes": {"default": _MIXED}}
    yield Case("karpenter-provisioners", "a class beside the keys of a manifest", given)
    wrong_kind = {"kind": "Pool", "spec": BASELINE["node_pools"]["default"]}
    for given in (
        {"node_classes": ["default"]},
        {"node_pools": "default"},
        {**BASELINE, "node_pools": {"default": wrong_kind}},
    ):
        yield Case("karpenter-provisioners", str(given)[:60], given)
