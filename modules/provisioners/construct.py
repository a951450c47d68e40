"""Places the provisioners: one Helm release of the node classes, then one of the node pools."""

from __future__ import annotations

from collections.abc import Sequence

from modules.cdk import Construct, HelmRelease, local
from modules.core import names
from modules.core.expressions import Expr, json_document, template
from modules.core.placing import Placed, depend, require, when
from modules.provisioners import chart_package, manifests, objects
from modules.provisioners.checks import checked
from modules.provisioners.kinds import ObjectKind, generation
from modules.provisioners.settings import ProvisionerSettings

_CLASSES_DESCRIPTION = (
    "Node classes. A removal that times out means that nodes are left: see kubectl get nodeclaims. "
    "The controller stays until they are gone; run the removal again."
)
"""Shown where a removal is planned, and by `helm history`."""


class KarpenterProvisioners(Construct):
    """The node classes and node pools of a cluster.

    Two releases, because Helm removes kinds that it does not know in alphabetical order and a
    NodePool has no finalizer, while an EC2NodeClass stays until its last NodeClaim is gone: the
    pools go first, then the removal of the classes waits while the nodes drain. A Provisioner and
    an AWSNodeTemplate have no finalizer: up to Karpenter 0.31 no removal waits for the nodes.

    Helm 3 and 4 forget a release even where waiting for its objects' deletion timed out
    (helm/helm#9226). The next destroy would not find it and would go on to the controller while
    nodes still run. A pre-delete hook that fails ends an uninstall before anything is forgotten,
    and a hook with the policy `before-hook-creation` deletes the object of its name and waits
    until that is gone. So the chart makes each class its own hook: the classes' release stays,
    and every destroy waits again, until the last NodeClaim is gone. This needs `disable_webhooks`
    to stay false, as it is by default.

    Args:
        settings: pools, classes and facts, each literal or an expression.
        after: what must work before the first object is made and until the last node is gone.
        chart: where `chart_package.write` put the chart, as Terraform template text:
            `${path.module}/chart`, or the path of an asset.

    Raises:
        InvalidInput: the release is unknown, or the pools and classes do not fit it.
    """

    def __init__(
        self,
        scope: Construct,
        id_: str,
        settings: ProvisionerSettings,
        after: Sequence[Placed] = (),
        *,
        chart: str,
    ) -> None:
        super().__init__(scope, id_)
        self._settings, self._chart = settings, chart
        release = checked(settings)
        api = generation(release)

        def named(name: str, value: Expr) -> Expr:
            return local(self, name, value)

        classes = objects.node_classes(settings, api, named)
        pools = objects.node_pools(settings, api, named)

        checks: list[str] = []

        def check(name: str, value: Expr) -> Expr:
            checks.append(name)
            return local(self, name, value)

        conditions = objects.conditions(settings, release, check)
        self.checks = tuple(checks)
        """The locals that judge specs which are expressions."""

        self.class_names: list[str] | Expr = objects.object_names(settings.node_classes)
        self.pool_names: list[str] | Expr = objects.object_names(settings.node_pools)
        # All on the classes, without which there are no pools: so one plan tells every fault.
        self.classes: Placed | None = when(
            objects.are_given(settings.node_classes),
            lambda: self._release(
                "classes", names.CLASSES_RELEASE, api.node_class, classes, after, conditions
            ),
        )
        self.pools: Placed | None = when(
            objects.are_given(settings.node_pools),
            lambda: self._release(
                "pools", names.POOLS_RELEASE, api.node_pool, pools, [*after, self.classes]
            ),
        )

    def _release(
        self,
        id_: str,
        name: str,
        kind: ObjectKind,
        given: objects.Named,
        after: Sequence[Placed | None],
        conditions: objects.Conditions = (),
    ) -> HelmRelease:
        release = HelmRelease(
            self,
            id_,
            name=name,
            chart=self._chart,
            version=chart_package.version(),
            namespace=template(self._settings.namespace),
            values=[json_document(manifests.chart_values(kind, given))],
            wait=True,
            description=_CLASSES_DESCRIPTION if kind.outlives_deletion else None,
        )
        # By override, since the bindings take no expression for a number. For the classes this
        # is the time that a drain may take; the pools' removal needs little of it.
        timeout: object = self._settings.drain_timeout_seconds
        release.add_override("timeout", str(timeout) if isinstance(timeout, Expr) else timeout)
        depend(release, after)
        require(release, conditions)
        return release
