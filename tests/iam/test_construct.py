"""What is placed, at which address, and what decides whether it is there."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from modules.cdk import App, AwsProvider, Testing
from modules.core.catalogue import DEFAULT_VERSION
from modules.core.expressions import Expr
from modules.core.faults import InvalidInput
from modules.iam.construct import KarpenterIam
from modules.iam.settings import IamSettings
from stacks.base import PlainStack
from tests.iam.baseline import ISSUER, POLICY_ARN, ROLE_ARN, settings

STATEMENT = {"Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*"}
LIVE_ISSUER = Expr("data.aws_eks_cluster.cluster.identity[0].oidc[0].issuer")
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {"oidc_issuer": LIVE_ISSUER},
    "no interruption": {"interruption_handling": False},
    "ipv6": {"ip_family": "ipv6"},
    "no cni": {"attach_cni_policy": False},
    "own role": {"create_node_role": False, "node_role_arn": ROLE_ARN},
    "own role with entry": {
        "create_node_role": False,
        "node_role_arn": ROLE_ARN,
        "create_access_entry": True,
    },
    "no entry": {"create_access_entry": False},
    "provider to create": {"create_oidc_provider": True},
    "provider known": {"oidc_issuer": "arn:aws:iam::111122223333:oidc-provider/" + ISSUER[8:]},
    "additions": {
        "tags": {"team": "${platform}"},
        "permissions_boundary_arn": POLICY_ARN,
        "controller_role_path": "/platform/",
        "controller_role_policy_arns": {"kms": POLICY_ARN},
        "node_role_policy_arns": {"logs": POLICY_ARN},
        "controller_policy_statements": [STATEMENT],
    },
    "1.11": {"karpenter_version": "1.11.3"},
    "0.31": {"karpenter_version": "0.31.5"},
    "0.18": {"karpenter_version": "0.18.1"},
    "own profile": {"karpenter_version": "0.31.5", "create_instance_profile": False},
    "profile": {"create_instance_profile": True, "instance_profile_name": "nodes"},
}
EVERYTHING_ELSE = {
    "aws_iam_role.iam_controller",
    "aws_iam_role.iam_node",
    "aws_eks_access_entry.iam_node",
    *(
        f"{type_}.iam_{group}"
        for type_ in ("aws_iam_policy", "aws_iam_role_policy_attachment")
        for group in (
            "node_lifecycle",
            "iam_integration",
            "eks_integration",
            "zonal_shift",
            "resource_discovery",
        )
    ),
    *(f"aws_iam_role_policy_attachment.iam_node_{p}" for p in ("worker", "cni", "ecr", "ssm")),
}
NEWER = {
    "aws_iam_policy.iam_zonal_shift",
    "aws_iam_role_policy_attachment.iam_zonal_shift",
    "aws_cloudwatch_event_rule.iam_capacity_reservation_interruption",
    "aws_cloudwatch_event_target.iam_capacity_reservation_interruption",
}
"""What releases of the first API lack."""
LATER_GROUPS = {
    f"{type_}.iam_{group}"
    for type_ in ("aws_iam_policy", "aws_iam_role_policy_attachment")
    for group in ("eks_integration", "resource_discovery")
}
PROFILE = "aws_iam_instance_profile.iam_node"
INTERRUPTION = {
    "aws_sqs_queue.iam_interruption",
    "aws_sqs_queue_policy.iam_interruption",
    "aws_iam_policy.iam_interruption",
    "aws_iam_role_policy_attachment.iam_interruption",
    *(
        f"aws_cloudwatch_event_{type_}.iam_{rule}"
        for type_ in ("rule", "target")
        for rule in (
            "health_event",
            "spot_interruption",
            "rebalance",
            "instance_state_change",
            "capacity_reservation_interruption",
        )
    ),
}


class Synth:
    """One synthesis of the construct."""

    def __init__(self, chosen: IamSettings, *, published: bool = False) -> None:
        stack = PlainStack(App(), "example", drop_first_step=published)
        AwsProvider(stack, "aws")
        self.iam = KarpenterIam(stack, "iam", chosen)
        self.text = str(Testing.synth(stack))
        self.tree: dict[str, Any] = json.loads(self.text)

    @property
    def resources(self) -> dict[str, dict[str, Any]]:
        return {
            f"{type_}.{name}": body
            for type_, named in self.tree["resource"].items()
            for name, body in named.items()
        }

    def document(self, address: str, attribute: str) -> Any:
        """A JSON document, with a splice shown as its expression."""
        text = re.sub(
            r"\$\{jsonencode\(((?:[^{}]|\{[^{}]*\})*)\)\}",
            lambda m: json.dumps(m[1]),
            self.resources[address][attribute],
        )
        return json.loads(text)


@pytest.fixture(scope="session")
def synths() -> dict[str, Synth]:
    made = {name: Synth(settings(**changes)) for name, changes in VARIANTS.items()}
    chosen = IamSettings.expressions(karpenter_version=DEFAULT_VERSION)
    return {**made, "published": Synth(chosen, published=True)}


@pytest.mark.parametrize(
    ("variant", "more", "fewer"),
    [
        ("default", set(), set()),
        ("no interruption", set(), INTERRUPTION),
        (
            "ipv6",
            {
                "aws_iam_policy.iam_node_ipv6_cni",
                "aws_iam_role_policy_attachment.iam_node_ipv6_cni",
            },
            {"aws_iam_role_policy_attachment.iam_node_cni"},
        ),
        ("no cni", set(), {"aws_iam_role_policy_attachment.iam_node_cni"}),
        (
            "own role",
            set(),
            {a for a in EVERYTHING_ELSE if re.search(r"\.iam_node(_(worker|cni|ecr|ssm))?$", a)},
        ),
        (
            "own role with entry",
            set(),
            {
                a
                for a in EVERYTHING_ELSE
                if re.search(r"_(role|attachment)\.iam_node(_[a-z]{3,6})?$", a)
            },
        ),
        ("no entry", set(), {"aws_eks_access_entry.iam_node"}),
        ("provider to create", {"aws_iam_openid_connect_provider.iam_cluster"}, set()),
        ("provider known", set(), set()),
        (
            "additions",
            {
                "aws_iam_policy.iam_additional",
                "aws_iam_role_policy_attachment.iam_additional",
                "aws_iam_role_policy_attachment.iam_controller_additional",
                "aws_iam_role_policy_attachment.iam_node_additional",
            },
            set(),
        ),
        (
            "1.11",
            set(),
            {"aws_iam_policy.iam_zonal_shift", "aws_iam_role_policy_attachment.iam_zonal_shift"},
        ),
        ("0.31", {PROFILE}, NEWER),
        ("0.18", {PROFILE}, NEWER | INTERRUPTION | LATER_GROUPS),
        ("own profile", set(), NEWER),
        ("profile", {PROFILE}, set()),
    ],
)
def test_these_resources_are_there(
    synths: dict[str, Synth], variant: str, more: set[str], fewer: set[str]
) -> None:
    expected = ((EVERYTHING_ELSE | INTERRUPTION) - fewer) | more
    assert set(synths[variant].resources) == expected


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_literal_is_counted(synths: dict[str, Synth], variant: str) -> None:
    assert not [a for a, body in synths[variant].resources.items() if "count" in body]


@pytest.mark.parametrize("variant", [*VARIANTS, "published"])
def test_everything_is_a_dependency(synths: dict[str, Synth], variant: str) -> None:
    found = synths[variant]
    addresses = [placed.address for placed in found.iam.dependencies]
    assert sorted(addresses) == sorted(found.resources)


@pytest.mark.parametrize("variant", [*VARIANTS, "published"])
def test_addresses_are_plain(synths: dict[str, Synth], variant: str) -> None:
    found = synths[variant]
    assert not [a for a in found.resources if re.search(r"[0-9A-F]{8}$", a)]
    assert "TfToken" not in found.text


def test_without_interruption_handling_nothing_of_it_is_left(synths: dict[str, Synth]) -> None:
    found = synths["no interruption"]
    assert "sqs" not in found.text
    assert (found.iam.queue_arn, found.iam.queue_name) == (None, None)


COUNTS = {
    "aws_iam_role.controller": None,
    "aws_iam_policy.node_lifecycle": None,
    "aws_iam_role_policy_attachment.node_lifecycle": None,
    "aws_iam_openid_connect_provider.cluster": "var.create_oidc_provider",
    "aws_iam_role.node": "var.create_node_role",
    "aws_iam_role_policy_attachment.node_worker": "var.create_node_role",
    "aws_iam_role_policy_attachment.node_ecr": "var.create_node_role",
    "aws_iam_role_policy_attachment.node_ssm": "var.create_node_role",
    "aws_iam_role_policy_attachment.node_cni": "var.create_node_role && var.attach_cni_policy && "
    'var.ip_family == "ipv4"',
    "aws_iam_role_policy_attachment.node_ipv6_cni": "var.create_node_role && "
    'var.attach_cni_policy && var.ip_family == "ipv6"',
    "aws_iam_policy.node_ipv6_cni": "var.create_node_role && var.attach_cni_policy && "
    'var.ip_family == "ipv6"',
    "aws_eks_access_entry.node": "coalesce(var.create_access_entry, var.create_node_role)",
    "aws_iam_policy.additional": "length(var.controller_policy_statements) > 0",
    "aws_iam_role_policy_attachment.additional": "length(var.controller_policy_statements) > 0",
    **{
        address.replace(".iam_", "."): "var.interruption_handling"
        for address in sorted(INTERRUPTION)
    },
}


@pytest.mark.parametrize(("address", "switch"), COUNTS.items())
def test_a_variable_decides_what_is_there(
    synths: dict[str, Synth], address: str, switch: str | None
) -> None:
    count = synths["published"].resources[address].get("count")
    assert count == (None if switch is None else f"${{{switch} ? 1 : 0}}")


def test_counts_and_names_depend_on_variables_alone(synths: dict[str, Synth]) -> None:
    found = synths["published"]
    for body in found.resources.values():
        assert "data." not in body.get("count", "")
    for name, text in found.tree["locals"].items():
        assert name in ("node_role_arn", "node_role_name") or "data." not in text


def test_the_user_s_policies_are_attached_one_by_one(synths: dict[str, Synth]) -> None:
    literal = synths["additions"].resources
    variable = synths["published"].resources
    for who, literal_key in (("controller", "kms"), ("node", "logs")):
        attachment = literal[f"aws_iam_role_policy_attachment.iam_{who}_additional"]
        assert attachment["for_each"] == {literal_key: POLICY_ARN}
        assert attachment["policy_arn"] == "${each.value}"
        attachment = variable[f"aws_iam_role_policy_attachment.{who}_additional"]
        assert attachment["for_each"] == f"${{var.{who}_role_policy_arns}}"


TAGGABLE = (
    "aws_iam_role",
    "aws_iam_instance_profile",
    "aws_iam_policy",
    "aws_sqs_queue",
    "aws_cloudwatch_event_rule",
    "aws_eks_access_entry",
    "aws_iam_openid_connect_provider",
)


@pytest.mark.parametrize(
    ("variant", "tags"),
    [("default", None), ("additions", {"team": "$${platform}"}), ("published", "${var.tags}")],
)
def test_every_taggable_resource_has_the_tags(
    synths: dict[str, Synth], variant: str, tags: object
) -> None:
    for address, body in synths[variant].resources.items():
        taggable = address.partition(".")[0] in TAGGABLE
        assert body.get("tags") == (tags if taggable else None), address


def test_both_roles_are_bounded(synths: dict[str, Synth]) -> None:
    for variant, boundary in (("default", None), ("additions", POLICY_ARN)):
        for role in ("controller", "node"):
            body = synths[variant].resources[f"aws_iam_role.iam_{role}"]
            assert body.get("permissions_boundary") == boundary


def test_the_queue_is_encrypted_and_forgets_soon(synths: dict[str, Synth]) -> None:
    assert synths["default"].resources["aws_sqs_queue.iam_interruption"] == {
        "name": "Karpenter-blueprint",
        "message_retention_seconds": 300,
        "sqs_managed_sse_enabled": True,
    }


def test_every_target_is_the_queue(synths: dict[str, Synth]) -> None:
    found = synths["default"].resources
    targets = {a: body for a, body in found.items() if a.startswith("aws_cloudwatch_event_target")}
    for address, body in targets.items():
        rule = address.replace("_target.", "_rule.")
        assert body["rule"] == f"${{{rule}.name}}"
        assert body["arn"] == "${aws_sqs_queue.iam_interruption.arn}"


@pytest.mark.parametrize(
    ("variant", "arn", "name"),
    [
        ("default", Expr("aws_iam_role.iam_node.arn"), Expr("aws_iam_role.iam_node.name")),
        ("own role", ROLE_ARN, "nodes"),
        ("published", Expr("local.node_role_arn"), Expr("local.node_role_name")),
    ],
)
def test_the_nodes_role_is_the_one_made_or_the_one_given(
    synths: dict[str, Synth], variant: str, arn: object, name: object
) -> None:
    iam = synths[variant].iam
    assert (iam.node_role_arn, iam.node_role_name) == (arn, name)


@pytest.mark.parametrize(
    ("variant", "resource"),
    [("default", "aws_iam_role.iam_node.arn"), ("own role", ROLE_ARN)],
)
def test_only_the_nodes_role_may_be_passed(
    synths: dict[str, Synth], variant: str, resource: str
) -> None:
    document = synths[variant].document("aws_iam_policy.iam_iam_integration", "policy")
    [passing] = [s for s in document["Statement"] if s["Action"] == ["iam:PassRole"]]
    assert passing["Resource"] == [resource]


def test_the_access_entry_is_the_nodes(synths: dict[str, Synth]) -> None:
    assert synths["own role with entry"].resources["aws_eks_access_entry.iam_node"] == {
        "cluster_name": "blueprint",
        "principal_arn": ROLE_ARN,
        "type": "EC2_LINUX",
    }


@pytest.mark.parametrize(
    ("variant", "looked_up"),
    [
        ("default", True),
        ("no interruption", True),
        ("provider to create", False),
        ("provider known", False),
        ("published", False),
    ],
)
def test_the_provider_is_looked_up_where_it_must_exist(
    synths: dict[str, Synth], variant: str, looked_up: bool
) -> None:
    found = synths[variant]
    assert ("aws_iam_openid_connect_provider" in found.tree["data"]) is looked_up
    role = next(b for a, b in found.resources.items() if a.endswith("controller"))
    assert ("lifecycle" in role) is looked_up


def test_a_provider_to_create_takes_the_cluster_s_url(synths: dict[str, Synth]) -> None:
    assert synths["provider to create"].resources[
        "aws_iam_openid_connect_provider.iam_cluster"
    ] == {
        "url": ISSUER,
        "client_id_list": ["sts.amazonaws.com"],
    }


def test_a_cluster_stack_names_everything_literally(synths: dict[str, Synth]) -> None:
    assert list(synths["default"].tree["locals"]) == ["iam_oidc_host"]
    assert "locals" not in synths["no interruption"].tree


def test_faults_are_told_before_anything_is_placed() -> None:
    with pytest.raises(InvalidInput, match="nodeRoleArn"):
        Synth(settings(create_node_role=False))


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        ("default", None),
        ("0.31", Expr("aws_iam_instance_profile.iam_node.name")),
        ("own profile", None),
        ("profile", Expr("aws_iam_instance_profile.iam_node.name")),
        (
            "published",
            Expr(
                "try(coalesce(one(aws_iam_instance_profile.node[*].name), "
                "var.instance_profile_name), null)"
            ),
        ),
    ],
)
def test_the_name_of_the_instance_profile_is_told(
    synths: dict[str, Synth], variant: str, name: object
) -> None:
    assert synths[variant].iam.instance_profile_name == name


@pytest.mark.parametrize(
    ("variant", "name"),
    [("0.31", "KarpenterNodeInstanceProfile-blueprint"), ("profile", "nodes")],
)
def test_the_instance_profile_carries_the_role_of_the_nodes(
    synths: dict[str, Synth], variant: str, name: str
) -> None:
    body = synths[variant].resources["aws_iam_instance_profile.iam_node"]
    assert body["name"] == name
    assert body["role"] == "${aws_iam_role.iam_node.name}"
