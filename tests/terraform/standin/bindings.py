"""Read Terraform schemas out of the installed CDKTF provider packages.

Each ``lib/<type>/index.js`` in a package's jsii archive ends in an inline source map that carries
the generated TypeScript. There every attribute has a comment
``// name - computed: c, optional: o, required: r``, and its type can be told from the getters.

What the bindings do not know: ``sensitive``, defaults and what forces a replacement (all in
``facts.py``), the schema version, and ``max_items`` above one.
"""

from __future__ import annotations

import base64
import json
import re
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_FIELD = re.compile(r"^ *// (\w+) - computed: (\w+), optional: (\w+), required: (\w+)\n", re.M)
_DECLARATION = re.compile(r"^export (interface|class|function) (\w+).*?\n^\}", re.M | re.S)
_PROPERTY = re.compile(
    r"/\*\*((?:(?!\*/).)*?)\*/\s+readonly (\w+)(\??): ([^;]+(?:\{[^}]*\})?[^;]*);", re.S
)
_DOC_NAME = re.compile(r"#(\w+) \w+#\w+\}")
_HCL_ENTRY = re.compile(
    r"^ {4,6}(\w+): \{\n\s+value: .*\n\s+isBlock: (?:\w+),\n\s+type: \"(\w+)\",\n"
    r"\s+storageClassType: \"(\w+)\"",
    re.M,
)
_NESTED = re.compile(r"= new (\w+?)(List|Map|OutputReference)\(this, \"\w+\"(?:, (true|false))?\)")
_SUPER = re.compile(r"super\(terraformResource, terraformAttribute, (\w+)(?:, (\w+))?\)")
_GETTER = re.compile(
    r"(tolist\()?this\.(get(\w*?)(List|Map|Set)?Attribute|interpolationForAttribute)"
)
_MAP_GETTER = re.compile(r"new cdktf\.(\w+?)Map\(this")
_LIST_OF_COLLECTIONS = re.compile(r"new cdktf\.(\w+?)(List|Map)List\(this, \"\w+\", (\w+)")
_TOP_CLASS = re.compile(r"extends cdktf\.Terraform(Resource|DataSource|Provider)\b")

_SCALARS = {"string": "string", "number": "number", "boolean": "bool", "any": "dynamic"}


class UnreadableBinding(Exception):
    """A generated file has a shape that this reader does not know."""


@dataclass(frozen=True)
class _Field:
    computed: bool
    optional: bool
    required: bool
    code: str

    def flags(self) -> Json:
        flags = {"computed": self.computed, "optional": self.optional, "required": self.required}
        return {name: True for name, value in flags.items() if value}


def _storage_type(storage: str, kind: str) -> Any:
    """The cty type of an entry of the generated HCL table, or None when it is a struct."""
    for suffix, collection in (("MapList", kind), ("List", "list"), ("Map", "map"), ("Set", "set")):
        element = _SCALARS.get(storage.removesuffix(suffix))
        if storage.endswith(suffix) and element:
            if suffix == "MapList":
                return [collection, ["map", element]]
            return [kind if kind in ("list", "set", "map") else collection, element]
    return _SCALARS.get(storage)


