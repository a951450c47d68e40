"""A plan that finds the cluster otherwise than it must be stops, and says the fix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from modules.core.catalogue import NEWEST_KNOWN
from modules.core.names import STS_AUDIENCE
from tests.terraform.clusters.cases import PLAIN
from tests.terraform.clusters.installation import Installation
from tests.terraform.standin.terraform import both_engines

Make = Callable[..., Installation]

OTHER = "The cluster runs Kubernetes {}, but its settings say 1.34. "
OTHER_FIX = "Fix: set kubernetesVersion to what it runs."
UNSUPPORTED = (
    "The cluster runs Kubernetes {}, but Karpenter 1.14.2 was tested with 1.26 to 1.36. "
    f"Fix: choose a Karpenter release that was tested with it; {NEWEST_KNOWN}."
)
NO_ENTRIES = (
    "Fix: run `aws eks update-cluster-config --name plain --region us-west-2 --access-config "
    "authenticationMode=API_AND_CONFIG_MAP`; or map the nodes' role in the aws-auth config map "
    "and set iam.createAccessEntry to false."
)


@pytest.mark.parametrize(
    ("live", "messages"),
    [
        ({"authentication_mode": "CONFIG_MAP"}, [NO_ENTRIES]),
        ({"authentication_mode": "API"}, []),
        ({"authentication_mode": "API_AND_CONFIG_MAP"}, []),
        ({"version": "1.25"}, [OTHER.format("1.25") + OTHER_FIX, UNSUPPORTED.format("1.25")]),
        ({"version": "1.26"}, [OTHER.format("1.26") + OTHER_FIX]),
        ({"version": "1.34"}, []),
        ({"version": "1.36"}, [OTHER.format("1.36") + OTHER_FIX]),
        ({"version": "1.37"}, [OTHER.format("1.37") + OTHER_FIX]),
    ],
    ids=["config-map", "api", "both", "1.25", "1.26", "1.34", "1.36", "1.37"],
)
def test_the_live_cluster_is_as_it_must_be_or_the_plan_says_the_fix(
    cluster: Installation, live: dict[str, str], messages: list[str]
) -> None:
    cluster.exists(**live)
    if not messages:
        assert cluster.tf.plan().actions
        return
    text = cluster.tf.plan_fails().text
    assert [message for message in messages if message not in text] == []
    assert text.count("Resource postcondition failed") == len(messages)


@pytest.mark.parametrize(("version", "refused"), [("1.25", True), ("1.36", False), ("1.37", True)])
def test_a_strict_cluster_is_neither_too_old_nor_too_new(
    installation: Make, version: str, refused: bool
) -> None:
    cluster = installation(PLAIN.model_copy(update={"strict": True, "node_pools": {}}))
    cluster.exists(version=version)
    text = cluster.tf.plan_fails().text
    assert (UNSUPPORTED.format(version) in text) is refused


def test_without_an_access_entry_any_authentication_mode_will_do(installation: Make) -> None:
    own = PLAIN.iam.model_copy(update={"create_access_entry": False})
    cluster = installation(PLAIN.model_copy(update={"iam": own}))
    cluster.exists(authentication_mode="CONFIG_MAP")
    assert cluster.tf.plan().actions


def test_a_cluster_without_an_issuer_is_refused(cluster: Installation) -> None:
    cluster.exists()
    cluster.standin.data["aws_eks_cluster"] = {"identity": []}
    text = cluster.tf.plan_fails().text
    assert "The cluster has no OIDC issuer that Karpenter's role could trust. Fix: give" in text


def test_an_issuer_without_its_iam_provider_is_refused_by_name(cluster: Installation) -> None:
    live = cluster.exists(oidc_provider=False)
    text = cluster.tf.plan_fails().text
    assert f"finding IAM OIDC Provider by url ({live.issuer}): couldn't find resource" in text
    assert "data.aws_iam_openid_connect_provider.iam_cluster" in text


def test_the_iam_provider_of_an_issuer_can_be_made_here(installation: Make) -> None:
    created = PLAIN.iam.model_copy(update={"create_oidc_provider": True})
    cluster = installation(PLAIN.model_copy(update={"iam": created}))
    cluster.exists(oidc_provider=False)
    cluster.tf.apply()
    assert cluster.tf.plan().empty


@pytest.mark.parametrize("audiences", [[STS_AUDIENCE], ["other", STS_AUDIENCE], ["other"], []])
def test_an_iam_provider_must_accept_the_audience_of_sts(
    cluster: Installation, audiences: list[str]
) -> None:
    cluster.exists()
    cluster.standin.data["aws_iam_openid_connect_provider"] = {"client_id_list": audiences}
    if STS_AUDIENCE in audiences:
        assert cluster.tf.plan().actions
        return
    text = cluster.tf.plan_fails().text
    assert "Fix: add it with `aws iam add-client-id-to-open-id-connect-provider`." in text


@pytest.mark.parametrize(("allowed", "passes"), [("123456789012", True), ("999999999999", False)])
def test_only_an_allowed_account_is_worked_in(
    installation: Make, allowed: str, passes: bool
) -> None:
    cluster = installation(PLAIN.model_copy(update={"allowed_account_ids": [allowed]}))
    cluster.exists()
    if passes:
        assert cluster.tf.plan().actions
    else:
        assert "AWS account ID not allowed: 123456789012" in cluster.tf.plan_fails().text


@both_engines
def test_no_condition_keeps_a_destroy_from_running(cluster: Installation) -> None:
    cluster.deployed()
    changed: dict[str, Any] = {"version": "1.37", "authentication_mode": "CONFIG_MAP"}
    cluster.exists(oidc_provider=False, **changed)
    cluster.tf.plan_fails()
    cluster.tf.destroy()
    assert cluster.standin.leftovers() == []


def test_a_destroy_after_the_iam_provider_is_gone_takes_no_refresh(cluster: Installation) -> None:
    """The data source that looks for it fails otherwise."""
    cluster.deployed()
    iam = cluster.client("iam")
    for provider in iam.list_open_id_connect_providers()["OpenIDConnectProviderList"]:
        iam.delete_open_id_connect_provider(OpenIDConnectProviderArn=provider["Arn"])
    assert "finding IAM OIDC Provider by url" in cluster.tf.destroy(fail=True).text
    cluster.tf.destroy("-refresh=false")
    assert cluster.standin.leftovers() == []
