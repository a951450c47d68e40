"""Files of manifests, converted together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from modules.core import names
from modules.core.catalogue import RELEASES, Release
from modules.core.faults import Fault, InvalidInput, Step
from modules.core.inputs import parse
from modules.provisioners.add_on import translate
from modules.provisioners.add_on_settings import AddOnSettings
from modules.provisioners.kinds import ObjectKind, generation
from modules.provisioners.manifests import complete_pool
from modules.provisioners.migrate.convert import convert
from modules.provisioners.migrate.documents import (
    Document,
    dumped,
    is_list,
    others,
    split,
    with_comments,
    written,
)
from modules.provisioners.migrate.made import Made, Object

_ADD_ON = "provisionerSpecs"
"""What tells the configuration of an add-on from a manifest."""
_OF_ADD_ONS = RELEASES["0.31.5"]
"""The newest release of the API that such configuration was written for."""


@dataclass(frozen=True)
class Migrated:
    """A converted file.

    Args:
        path: of the old file.
        text: the new content.
        told: what to tell of it, line by line.
    """

    path: Path
    text: str
    told: tuple[str, ...]


def migrate(paths: Sequence[Path], release: Release, node_role: str | None) -> list[Migrated]:
    """The files as a release reads them.

    Raises:
        InvalidInput: with all faults of all files.
    """
    files, faults = _read(paths)
    old = {
        id(document): _old(document, release, path, faults)
        for path, documents in files.items()
        for document in documents
    }
    result = convert([one for found in old.values() for one in found], release, node_role)
    owners = _owners(files, old)
    faults += (_in_file(fault, owners) for fault in result.faults)
    if faults:
        raise InvalidInput(faults)
    places = _places(old, result.objects, release)
    return [
        Migrated(path, *_content(path, documents, places, release))
        for path, documents in files.items()
    ]


def _owners(
    files: Mapping[Path, list[Document]], old: Mapping[int, list[Object]]
) -> dict[Step, Path]:
    """The file of each object, by the names that it has before and after."""
    found: dict[Step, Path] = {}
    for path, documents in files.items():
        for one in (one for document in documents for one in old[id(document)]):
            metadata = one.get("metadata")
            name = metadata.get("name") if isinstance(metadata, Mapping) else None
            for kind in {one["kind"], _LATER.get(one["kind"], one["kind"])}:
                found.setdefault(f"{kind} {name}" if name else kind, path)
    return found


_LATER = {names.PROVISIONER: names.NODE_POOL, names.NODE_TEMPLATE: names.NODE_CLASS}


def _in_file(fault: Fault, owners: Mapping[Step, Path]) -> Fault:
    path = owners.get(fault.path[0]) if fault.path else None
    return fault if path is None else fault.under(str(path))


def _read(paths: Sequence[Path]) -> tuple[dict[Path, list[Document]], list[Fault]]:
    files: dict[Path, list[Document]] = {}
    faults = []
    for path in paths:
        try:
            files[path] = split(path.read_bytes().decode())
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not text in UTF-8"
            faults.append(
                Fault((str(path),), f"cannot be read: {why}", "a file of manifests", "correct it")
            )
        except yaml.YAMLError as error:
            problem = " ".join(str(error).split())
            faults.append(Fault((str(path),), f"is not YAML: {problem}", "YAML", "correct it"))
        except RecursionError:
            why = "is nested too deeply"
            faults.append(Fault((str(path),), why, "a file of manifests", "correct it"))
    return files, faults


def _places(
    old: Mapping[int, list[Object]], objects: Sequence[Made], release: Release
) -> dict[int, list[Made]]:
    """The new objects by the document that they take the place of.

    An object goes where the old one of its name was; a class that came of a pool, or as a copy of
    another class, goes with the document of that one.
    """
    found: dict[int, list[Made]] = {}
    owners: dict[tuple[bool, str], int] = {}
    pool_kind = generation(release).node_pool.kind
    for document, given in old.items():
        for one in given:
            is_pool = one["kind"] in (names.PROVISIONER, pool_kind)
            owners[is_pool, str(one["metadata"]["name"])] = document
    for made in objects:
        is_pool = made.manifest["kind"] == pool_kind
        owner = owners.get((is_pool, made.name)) or owners.get((True, made.name))
        if owner is None:  # A copy, which has a number after the name.
            owner = owners[False, made.name.rpartition("-")[0]]
        found.setdefault(owner, []).append(made)
    return found


def _content(
    path: Path,
    documents: Sequence[Document],
    places: Mapping[int, list[Made]],
    release: Release,
) -> tuple[str, tuple[str, ...]]:
    texts: list[str] = []
    told: list[str] = []
    for document in documents:
        made = places.get(id(document), [])
        if not made:
            texts.append(document.separator + document.text)
        elif is_list(document):
            texts.append(document.separator + document.head + _list(document, made, release))
        else:
            objects = "---\n".join(written(one) for one in made)
            texts.append(document.separator + document.head + objects)
        told += _told(path, made)
    return "".join(texts), tuple(told)


def _list(document: Document, made: Sequence[Made], release: Release) -> str:
    """A List with the new objects after what stays as it is."""
    kept = others(document, release.api)
    data = {**document.data, "items": [*kept, *(one.manifest for one in made)]}
    data.pop("metadata", None)
    whole = Made(data)
    for at, one in enumerate(made, len(kept)):
        for note in one.notes:
            whole.note(note.text, "items", at, *note.path, lossy=note.lossy)
    return with_comments(dumped(data), whole)


def _told(path: Path, made: Sequence[Made]) -> Iterator[str]:
    for one in made:
        yield f"{path}: {one.key}"
        for note in one.notes:
            place = ".".join(map(str, note.path))
            yield f"  {place}: {'lost: ' if note.lossy else ''}{note.text}"


def _old(document: Document, release: Release, path: Path, faults: list[Fault]) -> list[Object]:
    """The objects in a document that are to be converted."""
    data: Any = document.data
    if not isinstance(data, Mapping) or _ADD_ON not in data or "apiVersion" in data:
        return document.old(release.api)
    settings, found = parse(AddOnSettings, dict(data))
    faults += (fault.under(str(path)) for fault in found)
    if settings is None:
        return []
    # What the block meant in its own time; from there it is converted like any other object.
    translated = translate(settings, _OF_ADD_ONS)
    api = generation(_OF_ADD_ONS)
    return [
        *(_manifest(api.node_class, name, spec) for name, spec in translated.node_classes.items()),
        *(
            _manifest(api.node_pool, name, complete_pool(spec, name, api)["spec"])
            for name, spec in translated.node_pools.items()
        ),
    ]


def _manifest(kind: ObjectKind, name: str, spec: Mapping[str, Any]) -> Object:
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {"name": name},
        "spec": dict(spec),
    }
