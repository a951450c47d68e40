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
from modules.provisioners.kinds import ObjectKind
from modules.provisioners.manifests import (
    ENVELOPE,
    IDENTITIES,
    KEPT_METADATA,
    METADATA_DEFAULTS,
    SELECTORS,
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


def classes(settings: ProvisionerSettings, given: Expr, specs: Expr) -> Expr:
    """The complete node classes by name.

    Args:
        given: what the user gave.
        specs: refers to what `specs` makes of it.
    """
    role = f"field => {quoted(settings.node_role_name)} if {_none_of(IDENTITIES)}"
    discovery = f"{{ {quoted(names.DISCOVERY_TAG)} = {quoted(settings.cluster_name)} }}"
    selection = f"field => [{{ tags = {discovery} }}] if {_none_of(SELECTORS)}"
    tags = f'{{ tags = merge({_operand(settings.tags)}, lookup(spec, "tags", {{}})) }}'
    options = {**METADATA_DEFAULTS, "httpProtocolIPv6": ipv6_endpoint(settings.ip_family)}
    return Expr(
        f"""{{
  for name, spec in {specs.text} : name => merge(
    {_kept_metadata(given)},
    {{
      spec = merge(
        {{ for field in ["role"] : {role} }},
        {{ for field in {words(SELECTORS)} : {selection} }},
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


def pools(
    given: Expr, specs: Expr, class_names: Collection[str] | Expr, node_class: ObjectKind
) -> Expr:
    """The complete node pools by name.

    Args:
        given: what the user gave.
        specs: refers to what `specs` makes of it.
        class_names: the names of the classes.
        node_class: the kind of the classes.
    """
    return Expr(
        f"""{{
  for name, spec in {specs.text} : name => merge(
    {_kept_metadata(given)},
    {{
      spec = merge(spec, {{
        template = merge(lookup(spec, "template", {{}}), {{
          spec = merge(lookup(lookup(spec, "template", {{}}), "spec", {{}}), {{
            nodeClassRef = merge(
              {{ group = {quoted(node_class.group)}, kind = {quoted(node_class.kind)} }},
              try(spec.template.spec.nodeClassRef, {{}}),
              {{ name = {class_name("spec", class_names=class_names)} }}
            )
          }})
        }})
      }})
    }}
  )
}}"""
    )


def class_name(*specs: str, class_names: Collection[str] | Expr) -> str:
    """The name of the class of the pool `name`.

    Args:
        specs: where the pool's spec may be, likeliest first.
    """
    given = ", ".join(f"{spec}.template.spec.nodeClassRef.name" for spec in specs)
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
