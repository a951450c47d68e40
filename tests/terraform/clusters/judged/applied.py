"""What an apply of a cluster's stack left in AWS and in the cluster, read back once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from modules.core.catalogue import RELEASES
from stacks.settings import ClusterSettings
from tests.terraform.clusters import found
from tests.terraform.clusters.cases import EXAMPLES
from tests.terraform.clusters.installation import CONTROLLER_ROLE, Installation

Document = dict[str, Any]
NODE_ROLE = "aws_iam_role.iam_node"
POLICIES = "aws_iam_policy.iam_"
FIRST_EXAMPLE = EXAMPLES[0]


@dataclass(frozen=True)
class Applied:
    """Documents as AWS tells them, and the objects that Helm made of the local chart.

    Args:
        policies: the documents of the policies made here, by their resource's name.
        controller: the resources of those that the controller's role has.
        controller_trust: who may assume the controller's role.
        node_trust: likewise the nodes' role; None where the user brought one.
        queue: the queue's policy; None where there is no queue.
        queue_arn: likewise its ARN.
        objects: by release.
    """

    policies: dict[str, Document]
    controller: list[str]
    controller_trust: Document
    node_trust: Document | None
    queue: Document | None
    queue_arn: str | None
    objects: dict[str, list[Document]]

    @property
    def controllers_documents(self) -> list[Document]:
        """All that the controller's role may do."""
        return [self.policies[name] for name in self.controller]

    @property
    def documents(self) -> dict[str, Document]:
        """Every document by a name for it."""
        others = {
            "controller trust": self.controller_trust,
            "node trust": self.node_trust,
            "queue": self.queue,
        }
        return {**self.policies, **{name: found for name, found in others.items() if found}}

    def changed(self, statement: Document, to: Document | None) -> Applied:
        """The same but for one statement of a policy, which is another one or none."""
        policies = {
            name: {**document, "Statement": list(_changed(document["Statement"], statement, to))}
            for name, document in self.policies.items()
        }
        return replace(self, policies=policies)


def _changed(
    statements: list[Document], statement: Document, to: Document | None
) -> Iterator[Document]:
    for each in statements:
        if each is not statement:
            yield each
        elif to is not None:
            yield to


def at_release(cluster: ClusterSettings, version: str) -> ClusterSettings:
    """The cluster with another Karpenter, in the newest Kubernetes that this one supports."""
    kubernetes = RELEASES[version].kubernetes_max
    changes = {"karpenter_version": version, "kubernetes_version": kubernetes}
    return cluster.model_copy(update=changes)


def read_back(installation: Installation) -> Applied:
    """Of an installation that is applied."""
    resources = installation.tf.show()["values"]["root_module"]["resources"]
    state = {item["address"]: item["values"] for item in resources}
    arns = {
        address.removeprefix(POLICIES): values["arn"]
        for address, values in state.items()
        if address.startswith(POLICIES)
    }
    documents, roles = found.policies(installation), found.roles(installation)
    controller, nodes = roles[state[CONTROLLER_ROLE]["arn"]], state.get(NODE_ROLE)
    queue_arn, queue = next(iter(found.queues(installation).items()), (None, None))
    return Applied(
        policies={name: documents[arn] for name, arn in arns.items()},
        controller=[name for name, arn in arns.items() if arn in controller["attached"]],
        controller_trust=controller["trust"],
        node_trust=roles[nodes["arn"]]["trust"] if nodes else None,
        queue=queue["policy"] if queue else None,
        queue_arn=queue_arn,
        objects=found.objects(installation),
    )
