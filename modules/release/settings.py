"""What may be chosen about Karpenter's Helm releases, and the facts they are wired with."""

from __future__ import annotations

from typing import Annotated, Any

from modules.core import names, rules
from modules.core.inputs import Settings
from modules.core.versioned import Versioned
from modules.release.controller_settings import ControllerSettings

CHART_REPOSITORY = rules.pattern(
    "chart_repository",
    r"(?:oci|https)://[^\s/@]+(?:/[^\s/@]+)*",
    allowed="an oci:// or https:// address without a trailing slash and without credentials",
    fix="give the address up to the chart's name, and log in to the registry outside Terraform",
)
CLUSTER_ENDPOINT = rules.pattern(
    "cluster_endpoint",
    r"https://[^\s/]+(?:/\S*)?",
    allowed="the https:// address of the cluster's API server",
    fix="copy it from `aws eks describe-cluster`",
)
TIMEOUT = rules.between(
    "helm_timeout", 60, 3600, unit="seconds", fix="give the controller one minute to one hour"
)


class ReleaseOptions(Settings):
    """What a user may choose about the Helm releases."""

    namespace: Annotated[str, rules.NAMESPACE] = names.DEFAULT_NAMESPACE
    """Namespace of both releases; any other than kube-system is created and never deleted.
    Choose it once: Helm does not move releases, and kept CRDs belong to their first namespace."""

    service_account: Annotated[str, rules.SUBDOMAIN] = names.SERVICE_ACCOUNT
    """Name of the controller's service account; the controller role trusts exactly this name."""

    values: dict[str, Any] = {}
    """Values for Karpenter's chart, in the chart's own keys. They are merged over this
    module's defaults and under the facts it sets: maps are merged, lists and scalars replaced,
    and null takes a default away."""

    settings: ControllerSettings = ControllerSettings()
    """Settings of the controller under names that no release changes; each becomes the key that
    the chart of the release has for it."""

    chart_repository: Annotated[str, CHART_REPOSITORY] | None = None
    """Address that both charts are pulled from, such as a private mirror; by default
    Karpenter's own public one. No credentials are passed to Helm."""

    timeout_seconds: Annotated[int, TIMEOUT] = 600
    """Seconds that Helm waits for each release to become ready, from 60 to 3600."""

    delete_crds: bool | None = None
    """Whether a destroy deletes Karpenter's CRDs, and with them every node pool, node class and
    node claim of the cluster. By default they are kept where the chart can keep them, which it
    can up to 0.20 and from 1.2 on. To delete them, apply true before the destroy."""


class ReleaseSettings(ReleaseOptions, Versioned):
    """The options and the facts that the rest of an installation provides."""

    cluster_name: Annotated[str, rules.CLUSTER_NAME]
    """Name of the EKS cluster."""

    cluster_endpoint: Annotated[str, CLUSTER_ENDPOINT]
    """Address of the cluster's API server."""

    controller_role_arn: Annotated[str, rules.ROLE_ARN]
    """ARN of the IAM role that the controller's service account assumes."""

    interruption_handling: bool = True
    """Whether the controller listens to the interruption queue."""

    queue_name: Annotated[str, rules.QUEUE_NAME] | None = None
    """Name of the interruption queue; required where interruption handling is on."""

    default_instance_profile: Annotated[str, rules.INSTANCE_PROFILE_NAME] | None = None
    """Name of the instance profile of nodes whose class names none; read up to Karpenter 0.31,
    which makes none itself."""
