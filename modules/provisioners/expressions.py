"""The completion of `manifests.py` as Terraform, for pools and classes that are variables.

The texts become locals of the published module, so they are laid out as `terraform fmt` wants
them. They keep to merge, lookup and for-expressions: a conditional would force its two sides
into one type, and try() makes a whole object unknown where one field of it is, so it stands
only around references to classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from modules.core import names
from modules.core.expressions import Expr, quoted
from modules.provisioners.kinds import Generation
from modules.provisioners.manifests import (
    ENVELOPE,
    KEPT_METADATA,
    METADATA_DEFAULTS,
    class_of,
    ipv6_endpoint,
)
from modules.provisioners.settings import ProvisionerSettings

GIVEN_SPEC = 'lookup(given, "spec", given)'
"""The bare spec of `given`."""

GIVEN_METADATA = 'merge(lookup(given, "metadata", {}), {})'
"""The metadata of `given`; merge turns a null into an empty mapping."""


def words(texts: Iterable[str]) -> str:
    """A list of literal texts."""
    return f"[{', '.join(quoted(text) for text in texts)}]"


HAS_SPEC = f"can(keys(given.spec)) || length(setintersection(keys(given), {words(ENVELOPE)})) == 0"
"""Whether `given`, a mapping, has a spec to read: see `manifests.has_spec`."""


def specs(given: Expr) -> Expr:
    """The bare specs, by name, out of manifests and bare specs; null fields count as absent."""
    return Expr(
        f"""{{
  for name, given in {given.text} : name => {{
    for field, value in {GIVEN_SPEC} : field => value if value != null
  }}
}}"""
    )


def classes(settings: ProvisionerSettings, given: Expr, specs: Expr, api: Generation) -> Expr:
    """The complete node classes by name.

    Args:
        given: what the user gave.
        specs: refers to what `specs` makes of it.
    """
    role = f"field => {quoted(settings.node_role_name)} if {_none_of(api.identities)}"
    roles = f'{{ for field in ["role"] : {role} }},\n        ' if api.has_role else ""
    discovery = f"{{ {quoted(names.DISCOVERY_TAG)} = {quoted(settings.cluster_name)} }}"
    found = f"[{{ tags = {discovery} }}]" if api.terms else discovery
    selection = f"field => {found} if {_none_of(api.selectors)}"
    tags = f'{{ tags = merge({_operand(settings.tags)}, lookup(spec, "tags", {{}})) }}'
    options = {**METADATA_DEFAULTS, "httpProtocolIPv6": ipv6_endpoint(settings.ip_family)}
    return Expr(
        f"""{{
  for name, spec in {specs.text} : name => merge(
    {_kept_metadata(given)},
    {{
      spec = merge(
        {roles}{{ for field in {words(api.selectors)} : {selection} }},
        spec,
        {{
          metadataOptions = merge(
            {{
{_attributes(options, indent=14)}
            }},
            lookup(spec, "metadataOptions", {{}})
          )
        }},
        {{ for field, value in {tags} : field => value if length(value) > 0 }}
      )
    }}
  )
}}"""
    )


def pools(given: Expr, specs: Expr, class_names: Collection[str] | Expr, api: Generation) -> Expr:
    """The complete node pools by name.

    Args:
        given: what the user gave.
        specs: refers to what `specs` makes of it.
        class_names: the names of the classes.
    """
    reference = _referring(api, class_names)
    return Expr(
        f"""{{
  for name, spec in {specs.text} : name => merge(
    {_kept_metadata(given)},
    {{
{reference}
    }}
  )
}}"""
    )


def _referring(api: Generation, class_names: Collection[str] | Expr) -> str:
    """The spec with its complete reference, at the depth where the generation has it."""
    name = class_name("spec", class_names=class_names, api=api)
    beside = ", ".join(f"{key} = {quoted(value)}" for key, value in api.reference_to.items())
    if len(api.reference) == 1:
        (field,) = api.reference
        return f"""      spec = merge(spec, {{
        for field in lookup(spec, "provider", null) == null ? [{quoted(field)}] : [] :
        field => merge(try(spec.{field}, {{}}), {{ name = {name} }})
      }})"""
    return f"""      spec = merge(spec, {{
        template = merge(lookup(spec, "template", {{}}), {{
          spec = merge(lookup(lookup(spec, "template", {{}}), "spec", {{}}), {{
            nodeClassRef = merge(
              {{ {beside} }},
              try(spec.{".".join(api.reference)}, {{}}),
              {{ name = {name} }}
            )
          }})
        }})
      }})"""


def class_name(*specs: str, class_names: Collection[str] | Expr, api: Generation) -> str:
    """The name of the class of the pool `name`.

    Args:
        specs: where the pool's spec may be, likeliest first.
    """
    place = ".".join(api.reference)
    given = ", ".join(f"{spec}.{place}.name" for spec in specs)
    return f"coalesce(try({given}, null), {quoted(class_of(Expr('name'), class_names))})"


def _kept_metadata(given: Expr) -> str:
    return (
        f'{{ for key, value in merge(lookup({given.text}[name], "metadata", {{}}), {{}}) : '
        f"key => value if contains({words(KEPT_METADATA)}, key) && value != null }}"
    )


def _none_of(fields: Iterable[str]) -> str:
    return f"length(setintersection(keys(spec), {words(fields)})) == 0"


def _attributes(values: dict[str, object], *, indent: int) -> str:
    width = max(map(len, values))
    return "\n".join(
        f"{' ' * indent}{name.ljust(width)} = {_operand(value)}"
        for name, value in sorted(values.items())
    )


def _operand(value: object) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{quoted(k)} = {quoted(v)}' for k, v in value.items())} }}"
    return quoted(value)
