"""What the fixture ``standin`` gives a test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from moto.backends import get_backend

from .aws.session import account_credentials, client
from .faults import Faults
from .kubernetes import Kubernetes
from .log import CallLog
from .mirror import Mirror
from .server import Servers
from .world import ACCOUNT, REGION, EksCluster, World


class Standin:
    """The outside world of one test: set it up before a run, look at it after."""

    def __init__(self, world: World, servers: Servers) -> None:
        self.world = world
        self.servers = servers

    @property
    def log(self) -> CallLog:
        """All provider calls in time order."""
        return self.world.log

    @property
    def faults(self) -> Faults:
        """Make calls fail, or run something before or after them."""
        return self.world.faults

    @property
    def kubernetes(self) -> Kubernetes:
        """Helm releases with their values, manifests and objects; CRDs; NodeClaims."""
        return self.world.kubernetes

    @property
    def state_only(self) -> dict[tuple[str, str], dict[str, Any]]:
        """EKS objects, which moto lacks: (type, id) to attributes. Change them to make drift."""
        return self.world.state_only

    @property
    def data(self) -> dict[str, dict[str, Any]]:
        """Attributes that a data source shall tell instead: type to attributes."""
        return self.world.data

    def client(self, service: str, region: str = REGION, account: str = ACCOUNT) -> Any:
        """A boto3 client on moto."""
        return client(service, region, account_credentials(self.world, account, region))

    def eks_cluster(
        self,
        name: str,
        *,
        region: str = REGION,
        account: str = ACCOUNT,
        oidc_provider: bool = True,
        crds: bool | None = False,
        **settings: Any,
    ) -> EksCluster:
        """Declare a cluster; one that is not declared does not exist.

        :param oidc_provider: whether its IAM OIDC provider exists.
        :param crds: whether Karpenter's CRDs are installed already, so that a release with
            Karpenter's kinds can be installed; None: not judged.
        :param settings: further fields of ``EksCluster``, e.g. ``version``, ``ip_family``,
            ``authentication_mode``, ``issuer``.
        """
        identity = self.client("sts", region, account).get_caller_identity()
        partition = identity["Arn"].split(":")[1]
        suffix = "amazonaws.com.cn" if partition == "aws-cn" else "amazonaws.com"
        digest = hashlib.sha256(f"{account}/{region}/{name}".encode()).hexdigest()[:32].upper()
        settings.setdefault("issuer", f"https://oidc.eks.{region}.{suffix}/id/{digest}")
        settings.setdefault("endpoint", f"https://{digest}.gr7.{region}.eks.{suffix}")
        cluster = EksCluster(name, region=region, account=account, partition=partition, **settings)
        self.world.clusters[account, region, name] = cluster
        if crds is not None:
            self.kubernetes.crds[cluster.endpoint] = crds
        if oidc_provider:
            answer = self.client("iam", region, account).create_open_id_connect_provider(
                Url=cluster.issuer, ClientIDList=["sts.amazonaws.com"], ThumbprintList=["0" * 40]
            )
            self.world.given.add(answer["OpenIDConnectProviderArn"])
        return cluster

    def leave_node_claims(self, node_class: str, *, seconds: float | None = None) -> None:
        """Let NodeClaims hold an EC2NodeClass when it is deleted.

        :param seconds: how long until they are gone; None: never. Nothing really waits.
        """
        self.kubernetes.node_claims[node_class] = seconds

    def mirror(self, directory: Path, **versions: str) -> Mirror:
        """A filesystem mirror whose providers share this stand-in's state."""
        return Mirror(directory, addresses=self.servers.addresses, versions=versions)

    def given(self, identifier: str) -> None:
        """Say that a test made this object (its ARN) itself: no leftover."""
        self.world.given.add(identifier)

    def leftovers(self) -> list[str]:
        """ARNs and names of all that exists, in every account and region used."""
        found = [*self._iam(), *self._regional()]
        found += [f"{kind} {identifier}" for kind, identifier in self.state_only]
        found += [f"helm_release {release.name}" for release in self.kubernetes.releases.values()]
        return sorted(item for item in found if item not in self.world.given)

    def _iam(self) -> Iterator[str]:
        backends = get_backend("iam")
        for account in list(backends):
            for partition in list(backends[account]):
                iam = backends[account][partition]
                yield from (role.arn for role in iam.roles.values())
                yield from (profile.arn for profile in iam.instance_profiles.values())
                managed = set(iam.aws_managed_policies)
                policies = iam.managed_policies.values()
                yield from (policy.arn for policy in policies if policy not in managed)
                yield from iam.open_id_providers

    def _regional(self) -> Iterator[str]:
        queues = get_backend("sqs")
        for account in list(queues):
            for region in list(queues[account].values()):
                yield from (queue.queue_arn for queue in region.queues.values())
        events = get_backend("events")
        for account in list(events):
            for bus_owner in list(events[account].values()):
                for bus in bus_owner.event_buses.values():
                    yield from (rule.arn for rule in bus.rules.values())
