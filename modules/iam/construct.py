"""Places what Karpenter needs of AWS. What it consists of is decided in the files beside this."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from modules.cdk import (
    CloudwatchEventRule,
    CloudwatchEventTarget,
    Construct,
    DataAwsCallerIdentity,
    DataAwsIamOpenidConnectProvider,
    DataAwsPartition,
    DataAwsRegion,
    EksAccessEntry,
    IamInstanceProfile,
    IamOpenidConnectProvider,
    IamPolicy,
    IamRole,
    IamRolePolicyAttachment,
    SqsQueue,
    SqsQueuePolicy,
    TerraformResource,
    TerraformResourceLifecycle,
    local,
)
from modules.core.expressions import Expr, is_reference, joined, json_document, template
from modules.core.names import STS_AUDIENCE
from modules.core.placing import Placed, for_each, place, require, when
from modules.iam import events, naming, node, oidc, policy, queue, switches, tags, trust
from modules.iam.checks import checked
from modules.iam.facts import Facts, Text
from modules.iam.settings import IamSettings
from modules.iam.switches import Switch

_NEW_FIRST = TerraformResourceLifecycle(create_before_destroy=True)


class KarpenterIam(Construct):
    """Roles, policies, interruption queue, event rules and access entry of one cluster.

    Args:
        scope: a stack with plain addresses, in which an aws provider is configured.
        id_: the first step of all addresses in a cluster stack.
        settings: literals, or expressions as `IamSettings.expressions()` gives them.

    Raises:
        InvalidInput: the settings contradict each other or name an unknown release.

    Attributes:
        controller_role_arn, controller_role_name: of the controller's role.
        node_role_arn, node_role_name: of the nodes' role, made here or given.
        instance_profile_name: of the profile made here or given; None where there literally is
            none.
        queue_arn, queue_name: of the interruption queue; None where there literally is none.
        dependencies: all that the controller needs to do its work, for `depends_on`.
    """

    def __init__(self, scope: Construct, id_: str, settings: IamSettings) -> None:
        super().__init__(scope, id_)
        self._settings = settings
        self._release = checked(settings)
        self.dependencies: list[Placed] = []
        self._facts = self._place_facts()
        self._place_node_role()
        self._place_controller_role()
        for group in policy.groups(self._release, self._facts, self.node_role_arn):
            self._place_controller_policy(True, group)
        self._place_controller_policy(
            switches.additional_policy(settings),
            policy.additional(settings.controller_policy_statements),
        )
        arns = settings.controller_role_policy_arns
        self._attach_each("controller_additional", self.controller_role_name, arns)
        self.queue_arn: Expr | None = None
        self.queue_name: Expr | None = None
        self._place_interruption(switches.interruption(settings, self._release))

    def _place_facts(self) -> Facts:
        partition = place(DataAwsPartition(self, "current"), data=True)
        region = place(DataAwsRegion(self, "current.region"), data=True)
        caller = place(DataAwsCallerIdentity(self, "current.caller"), data=True)
        return Facts(
            cluster_name=self._settings.cluster_name,
            partition=partition.attribute("partition"),
            region=region.attribute("region"),
            account_id=caller.attribute("account_id"),
        )

    def _place_node_role(self) -> None:
        settings, partition = self._settings, self._facts.partition
        role = self._place(
            settings.create_node_role,
            lambda: self._role(
                "node",
                self._name("new_node_role_name", naming.node_role(settings)),
                "Nodes that Karpenter launches in cluster ",
                trust.ec2(partition),
            ),
        )
        self.node_role_arn = self._short("node_role_arn", node.arn(settings, role))
        self.node_role_name = self._short("node_role_name", node.name(settings, role))
        known = node.partition(self.node_role_arn)
        for managed in node.managed_policies(self._release):
            wanted, arn = switches.node_policy(settings, managed), managed.arn(known)
            # AWS's policy for a task differs between releases: nodes are never without one.
            self._attach(wanted, f"node_{managed.id}", self.node_role_name, arn, _NEW_FIRST)
        wanted, document = switches.node_ipv6_cni_policy(settings), node.ipv6_cni_policy(partition)
        name = naming.node_policy(settings, "IPv6CNI")
        self._place_policy(wanted, "node_ipv6_cni", name, document, self.node_role_name)
        self._place_instance_profile()
        self._attach_each("node_additional", self.node_role_name, settings.node_role_policy_arns)
        self._tagged(
            switches.access_entry(settings),
            lambda: EksAccessEntry(
                self,
                "node.access_entry",
                cluster_name=template(settings.cluster_name),
                principal_arn=template(self.node_role_arn),
                type=node.ACCESS_ENTRY_TYPE,
            ),
        )

    def _place_instance_profile(self) -> None:
        profile = self._tagged(
            switches.instance_profile(self._settings, self._release),
            lambda: IamInstanceProfile(
                self,
                "node.instance_profile",
                name=self._name("instance_profile_name", naming.instance_profile(self._settings)),
                role=template(self.node_role_name),
            ),
        )
        self.instance_profile_name = node.instance_profile_name(self._settings, profile)

    def _place_controller_role(self) -> None:
        settings, facts = self._settings, self._facts
        issuer, create = settings.oidc_issuer, settings.create_oidc_provider
        host = self._short("oidc_host", oidc.host(issuer))
        url = template(oidc.url(host))
        self._tagged(
            create,
            lambda: IamOpenidConnectProvider(
                self, "cluster", url=url, client_id_list=[STS_AUDIENCE]
            ),
        )
        found = when(
            oidc.looks_up(issuer, create),
            lambda: DataAwsIamOpenidConnectProvider(self, "cluster.found", url=url),
            data=True,
        )
        provider = oidc.provider_arn(issuer, host, facts.partition, facts.account_id)
        role = self._role(
            "controller",
            self._name("controller_role_name", naming.controller_role(settings)),
            "Karpenter's controller of cluster ",
            trust.service_account(provider, host, settings.namespace, settings.service_account),
            template(settings.controller_role_path),
        )
        require(role, oidc.conditions(found))
        self.dependencies.append(placed := place(role))
        self.controller_role_arn = placed.attribute("arn")
        self.controller_role_name = placed.attribute("name")

    def _role(
        self, id_: str, name: str, purpose: str, trusted: object, path: str | None = None
    ) -> IamRole:
        boundary: Text | None = self._settings.permissions_boundary_arn
        role = IamRole(
            self,
            id_,
            name=name,
            path=path,
            description=template(joined(purpose, self._settings.cluster_name)),
            permissions_boundary=None if boundary is None else template(boundary),
            assume_role_policy=json_document(trusted),
        )
        return tags.tag(role, self._settings.tags)

    def _place_controller_policy(self, wanted: Switch, group: policy.Group) -> None:
        name = naming.controller_policy(self._settings, group.phrase)
        self._place_policy(wanted, group.id, name, group.document, self.controller_role_name)

    def _place_interruption(self, wanted: Switch) -> None:
        placed = self._tagged(
            wanted,
            lambda: SqsQueue(
                self,
                "interruption.queue",
                name=self._name("queue_name", naming.queue(self._settings)),
                message_retention_seconds=queue.RETENTION_SECONDS,
                sqs_managed_sse_enabled=True,
            ),
        )
        if placed is None:
            return
        arn = self.queue_arn = placed.attribute("arn")
        self.queue_name, url = placed.attribute("name"), str(placed.attribute("url"))
        self._place_controller_policy(wanted, policy.interruption(self._release, arn))
        self._place(
            wanted,
            lambda: SqsQueuePolicy(
                self, "interruption.policy", queue_url=url, policy=json_document(queue.policy(arn))
            ),
        )
        for rule in events.rules(self._release):
            self._place_event_rule(wanted, rule, arn)

    def _place_event_rule(self, wanted: Switch, rule: events.EventRule, queue_arn: Expr) -> None:
        name = self._name(f"{rule.id}_rule_name", naming.event_rule(self._settings, rule.phrase))
        pattern = json_document(rule.pattern)
        placed = self._tagged(
            wanted, lambda: CloudwatchEventRule(self, rule.id, name=name, event_pattern=pattern)
        )
        if placed is None:
            return
        self._place(
            wanted,
            lambda: CloudwatchEventTarget(
                self,
                f"{rule.id}.target",
                rule=str(placed.attribute("name")),
                arn=str(queue_arn),
                target_id=events.TARGET_ID,
            ),
        )

    def _place_policy(
        self, wanted: Switch, id_: str, name: Text, document: object, role_name: Text
    ) -> None:
        placed = self._tagged(
            wanted,
            lambda: IamPolicy(
                self,
                id_,
                name=self._name(f"{id_}_policy_name", name),
                policy=json_document(document),
            ),
        )
        if placed is not None:
            self._attach(wanted, id_, role_name, placed.attribute("arn"))

    def _attach(
        self,
        wanted: Switch,
        id_: str,
        role_name: Text,
        policy_arn: Text,
        lifecycle: TerraformResourceLifecycle | None = None,
    ) -> None:
        role, arn = template(role_name), template(policy_arn)
        self._place(
            wanted,
            lambda: IamRolePolicyAttachment(
                self, f"{id_}.attachment", role=role, policy_arn=arn, lifecycle=lifecycle
            ),
        )

    def _attach_each(self, id_: str, role_name: Text, arns: Mapping[str, str] | Expr) -> None:
        if arns != {}:
            role, arn = template(role_name), "${each.value}"
            attachment = IamRolePolicyAttachment(self, id_, role=role, policy_arn=arn)
            self.dependencies.append(for_each(attachment, arns))

    def _place(self, wanted: Switch, make: Callable[[], TerraformResource]) -> Placed | None:
        placed = when(wanted, make)
        if placed is not None:
            self.dependencies.append(placed)
        return placed

    def _tagged(self, wanted: Switch, make: Callable[[], TerraformResource]) -> Placed | None:
        return self._place(wanted, lambda: tags.tag(make(), self._settings.tags))

    def _short(self, id_: str, value: Text) -> Text:
        return value if is_reference(value) else local(self, id_, value)

    def _name(self, id_: str, value: Text) -> str:
        return template(self._short(id_, value))
