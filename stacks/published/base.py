"""What every published module consists of, and the stack that its blocks come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from modules.cdk import (
    App,
    TerraformDataSource,
    TerraformElement,
    TerraformLocal,
    TerraformModule,
    TerraformResource,
)
from modules.core.catalogue import Release
from modules.core.expressions import Expr
from modules.core.faults import ABSENT
from modules.core.inputs import Settings, Validation, Variable, variables
from modules.core.placing import Placed
from modules.core.versioned import VERSION_FIELDS
from stacks.base import PlainStack

REQUIRED_TERRAFORM: Final = ">= 1.11"
"""The oldest Terraform that the published modules are tested with."""

PROVIDERS: Final = {
    "aws": {"source": "hashicorp/aws", "version": ">= 6.0, < 7.0"},
    "helm": {"source": "hashicorp/helm", "version": ">= 3.0, < 4.0"},
}
"""Providers by local name: a floor that is tested, a ceiling at the next major version."""

_CLUSTER: Final = "cluster_name"
"""The variable that a reader looks for first."""

Tree = dict[str, Any]


@dataclass(frozen=True)
class Output:
    """An output of a published module.

    Args:
        value: what it gives.
        description: one or more sentences.
        after: what must be there before others may use the value, and stay until they are gone.
    """

    name: str
    value: Expr
    description: str
    after: Sequence[Placed] = ()

    @property
    def block(self) -> Tree:
        waits = {"depends_on": [placed.address for placed in self.after]} if self.after else {}
        return {"description": self.description, "value": str(self.value), **waits}


@dataclass(frozen=True)
class PublishedModule:
    """All that a module's files are written from.

    Args:
        name: its folder.
        release: the Karpenter release it is for.
        summary: what it is, one sentence.
        variables: required ones first.
        blocks: its data sources, locals, resources and module calls, one a tree, in the order
            in which they were placed.
        outputs: in the order in which they are listed.
        handwritten: the folder of the parts that are copied.
        providers: local names of the providers whose resources are in it or below it.
        comments: by address, why a block is there.
        copied: more files, by path inside the module.
        apart: files beside main.tf, with the names of the resources and locals in them;
            `locals` are all.
    """

    name: str
    release: Release
    summary: str
    variables: Sequence[Variable]
    blocks: Sequence[Tree]
    outputs: Sequence[Output]
    handwritten: Path
    providers: Sequence[str]
    comments: Mapping[str, str] = field(default_factory=dict)
    copied: Mapping[str, bytes] = field(default_factory=dict)
    apart: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def by_file(self, block: Tree) -> Iterator[tuple[str, Tree]]:
        """The files that one of the blocks stands in, with what stands there; mostly one."""
        if "locals" not in block:
            kinds = block.get("resource") or {}
            yield self._file_of(*(name for named in kinds.values() for name in named)), block
            return
        found: dict[str, Tree] = {}
        for name, value in block["locals"].items():
            found.setdefault(self._file_of(name, "locals"), {})[name] = value
        for file, values in found.items():
            yield file, {"locals": values}

    def _file_of(self, *names: str) -> str:
        files = (f for f, apart in self.apart.items() if any(name in apart for name in names))
        return next(files, "main.tf")

    @property
    def versions_tree(self) -> Tree:
        """The versions that it works with."""
        return {
            "terraform": {
                "required_version": REQUIRED_TERRAFORM,
                "required_providers": {name: PROVIDERS[name] for name in self.providers},
            }
        }

    @property
    def variables_tree(self) -> Tree:
        """The variables as Terraform blocks.

        They are made here and not by CDKTF, since null does not survive the way through it and
        a default of null is a default.
        """
        return {"variable": {v.name: _variable_block(v) for v in self.variables}}

    @property
    def outputs_tree(self) -> Tree:
        """The outputs as Terraform blocks."""
        return {"output": {output.name: output.block for output in self.outputs}}


def _variable_block(variable: Variable) -> Tree:
    block: Tree = {"type": variable.type, "description": variable.description}
    if variable.default is not ABSENT:
        block["default"] = variable.default
    block["nullable"] = variable.nullable
    if variable.sensitive:
        block["sensitive"] = True
    if variable.validations:
        block["validation"] = [
            {"condition": f"${{{v.condition}}}", "error_message": v.error_message}
            for v in variable.validations
        ]
    return block


class ModuleStack(PlainStack):
    """A stack whose blocks become a module: addresses without the construct's own name.

    It is never synthesized with the cluster stacks; the publisher has an app of its own.
    """

    def __init__(self, app: App, name: str) -> None:
        super().__init__(app, name, drop_first_step=True)

    def blocks(self) -> list[Tree]:
        """Data sources, then locals, then resources and module calls as they were placed."""
        tree = self.to_terraform()
        found = list(_placed(self.node.find_all(), tree))
        locals_ = [{"locals": tree["locals"]}] if tree.get("locals") else []
        data = [block for block in found if "data" in block]
        return [*data, *locals_, *(block for block in found if "data" not in block)]


def _placed(elements: Sequence[Any], tree: Tree) -> Iterator[Tree]:
    for element in elements:
        if not isinstance(element, TerraformElement) or isinstance(element, TerraformLocal):
            continue
        name = element.friendly_unique_id
        if isinstance(element, TerraformModule):
            yield {"module": {name: _plain(tree["module"][name])}}
        elif isinstance(element, TerraformResource | TerraformDataSource):
            kind = "data" if isinstance(element, TerraformDataSource) else "resource"
            type_ = element.terraform_resource_type
            yield {kind: {type_: {name: _plain(tree[kind][type_][name])}}}


def _plain(block: Tree) -> Tree:
    """The block without what CDKTF notes about its construct."""
    return {key: value for key, value in block.items() if key != "//"}


def variables_of(
    model: type[Settings],
    validations: Mapping[str, Sequence[Validation]],
    *,
    without: Sequence[str] = (),
) -> list[Variable]:
    """The variables of a module, required ones first.

    Args:
        validations: rules beyond those on single values, by variable.
        without: fields that the module fills itself, besides the version.
    """
    found = [
        replace(v, validations=(*v.validations, *validations.get(v.name, ())))
        for v in variables(model, without=(*VERSION_FIELDS, *without))
    ]
    return required_first(found)


def required_first(found: Sequence[Variable]) -> list[Variable]:
    """The cluster's name, the other variables without a default, then those with one."""
    return sorted(found, key=lambda v: (v.default is not ABSENT, v.name != _CLUSTER))


def handwritten(module: str) -> Path:
    """Where the hand-written parts of a module lie, beside its Python."""
    return Path(__file__).resolve().parents[2] / "modules" / module / "published"
