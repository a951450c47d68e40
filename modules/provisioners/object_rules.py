"""Rules on one pool or class as it is given, beyond those on the fields of its spec.

Each is written once for both products: a Python predicate, a Terraform condition, one message.
A predicate may take for granted that the object is a mapping (`IS_MAPPING` is judged first);
a condition that Terraform cannot evaluate counts as met, since another rule then is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from modules.core import names
from modules.core.expressions import Expr, is_known, quoted
from modules.core.faults import ABSENT, Fault
from modules.provisioners.expressions import (
    GIVEN_METADATA,
    GIVEN_SPEC,
    HAS_SPEC,
    class_name,
    words,
)
from modules.provisioners.kinds import Generation, ObjectKind
from modules.provisioners.manifests import (
    ENVELOPE,
    KEPT_METADATA,
    class_of,
    has_inline_class,
    has_spec,
    is_manifest,
    named_class,
    normalised,
)

_METADATA = ("name", *KEPT_METADATA)

_QUOTE = quoted('"')


@dataclass(frozen=True)
class ObjectRule:
    """What one object must be.

    Args:
        path: what it is about, from the object; from its spec where `in_spec`.
        problem: what is wrong where it is not met.
        allowed: what would be right, one phrase.
        fix: what to do about it.
        holds: whether an object of this name meets it.
        condition: the same in Terraform, of `name` and `given`.
    """

    path: tuple[str, ...]
    problem: str
    allowed: str
    fix: str
    holds: Callable[[str, Mapping[str, Any]], bool]
    condition: str
    in_spec: bool = False

    @property
    def message(self) -> str:
        """What a published module says of an object that does not meet it."""
        return f"Allowed: {self.allowed}. Fix: {self.fix}."

    def fault(self, given: Any) -> Fault:
        """The fault of an object that does not meet it."""
        steps = self.path
        if self.in_spec and is_manifest(given):
            steps = ("spec", *steps)
        value = given
        for step in steps:
            value = value.get(step, ABSENT) if isinstance(value, Mapping) else ABSENT
        return Fault(steps, self.problem, self.allowed, self.fix, value)


IS_MAPPING = ObjectRule(
    (),
    "is not a mapping",
    "Karpenter's own spec, or a whole manifest",
    "write the fields of the spec under the name",
    lambda _, given: isinstance(given, Mapping),
    "can(keys(given))",
)


def envelope_rules(kind: ObjectKind) -> list[ObjectRule]:
    """On what stands around the spec of a pasted manifest."""
    return [
        _of_kind(
            "apiVersion",
            kind.api_version,
            "write the spec as this version has it: `pipenv run migrate` converts the others. "
            f"What is of {names.AUTO_MODE_GROUP} is EKS Auto Mode's own, which Karpenter does not "
            "read",
        ),
        _of_kind("kind", kind.kind, f"give only objects of this kind under {kind.setting}"),
        ObjectRule(
            (),
            "has other keys than a manifest",
            f"either the fields of a spec, or a manifest of {', '.join(ENVELOPE)}",
            "move the fields under spec, and remove what Karpenter writes itself, such as status",
            lambda _, given: not is_manifest(given) or set(given) <= set(ENVELOPE),
            f"length(setintersection(keys(given), {words(ENVELOPE)})) == 0 || "
            f"length(setsubtract(keys(given), {words(ENVELOPE)})) == 0",
        ),
        ObjectRule(
            ("spec",),
            "is missing or no mapping",
            "the fields of the spec",
            "paste the manifest whole, or give the spec alone",
            lambda _, given: has_spec(given),
            HAS_SPEC,
        ),
        ObjectRule(
            ("metadata",),
            "has something that is not taken over",
            f"a mapping of {', '.join(_METADATA)}",
            "remove the rest: the objects have no namespace, and Kubernetes writes the other keys",
            lambda _, given: (
                isinstance(_metadata(given), Mapping) and set(_metadata(given)) <= set(_METADATA)
            ),
            f"length(setsubtract(keys({GIVEN_METADATA}), {words(_METADATA)})) == 0",
        ),
        ObjectRule(
            ("metadata", "name"),
            "is not the name that it stands under",
            "the name that the object stands under",
            "use one name in both places, or leave this one out",
            lambda name, given: _get(_metadata(given), "name") in (None, "", name),
            f'coalesce(lookup({GIVEN_METADATA}, "name", null), name) == name',
        ),
        *(_texts(key) for key in KEPT_METADATA),
    ]


def selector_rules(api: Generation) -> list[ObjectRule]:
    """On classes: subnets and security groups are selected together, or by discovery together."""
    pairs = (api.selectors, api.selectors[::-1])
    return [_selected(missing, given) for missing, given in pairs]


def reference_rule(api: Generation, class_names: Collection[str] | Expr) -> ObjectRule:
    """On pools: each names a class that is given here."""
    setting = api.node_class.setting
    if isinstance(class_names, Expr):
        known: tuple[str, ...] = ()
        listed = class_names.text
    else:
        known, listed = tuple(class_names), words(class_names)
    return ObjectRule(
        (*api.reference, "name"),
        "names no node class that is given here",
        f"the name of one of the {setting}",
        f"name one of the {setting}, or add the class there",
        lambda name, given: _refers(normalised(given)["spec"], class_of(name, known), known, api),
        f"{_inline(api)}contains({listed}, "
        f"{class_name('given.spec', 'given', class_names=class_names, api=api)})",
        in_spec=True,
    )


def _refers(spec: Mapping[str, Any], default: Any, known: Collection[str], api: Generation) -> bool:
    return has_inline_class(spec, api) or named_class(spec, default, api) in known


def _inline(api: Generation) -> str:
    """In Terraform, that a pool says itself what its nodes are made of."""
    if len(api.reference) > 1:
        return ""
    return f'lookup({GIVEN_SPEC}, "provider", null) != null || '


def _of_kind(key: str, wanted: str, fix: str) -> ObjectRule:
    return ObjectRule(
        (key,),
        f"is not the {key} of these objects",
        wanted,
        fix,
        lambda _, given: given.get(key) in (None, "", wanted),
        f"coalesce(lookup(given, {quoted(key)}, null), {quoted(wanted)}) == {quoted(wanted)}",
    )


def _texts(key: str) -> ObjectRule:
    return ObjectRule(
        ("metadata", key),
        "is not a mapping of names to texts",
        "texts only",
        "write every value in quotes",
        lambda _, given: _are_texts(_get(_metadata(given), key)),
        # JSON alone shows in Terraform whether a value is text.
        f"alltrue([for value in values(merge(lookup({GIVEN_METADATA}, "
        f"{quoted(key)}, {{}}), {{}})) : startswith(jsonencode(value), {_QUOTE})])",
    )


def _selected(missing: str, given: str) -> ObjectRule:
    return ObjectRule(
        (missing,),
        f"is missing, while {given} is given",
        "both subnets and security groups selected, or neither",
        f"add {missing}, or remove {given} to have both found by their discovery tag",
        lambda _, obj: missing in normalised(obj)["spec"] or given not in normalised(obj)["spec"],
        f"lookup({GIVEN_SPEC}, {quoted(missing)}, null) != null || "
        f"lookup({GIVEN_SPEC}, {quoted(given)}, null) == null",
        in_spec=True,
    )


def _metadata(given: Mapping[str, Any]) -> Any:
    metadata = given.get("metadata")
    return {} if metadata is None else metadata


def _get(mapping: Any, key: str) -> Any:
    return mapping.get(key) if isinstance(mapping, Mapping) else None


def _are_texts(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, Mapping) and all(
        isinstance(v, str) or not is_known(v) for v in value.values()
    )
