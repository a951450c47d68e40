"""Import single submodules of a jsii provider package without running the package's own body.

The `__init__` of `cdktf_cdktf_provider_aws` imports some 4,400 submodules: about 12 seconds and
half a gigabyte for the dozen that are used. No submodule needs another one (each imports only its
package's `_jsii`), so the package body can be left out and submodules load when they are asked for.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType


class _LazyPackageLoader(SourceFileLoader):
    """Gives a package its real file, spec and resources, but runs none of its body.

    It is a `SourceFileLoader` so that `importlib.resources`, by which jsii finds the assembly,
    works as ever. `importlib.util.LazyLoader` is no way out: the package replaces itself in
    `sys.modules`, which that loader refuses.
    """

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        # Registers the jsii assembly, as the package's own body would.
        importlib.import_module(f"{name}._jsii")

        def load_submodule(attribute: str) -> ModuleType:
            missing = AttributeError(f"module {name!r} has no attribute {attribute!r}")
            if attribute.startswith("__"):
                raise missing
            target = f"{name}.{attribute}"
            try:
                return importlib.import_module(target)
            except ModuleNotFoundError as error:
                if error.name != target:
                    raise
                raise missing from None

        module.__dict__["__getattr__"] = load_submodule  # PEP 562


class _LazyPackageFinder(MetaPathFinder):
    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname not in self._names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _LazyPackageLoader(spec.loader.name, spec.loader.path)
        return spec


def install(*packages: str) -> None:
    """From now on, import these top-level packages lazily. Calling it again changes nothing."""
    finder = _LazyPackageFinder(frozenset(packages))
    if not any(isinstance(known, _LazyPackageFinder) for known in sys.meta_path):
        sys.meta_path.insert(0, finder)
