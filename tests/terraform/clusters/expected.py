"""What an apply should leave behind, by the pure files alone, with the facts of the account.

In the same shape as ``found`` reads it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.core import names
from modules.core.catalogue import RELEASES, Release
from modules.core.expressions import Expr
from modules.iam import events, naming, node, oidc, policy, queue, switches, trust
from modules.iam.facts import Facts
from modules.provisioners import objects
from modules.provisioners.kinds import generation
from modules.release.releases import controller_release, crds_release
from modules.release.values import controller_values, crd_values
from stacks.settings import ClusterSettings
from stacks.wiring import iam_settings, provisioner_settings, release_settings
from tests.terraform.standin.world import EksCluster

Object = dict[str, Any]


class Expected:
    """For one cluster, in its account."""

    def __init__(self, cluster: ClusterSettings, live: EksCluster) -> None:
        self._cluster = cluster
        self._live = live
        self._release: Release = RELEASES[cluster.karpenter_version]
        self._iam = iam_settings(cluster, issuer=live.issuer)
        self.controller_role_arn = self._role_arn(
            self._iam.controller_role_path, naming.controller_role(self._iam)
        )
        made = self._role_arn("/", naming.node_role(self._iam))
        self.node_role_arn = made if self._iam.create_node_role else str(self._iam.node_role_arn)
        self.queue_arn = (
            f"arn:{live.partition}:sqs:{live.region}:{live.account}:{naming.queue(self._iam)}"
        )

    def _role_arn(self, path: str, name: object) -> str:
        return f"arn:{self._live.partition}:iam::{self._live.account}:role{path}{name}"

    def _policy_arn(self, name: object) -> str:
        return f"arn:{self._live.partition}:iam::{self._live.account}:policy/{name}"

    def roles(self) -> dict[str, Object]:
        """The roles that are made here, by ARN."""
        settings, live = self._iam, self._live
        host = oidc.host(live.issuer)
        provider = f"arn:{live.partition}:iam::{live.account}:oidc-provider/{host}"
        controller = {
            "trust": trust.service_account(
                provider, host, settings.namespace, settings.service_account
            ),
            "attached": {
                *(self._policy_arn(name) for name in self._controller_policies()),
                *settings.controller_role_policy_arns.values(),
            },
        }
        nodes = {"trust": trust.ec2(live.partition), "attached": self.node_policies()}
        made = {self.controller_role_arn: controller}
        if settings.create_node_role:
            made[self.node_role_arn] = nodes
        common = {"boundary": settings.permissions_boundary_arn, "tags": self._cluster.tags}
        return {arn: {**role, **common} for arn, role in made.items()}

    def node_policies(self) -> set[str]:
        """ARNs of what is attached to the nodes' role, made here or not."""
        settings = self._iam
        managed = node.managed_policies(self._release)
        wanted = [each for each in managed if switches.node_policy(settings, each)]
        return {
            *(str(each.arn(self._live.partition)) for each in wanted),
            *(self._policy_arn(name) for name in self._node_policies()),
            *settings.node_role_policy_arns.values(),
        }

    def policies(self) -> dict[str, Object]:
        """The documents of the policies that are made here, by ARN."""
        documents = {**self._controller_policies(), **self._node_policies()}
        return {self._policy_arn(name): document for name, document in documents.items()}

    def _controller_policies(self) -> dict[str, Object]:
        settings, live = self._iam, self._live
        facts = Facts(live.name, live.partition, live.region, live.account)
        groups = policy.groups(self._release, facts, self.node_role_arn)
        if settings.interruption_handling:
            groups.append(policy.interruption(self._release, self.queue_arn))
        if settings.controller_policy_statements:
            groups.append(policy.additional(settings.controller_policy_statements))
        return {
            str(naming.controller_policy(settings, group.phrase)): group.document
            for group in groups
        }

    def _node_policies(self) -> dict[str, Object]:
        if not switches.node_ipv6_cni_policy(self._iam):
            return {}
        name = str(naming.node_policy(self._iam, "IPv6CNI"))
        return {name: node.ipv6_cni_policy(self._live.partition)}

    def queues(self) -> dict[str, Object]:
        """The queue, by ARN."""
        made = {
            "retention": str(queue.RETENTION_SECONDS),
            "encrypted": "true",
            "policy": queue.policy(self.queue_arn),
            "tags": self._cluster.tags,
        }
        return {self.queue_arn: made} if self._iam.interruption_handling else {}

    def rules(self) -> dict[str, Object]:
        """The event rules by name."""
        if not self._iam.interruption_handling:
            return {}
        return {
            str(naming.event_rule(self._iam, rule.phrase)): {
                "pattern": rule.pattern,
                "targets": {events.TARGET_ID: self.queue_arn},
                "tags": self._cluster.tags,
            }
            for rule in events.rules(self._release)
        }

    def access_entries(self) -> dict[str, str]:
        """The types of access entries, by principal."""
        wanted = switches.access_entry(self._iam)
        return {self.node_role_arn: node.ACCESS_ENTRY_TYPE} if wanted else {}

    def oidc_providers(self) -> set[str]:
        """Hosts of the OIDC providers, made here or before."""
        return {str(oidc.host(self._live.issuer))}

    def releases(self) -> dict[str, Object]:
        """The Helm releases by name, as Helm is given them."""
        handled = self._iam.interruption_handling
        settings = release_settings(
            self._cluster,
            endpoint=self._live.endpoint,
            controller_role_arn=self.controller_role_arn,
            queue_name=naming.queue(self._iam) if handled else None,
        )
        (controller,) = controller_values(settings, self._release)
        crds = crd_values(settings, self._release)
        given = [
            (crds_release(settings, self._release), crds),
            (controller_release(settings, self._release), controller),
        ]
        return {
            attributes["name"]: {
                "version": attributes["version"],
                "repository": attributes["repository"],
                "namespace": attributes["namespace"],
                "values": values,
            }
            for attributes, values in given
        }

    def objects(self) -> dict[str, list[Object]]:
        """What the local chart makes, by release, in the order of names."""
        role = self.node_role_arn.rpartition("/")[2]
        settings = provisioner_settings(self._cluster, node_role_name=role)
        api = generation(self._release)
        made = {
            names.CLASSES_RELEASE: (
                api.node_class,
                _literal(objects.node_classes(settings, api, _unused)),
            ),
            names.POOLS_RELEASE: (
                api.node_pool,
                _literal(objects.node_pools(settings, api, _unused)),
            ),
        }
        return {
            release: [
                _manifest(kind.api_version, kind.kind, name, dict(given[name]))
                for name in sorted(given)
            ]
            for release, (kind, given) in made.items()
            if given
        }


def _literal(given: Mapping[str, Any] | Expr) -> Mapping[str, Any]:
    assert not isinstance(given, Expr)
    return given


def _manifest(api_version: str, kind: str, name: str, given: Object) -> Object:
    spec = given.pop("spec")
    metadata = {"name": name, **given}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def _unused(name: str, value: object) -> Any:
    raise AssertionError(f"a literal setting makes no local, but here is {name} = {value}")