class _Source:
    """The declarations of one generated TypeScript file."""

    def __init__(self, text: str, *, framework: bool) -> None:
        """``framework``: a protocol 6 provider, whose computed objects are nested attributes."""
        self.framework = framework
        self.declarations = {(m[1], m[2]): m[0] for m in _DECLARATION.finditer(text)}

    def top(self) -> Json:
        for (kind, name), body in self.declarations.items():
            if kind == "class" and (found := _TOP_CLASS.search(body)):
                table = body[body.index("synthesizeHclAttributes") :]
                is_provider = found[1] == "Provider"
                return self._block(f"{name}Config", name, table, is_provider=is_provider)
        raise UnreadableBinding("no resource, data source or provider class")

    def _properties(self, interface: str) -> dict[str, Json]:
        body = self.declarations.get(("interface", interface), "")
        properties: dict[str, Json] = {}
        for found in _PROPERTY.finditer(body):
            name = _DOC_NAME.search(found[1])
            if name:
                is_block = bool(re.search(rf"\* {name[1]} block\b", found[1]))
                properties[name[1]] = {
                    "optional": found[3] == "?",
                    "block": is_block,
                    "type": found[4].strip(),
                }
        return properties

    def _fields(self, class_name: str, properties: Mapping[str, Json]) -> dict[str, _Field]:
        parts = _FIELD.split(self.declarations.get(("class", class_name), ""))
        fields = {
            name: _Field(computed == "true", optional == "true", required == "true", code)
            for name, computed, optional, required, code in zip(*[iter(parts[1:])] * 5, strict=True)
        }
        if fields:
            return fields
        # The structs of a provider's configuration have no output reference: only the interface.
        return {
            name: _Field(False, prop["optional"], not prop["optional"], "")
            for name, prop in properties.items()
        }

    def _block(self, interface: str, class_name: str, table: str, *, is_provider: bool) -> Json:
        properties = self._properties(interface)
        hcl = {m[1]: (m[2], m[3]) for m in _HCL_ENTRY.finditer(table)}
        attributes: Json = {}
        blocks: Json = {}
        for name, field in self._fields(class_name, properties).items():
            if is_provider and name == "alias":
                continue
            nested = self._nesting(field) or self._table_nesting(
                name, field, hcl, properties, is_provider=is_provider
            )
            if nested is None:
                attributes[name] = {**field.flags(), "type": self._type(name, field, hcl)}
                continue
            struct, mode, max_items = nested
            inner = self._struct(struct, is_provider=is_provider)
            if properties.get(name, {}).get("block"):
                limits = {"min_items": int(field.required), "max_items": max_items}
                limits = {key: value for key, value in limits.items() if value}
                blocks[name] = {"nesting_mode": mode, "block": inner, **limits}
            elif field.computed and not field.optional and not self.framework:
                inner_attributes = inner.get("attributes", {}).items()
                shape: Any = ["object", {key: value["type"] for key, value in inner_attributes}]
                shape = shape if mode == "single" else [mode, shape]
                attributes[name] = {**field.flags(), "type": shape}
            else:
                nested_type = {"attributes": inner.get("attributes", {}), "nesting_mode": mode}
                attributes[name] = {**field.flags(), "nested_type": nested_type}
        result = {"attributes": attributes, "block_types": blocks}
        return {key: value for key, value in result.items() if value}

    def _struct(self, struct: str, *, is_provider: bool) -> Json:
        function = f"{struct[0].lower()}{struct[1:]}ToHclTerraform"
        table = self.declarations.get(("function", function), "")
        return self._block(struct, f"{struct}OutputReference", table, is_provider=is_provider)

    def _nesting(self, field: _Field) -> tuple[str, str, int] | None:
        """(struct, nesting mode, max items) told by the field's output reference."""
        found = _NESTED.search(field.code)
        if not found or ("class", found[1] + found[2]) not in self.declarations:
            return None
        struct, wrapper, wraps_set = found[1], found[2], found[3] == "true"
        if wrapper == "List":
            return struct, "set" if wraps_set else "list", 0
        if wrapper == "Map":
            return struct, "map", 0
        super_call = _SUPER.search(self.declarations[("class", struct + wrapper)])
        if super_call and super_call[2] == "0":
            return struct, "set" if super_call[1] == "true" else "list", 1
        return struct, "single", 0

    def _table_nesting(
        self,
        name: str,
        field: _Field,
        hcl: Mapping[str, tuple[str, str]],
        properties: Mapping[str, Json],
        *,
        is_provider: bool,
    ) -> tuple[str, str, int] | None:
        """The same, told by the HCL table where there is no output reference."""
        if field.code and not is_provider:
            return None
        kind, storage = hcl.get(name, ("", ""))
        if kind not in ("struct", "list", "set", "map") or _storage_type(storage, kind):
            return None
        struct = re.match(r"\w+", properties[name]["type"])
        if not struct:
            raise UnreadableBinding(f"{name}: {properties[name]['type']}")
        return struct[0], "single" if kind == "struct" else kind, 0

    def _type(self, name: str, field: _Field, hcl: Mapping[str, tuple[str, str]]) -> Any:
        kind, storage = hcl.get(name, ("", ""))
        if found_type := _storage_type(storage, kind):
            return found_type
        if found := _MAP_GETTER.search(field.code):
            return ["map", _SCALARS[found[1].lower()]]
        if found := _GETTER.search(field.code):
            if found[2].startswith("interpolation"):
                return "dynamic"
            element = _SCALARS[(found[3] or "string").lower()]
            if not found[4]:
                return element
            collection = ("set" if found[1] else "list") if found[4] == "List" else found[4].lower()
            return [collection, element]
        if found := _LIST_OF_COLLECTIONS.search(field.code):
            outer = "set" if found[3] == "true" else "list"
            return [outer, [found[2].lower(), _SCALARS[found[1].lower()]]]
        raise UnreadableBinding(f"cannot tell the type of {name}")


def read(
    archive: Path, folders: Mapping[str, str], *, framework: bool
) -> tuple[dict[str, Json], str]:
    """Schemas of chosen folders of a jsii archive.

    :param folders: folder in ``lib/`` to the name under which its schema is returned.
    :return: schemas by that name, and the version of the provider that the bindings were made for.
    :raises UnreadableBinding: a folder is missing or has an unknown shape.
    """
    found: dict[str, Json] = {}
    version = ""
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = member.name.split("/")
            if len(parts) != 4 or parts[1] != "lib" or parts[3] != "index.js":
                continue
            if parts[2] not in folders:
                continue
            stream = tar.extractfile(member)
            if stream is None:
                continue
            encoded = stream.read().decode().rsplit("base64,", 1)[1]
            text = json.loads(base64.b64decode(encoded))["sourcesContent"][0]
            block = _Source(text, framework=framework).top()
            found[folders[parts[2]]] = {"version": 0, "block": block}
            if pinned := re.search(r"/hashicorp/\w+/([\d.]+)", text):
                version = pinned[1]
            if len(found) == len(folders):
                break
    if missing := sorted(set(folders.values()) - set(found)):
        raise UnreadableBinding(f"not in {archive.name}: {', '.join(missing)}")
    return found, version
