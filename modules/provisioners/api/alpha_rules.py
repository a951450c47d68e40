"""Rules on Provisioners and AWSNodeTemplates that need more than one value.

They are those of Karpenter's admission webhook of that time; the CRDs had none. Source: its
validation code of 0.16, 0.27 and 0.31.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from modules.core import names
from modules.core.catalogue import Release
from modules.provisioners.api.label_rules import (
    AWS_LABELS,
    LABELS,
    REQUIREMENT,
    Labels,
    label_rules,
)
from modules.provisioners.api.requirement_rules import requirement_rules
from modules.provisioners.api.rules import SpecRule, has, listed

OF_REQUIREMENTS = "requirements[]"

_FIRST_LABELS = "0.32.0"
"""How the table of labels marks those that were there before its first release."""
_OLD_LABELS = (f"{names.NODE_CLASS_GROUP}/instance-pods",)
_IDS = ("aws-ids", "aws::ids")
_ID_PREFIX = {"subnetSelector": "subnet-", "securityGroupSelector": "sg-", "amiSelector": "ami-"}
_INSTEAD_OF_A_TEMPLATE = (
    *("securityGroupSelector", "metadataOptions", "amiFamily", "instanceProfile"),
    *("blockDeviceMappings", "userData", "amiSelector"),
)
_CLUSTER_TAG = names.CLUSTER_TAG_PREFIX.rstrip("/")
_RESTRICTED_TAGS = (names.PROVISIONER_LABEL, names.MANAGED_BY_TAG)


def provisioner_rules(release: Release) -> list[SpecRule]:
    """The rules on Provisioners of this release."""
    known = (*(key for key, since in AWS_LABELS.items() if since == _FIRST_LABELS), *_OLD_LABELS)
    places = {LABELS: "labels{}", REQUIREMENT: OF_REQUIREMENTS}
    rules = [
        _webhook(
            "consolidation_or_ttl",
            "",
            "consolidates and waits for ttlSecondsAfterEmpty, which exclude each other",
            "either consolidation.enabled or ttlSecondsAfterEmpty",
            "remove ttlSecondsAfterEmpty: consolidation removes empty nodes too",
            lambda spec: not (_consolidates(spec) and has(spec, "ttlSecondsAfterEmpty")),
            "!(try({v}.consolidation.enabled, null) == true && "
            "try({v}.ttlSecondsAfterEmpty, null) != null)",
            blame="ttlSecondsAfterEmpty",
        ),
        _webhook(
            "provider_or_ref",
            "",
            "provider and providerRef exclude each other",
            "providerRef, which names an AWSNodeTemplate, or provider",
            "remove provider, and write what it says into the AWSNodeTemplate",
            lambda spec: not (has(spec, "provider") and has(spec, "providerRef")),
            "try({v}.provider, null) == null || try({v}.providerRef, null) == null",
            blame="provider",
        ),
        _webhook(
            "taint_twice",
            "",
            "has two taints of one key and effect",
            "each key and effect once in taints and startupTaints together",
            "remove one of the two",
            lambda spec: _each_once(spec),
            "length(distinct([for taint in concat(try({v}.taints[*], []), "
            'try({v}.startupTaints[*], [])) : "${taint.key}:${taint.effect}"])) == '
            "length(concat(try({v}.taints[*], []), try({v}.startupTaints[*], [])))",
            reads=("taints", "startupTaints"),
            blame="taints",
        ),
        *requirement_rules(OF_REQUIREMENTS),
        *(
            replace(rule, at=places[rule.at])
            for rule in label_rules(Labels(known, {}))
            if rule.at in places
        ),
    ]
    return [
        rule if rule.code else replace(rule, webhook=True)
        for rule in rules
        if rule.holds_for(release)
    ]


def template_rules(release: Release) -> list[SpecRule]:
    """The rules on AWSNodeTemplates of this release."""
    rules = [
        _needed("subnetSelector", "true"),
        _needed("securityGroupSelector", "try({v}.launchTemplate, null) == null"),
        *(_ids(field, prefix) for field, prefix in _ID_PREFIX.items()),
        *(_ids_alone(field) for field in _ID_PREFIX),
        _webhook(
            "template_alone",
            "",
            "a launch template says these things itself",
            f"launchTemplate without {', '.join(_INSTEAD_OF_A_TEMPLATE)}",
            "remove the other fields, or launchTemplate",
            lambda spec: not has(spec, "launchTemplate") or not has(spec, *_INSTEAD_OF_A_TEMPLATE),
            "try({v}.launchTemplate, null) == null || length([for key in "
            f"{listed(_INSTEAD_OF_A_TEMPLATE)} : key if lookup({{v}}, key, null) != null]) == 0",
            blame="launchTemplate",
        ),
        _webhook(
            "custom_needs_selector",
            "",
            "amiFamily Custom needs amiSelector",
            "amiSelector with Custom",
            "select the images, or name their family",
            lambda spec: spec.get("amiFamily") != "Custom" or bool(spec.get("amiSelector")),
            'try(coalesce({v}.amiFamily), "") != "Custom" || try(length({v}.amiSelector), 0) > 0',
            reads=("amiFamily",),
            blame="amiSelector",
        ),
        _webhook(
            "alpha_restricted_tag",
            "tags{}",
            "is a tag that Karpenter sets itself",
            f"any tag but {', '.join(_RESTRICTED_TAGS)} and {names.CLUSTER_TAG_PREFIX}*",
            "remove it: Karpenter puts it on whatever it makes",
            lambda key: key not in _RESTRICTED_TAGS and not key.startswith(_CLUSTER_TAG),
            f'!contains({listed(_RESTRICTED_TAGS)}, {{v}}) && !startswith({{v}}, "{_CLUSTER_TAG}")',
            kind=str,
            since="0.28.0",
        ),
        _webhook(
            "device_whole",
            "blockDeviceMappings[]",
            "needs deviceName and ebs",
            "both deviceName and ebs",
            "add the missing one",
            lambda device: has(device, "deviceName") and has(device, "ebs"),
            "try({v}.deviceName, null) != null && try({v}.ebs, null) != null",
        ),
        _webhook(
            "volume_sized",
            "blockDeviceMappings[].ebs",
            "needs volumeSize or snapshotID",
            "volumeSize, or a snapshot",
            "add volumeSize, such as 20Gi",
            lambda ebs: has(ebs, "volumeSize", "snapshotID"),
            "try({v}.volumeSize, null) != null || try({v}.snapshotID, null) != null",
            blame="volumeSize",
        ),
    ]
    return [rule for rule in rules if rule.holds_for(release)]


def _webhook(
    id_: str,
    at: str,
    problem: str,
    allowed: str,
    fix: str,
    check: Callable[[Any], bool],
    condition: str,
    **more: Any,
) -> SpecRule:
    return SpecRule(id_, at, problem, allowed, fix, check, condition, webhook=True, **more)


def _needed(field: str, when: str) -> SpecRule:
    always = when == "true"
    return _webhook(
        f"{field}_needed",
        "",
        f"needs {field}",
        "tags of what is to be used",
        f"add {field}, such as {{ {names.DISCOVERY_TAG}: <cluster> }}",
        lambda spec: has(spec, field) or (not always and has(spec, "launchTemplate")),
        # The published module fills it in where neither selector is given.
        f"!({when}) || try({{v}}.{field}, null) != null || "
        "(try({v}.subnetSelector, null) == null && "
        "try({v}.securityGroupSelector, null) == null)",
        blame=field,
    )


def _ids(field: str, prefix: str) -> SpecRule:
    form = re.compile(rf"\s*{prefix}[0-9a-z]+\s*")
    return _webhook(
        f"{field}_ids",
        field,
        "names ids that are none",
        f"ids that begin with {prefix}, with commas between",
        "correct the id, or select by tags",
        lambda given: all(
            form.fullmatch(item)
            for key in _IDS
            if isinstance(given.get(key), str)
            for item in given[key].split(",")
        ),
        f"alltrue([for key in {listed(_IDS)} : try({{v}}[key], null) == null ? true : "
        f'alltrue([for id in split(",", {{v}}[key]) : '
        f'can(regex("^ *{prefix}[0-9a-z]+ *$", id))])])',
    )


def _ids_alone(field: str) -> SpecRule:
    return _webhook(
        f"{field}_ids_alone",
        field,
        "has ids beside other keys",
        "ids alone, or tags alone",
        "remove the other keys",
        lambda given: len(given) == 1 or not has(given, *_IDS),
        f"length({{v}}) == 1 || length(setintersection(keys({{v}}), {listed(_IDS)})) == 0",
        since="0.30.0",
    )


def _consolidates(spec: Mapping[str, Any]) -> bool:
    consolidation = spec.get("consolidation")
    return isinstance(consolidation, Mapping) and consolidation.get("enabled") is True


def _each_once(spec: Mapping[str, Any]) -> bool:
    taints = [
        (taint.get("key"), taint.get("effect"))
        for field in ("taints", "startupTaints")
        for taint in spec.get(field) or ()
        if isinstance(taint, Mapping)
    ]
    return len(taints) == len(set(taints))
