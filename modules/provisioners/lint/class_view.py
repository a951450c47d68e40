"""Classes of all generations, read alike: EC2NodeClasses and AWSNodeTemplates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modules.core import names
from modules.provisioners.api.alias_rules import ALIAS_FAMILIES, alias_family
from modules.provisioners.lint import look
from modules.provisioners.lint.finding import Context, Manifest
from modules.provisioners.lint.look import Path
from modules.provisioners.lint.pool_view import POOLS, class_reference, is_provisioner

CLASSES = (names.NODE_CLASS, names.NODE_TEMPLATE)

SUBNETS = "subnetSelector"
GROUPS = "securityGroupSelector"
WINDOWS = "Windows"


@dataclass(frozen=True)
class Alias:
    """An image that a class names by its family.

    Args:
        path: where it stands, from the spec down.
        text: `al2023@v20250101`.
    """

    path: Path
    text: str

    @property
    def version(self) -> str:
        """What stands behind the @."""
        return self.text.partition("@")[2]


def is_template(node_class: Manifest) -> bool:
    """Whether the class is one of v1alpha1."""
    return node_class.kind == names.NODE_TEMPLATE


def family(node_class: Manifest) -> str | None:
    """The family of the images, as amiFamily writes it; None where the class does not tell."""
    given = look.text(node_class.spec, "amiFamily")
    if given is not None:
        return given
    if is_template(node_class):
        return None if "launchTemplate" in node_class.spec else "AL2"
    return ALIAS_FAMILIES.get(alias_family(node_class.spec) or "")


def aliases(node_class: Manifest) -> Iterator[Alias]:
    """The aliases among the image terms."""
    for path, term in look.items(node_class.spec, "amiSelectorTerms"):
        alias = look.text(term, "alias")
        if alias is not None:
            yield Alias((*path, "alias"), alias)


def image_names(node_class: Manifest) -> Iterator[tuple[Path, str]]:
    """The names, with or without `*`, by which the class selects images."""
    for path, term in look.items(node_class.spec, "amiSelectorTerms"):
        name = look.text(term, "name")
        if name is not None:
            yield (*path, "name"), name
    name = look.text(node_class.spec, "amiSelector", "aws::name")
    if name is not None:
        yield ("amiSelector", "aws::name"), name


def tag_terms(node_class: Manifest, selector: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The tags of each term that selects by nothing but tags.

    Args:
        selector: `SUBNETS` or `GROUPS`.
    """
    if is_template(node_class):
        tags = look.mapping(node_class.spec, selector)
        if tags and not any(key.startswith(("aws-ids", "aws::")) for key in map(str, tags)):
            yield (selector,), tags
        return
    for path, term in look.items(node_class.spec, f"{selector}Terms"):
        if look.mapping(term, "tags") and term.keys() == {"tags"}:
            yield (*path, "tags"), look.mapping(term, "tags")


def disks(node_class: Manifest) -> list[tuple[Path, Mapping[str, Any]]]:
    """The block device mappings."""
    return list(look.items(node_class.spec, "blockDeviceMappings"))


def class_of(pool: Manifest, context: Context) -> Manifest | None:
    """The class that a pool names, where it is among the manifests."""
    _, name = class_reference(pool)
    kind = names.NODE_TEMPLATE if is_provisioner(pool) else names.NODE_CLASS
    return next((c for c in context.of_kinds(kind) if c.name == name), None)


def pools_with_class(context: Context) -> Iterator[tuple[Manifest, Manifest]]:
    """Each pool whose class is among the manifests, with the class."""
    classes = {(c.kind, c.name): c for c in reversed([*context.of_kinds(*CLASSES)])}
    for pool in context.of_kinds(*POOLS):
        _, name = class_reference(pool)
        kind = names.NODE_TEMPLATE if is_provisioner(pool) else names.NODE_CLASS
        found = classes.get((kind, name or ""))
        if found is not None:
            yield pool, found
