"""The checks of pools and classes as `validation` blocks of the published module's variables."""

from __future__ import annotations

from modules.core.catalogue import Release
from modules.core.inputs import Validation
from modules.provisioners import object_validations, spec_validations


def validations(release: Release) -> dict[str, list[Validation]]:
    """The blocks by variable.

    Args:
        release: the Karpenter release that is to read the manifests.
    """
    objects, keys = object_validations.validations(release), spec_validations.validations(release)
    return {variable: [*blocks, *keys[variable]] for variable, blocks in objects.items()}
