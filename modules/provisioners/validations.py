"""The checks of pools, classes and tags as `validation` blocks of the published module."""

from __future__ import annotations

from modules.core.catalogue import Release
from modules.core.inputs import Validation
from modules.provisioners import object_validations, spec_validations
from modules.provisioners.api.class_rules import RESTRICTED_TAG


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by variable.

    Args:
        release: the Karpenter release that is to read the manifests.
    """
    objects, keys = object_validations.validations(release), spec_validations.validations(release)
    blocks = {variable: [*found, *keys[variable]] for variable, found in objects.items()}
    return {**blocks, "tags": [_tags()]}


def _tags() -> Validation:
    """On the keys of the tags that every class is given; without a class, nothing has them."""
    condition = RESTRICTED_TAG.condition.replace("{v}", "key")
    broken = f"[for key in keys(var.tags) : key if !({condition})]"
    return Validation(
        f"length(try(merge(var.node_classes), {{}})) == 0 || length({broken}) == 0",
        f'tags: ${{join(", ", {broken})}}: {RESTRICTED_TAG.message}',
    )
