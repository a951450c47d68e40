"""What has to be true of the live cluster: a plan that finds otherwise stops and says the fix.

They are conditions on what is read of the cluster, so they hold before anything is made and do not
keep a destroy from running (Terraform 1.11 leaves them out there).
"""

from __future__ import annotations

from modules.core.catalogue import NEWEST_KNOWN
from modules.core.expressions import Expr, quoted, template
from modules.iam import IamSettings, switches
from stacks.settings import ClusterSettings
from stacks.versions import known_release

_ACCESS_ENTRY_MODES = '["API", "API_AND_CONFIG_MAP"]'
"""EKS User Guide, "Grant IAM users access to Kubernetes with EKS access entries"."""

_RUNS = f"The cluster runs Kubernetes {Expr('self.version')}"


def conditions(cluster: ClusterSettings, iam: IamSettings) -> list[tuple[Expr, str]]:
    """On the data source of the cluster: what must hold of `self`, and what to say if not."""
    release = known_release(cluster)
    oldest, newest = (_minor(v) for v in (release.kubernetes_min, release.kubernetes_max))
    minor = 'tonumber(split(".", self.version)[1])'
    # Newer ones are only warned of, as the settings are.
    at_most = f" && {minor} <= {newest}" if cluster.strict else ""
    found = [
        (
            Expr(f"self.version == {quoted(cluster.kubernetes_version)}"),
            f"{_RUNS}, but its settings say {template(cluster.kubernetes_version)}. "
            "Fix: set kubernetesVersion to what it runs.",
        ),
        (
            Expr(f"{minor} >= {oldest}{at_most}"),
            f"{_RUNS}, but Karpenter {release.version} was tested with {release.kubernetes_min} to "
            f"{release.kubernetes_max}. Fix: choose a Karpenter release that was tested with it; "
            f"{NEWEST_KNOWN}.",
        ),
        (
            Expr("length(self.identity) > 0"),
            "The cluster has no OIDC issuer that Karpenter's role could trust. Fix: give "
            "iam.oidcIssuer; a local cluster on Outposts has none, and Karpenter no place there.",
        ),
    ]
    if switches.access_entry(iam):
        found.append(
            (
                Expr(
                    f"contains({_ACCESS_ENTRY_MODES}, "
                    'try(self.access_config[0].authentication_mode, "CONFIG_MAP"))'
                ),
                "The cluster takes no access entries, so nodes could not join. Fix: run `aws eks "
                f"update-cluster-config --name {template(cluster.name)} --region "
                f"{template(cluster.region)} --access-config "
                "authenticationMode=API_AND_CONFIG_MAP`; or map the nodes' role in the aws-auth "
                "config map and set iam.createAccessEntry to false.",
            )
        )
    return found


def _minor(kubernetes: str) -> int:
    return int(kubernetes.partition(".")[2])
