"""Rules on how a class finds its subnets and security groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modules.core import names
from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.class_view import CLASSES, GROUPS, SUBNETS, tag_terms
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity
from modules.provisioners.lint.look import Path

_ANY = "*"


def _cluster_tag(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for path, tags in tag_terms(node_class, GROUPS):
        if all(str(key).startswith(names.CLUSTER_TAG_PREFIX) for key in tags):
            key = next(iter(tags))
            yield Fault(
                (*path, str(key)),
                "selects every security group that the cluster owns, also those of load balancers",
                "a tag that one security group has",
                f"tag the nodes' group with {names.DISCOVERY_TAG} and select by that",
                tags[key],
            )


def _any_value(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for selector in (SUBNETS, GROUPS):
        for path, tags in tag_terms(node_class, selector):
            if all(value == _ANY for value in tags.values()):
                key = str(next(iter(tags)))
                yield Fault(
                    (*path, key),
                    "selects whatever has the tag, other clusters' too",
                    "the tag's value for this cluster",
                    "write the value, which is the cluster's name by convention",
                    _ANY,
                )


def _matches_nothing(node_class: Manifest, context: Context) -> Iterator[Fault]:
    written = context.facts.discovery_tags
    if written is None:
        return
    for selector in (SUBNETS, GROUPS):
        for path, tags in tag_terms(node_class, selector):
            for key, value in _wrong(tags, written):
                yield Fault(
                    (*path, key),
                    f"selects nothing: what this cluster uses is tagged {key}={written[key]}",
                    f"{key}: {written[key]}",
                    f"write {written[key]}, or tag what is meant",
                    value,
                )


def _wrong(tags: Mapping[str, Any], written: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, value in tags.items():
        if isinstance(value, str) and key in written and value not in (_ANY, written[key]):
            yield key, value


def _swapped(node_class: Manifest, context: Context) -> Iterator[Fault]:
    tag_keys = {names.DISCOVERY_TAG, *(context.facts.discovery_tags or ())}
    for selector in (SUBNETS, GROUPS):
        for path, tags in tag_terms(node_class, selector):
            for key in map(str, tags):
                value = look.text(tags, key)
                if value in tag_keys and key not in tag_keys:
                    yield Fault(
                        (*path, key),
                        "is the key of a tag where its value belongs",
                        "key: value, as the tag is written",
                        f"write {value}: {context.facts.cluster_name or key}",
                        value,
                    )


def _many_groups(node_class: Manifest, context: Context) -> Iterator[Fault]:
    written, count = context.facts.discovery_tags, context.facts.tagged_security_groups
    if not written or count is None or count <= 1:
        return
    for path, tags in tag_terms(node_class, GROUPS):
        if all(written.get(key) == value for key, value in tags.items()):
            yield Fault(
                path,
                f"selects the {count} security groups that are tagged so",
                "one security group with the tag",
                "tag one group, or select it by id",
                dict(tags),
            )


def _one_subnet(node_class: Manifest, _: Context) -> Iterator[Fault]:
    terms: list[tuple[Path, Mapping[str, Any]]] = list(
        look.items(node_class.spec, f"{SUBNETS}Terms")
    )
    if len(terms) == 1 and look.text(terms[0][1], "id") is not None:
        path, term = terms[0]
        yield Fault(
            (*path, "id"),
            "is the only subnet, so that all nodes are in one zone",
            "subnets in several zones",
            "add subnets of other zones, unless volumes tie the pods to this one",
            term["id"],
        )


def _comma_list(node_class: Manifest, _: Context) -> Iterator[Fault]:
    for selector in (SUBNETS, GROUPS):
        for path, tags in tag_terms(node_class, selector):
            for key in map(str, tags):
                value = look.text(tags, key)
                if value is not None and "," in value:
                    yield Fault(
                        (*path, key),
                        "is one value with a comma in it: lists are not split since Karpenter 0.32",
                        "one value in each term",
                        f"write a term for each of {', '.join(map(str.strip, value.split(',')))}",
                        value,
                    )


RULES = (
    LintRule(
        "KPT225",
        "security groups by the cluster's tag alone",
        Severity.WARNING,
        "Load balancer controllers refuse nodes with more than one group of that tag.",
        "aws/karpenter-provider-aws#8257; terraform-aws-eks#3096",
        CLASSES,
        _cluster_tag,
    ),
    LintRule(
        "KPT226",
        "subnets or security groups by a tag of any value",
        Severity.WARNING,
        "With a second cluster in the account, nodes land in its subnets or get its groups.",
        "aws/karpenter-provider-aws#3341",
        CLASSES,
        _any_value,
    ),
    LintRule(
        "KPT227",
        "a selector that matches nothing of this cluster",
        Severity.WARNING,
        "Without subnets and groups the class is not ready, and nodes that expire are not "
        "replaced.",
        "aws/karpenter-provider-aws#3341, #1558; kubernetes-sigs/karpenter#2627",
        CLASSES,
        _matches_nothing,
    ),
    LintRule(
        "KPT228",
        "key and value of a tag swapped",
        Severity.ERROR,
        "Nothing has such a tag, and the class is never ready.",
        "aws/karpenter-provider-aws#1558",
        CLASSES,
        _swapped,
    ),
    LintRule(
        "KPT229",
        "several security groups with the discovery tag",
        Severity.WARNING,
        "Nodes get them all, and load balancer controllers refuse nodes with several.",
        "aws/karpenter-provider-aws#8257; kubernetes-sigs/aws-load-balancer-controller#1897",
        CLASSES,
        _many_groups,
    ),
    LintRule(
        "KPT230",
        "a single subnet",
        Severity.INFO,
        "When its zone runs out of a type, or fails, there is nowhere else to go.",
        "EKS best practices: several zones",
        (names.NODE_CLASS,),
        _one_subnet,
    ),
    LintRule(
        "KPT231",
        "a list with commas as the value of a tag",
        Severity.WARNING,
        "An AWSNodeTemplate split it; since then nothing matches that has one of the values.",
        "Karpenter's v1beta1 migration guide: selector terms",
        (names.NODE_CLASS,),
        _comma_list,
    ),
)
