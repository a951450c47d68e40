"""The stack of one cluster: the only place where the three modules meet."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakKeyDictionary

from modules.cdk import (
    Annotations,
    App,
    Construct,
    DataAwsEksCluster,
    LocalBackend,
    S3Backend,
    TerraformOutput,
)
from modules.core.expressions import Expr, template
from modules.core.faults import InvalidInput
from modules.core.placing import Placed, place
from modules.iam.construct import KarpenterIam
from modules.provisioners import chart_package
from modules.provisioners.construct import KarpenterProvisioners
from modules.release.construct import KarpenterRelease
from stacks.add_on import expanded
from stacks.base import PlainStack
from stacks.manifest import STACKS
from stacks.neighbours import Neighbour, Neighbours
from stacks.notices import notices
from stacks.preconditions import conditions
from stacks.providers import aws_provider, helm_provider
from stacks.rules import check_cluster
from stacks.settings import ClusterSettings
from stacks.state import backend_block
from stacks.wiring import iam_settings, provisioner_settings, release_settings

TERRAFORM_REQUIRED = ">= 1.11"
"""1.11 made `use_lockfile` of the S3 backend stable."""

_CHART = "assets/chart"
"""Not a CDKTF asset: its path would change with its content, and paths are part of the plan."""

_NEIGHBOURS: WeakKeyDictionary[App, Neighbours] = WeakKeyDictionary()
"""The clusters of each app, however they came to be there."""


class KarpenterStack(PlainStack):
    """Karpenter in one existing EKS cluster.

    Applied in this order, and destroyed the other way round: permissions, CRDs, controller,
    classes, pools.

    Args:
        scope: the app.
        id_: the stack's name; the `id` of the settings is not used here.
        settings: the cluster. Values may be Terraform expressions; rules on them are then left
            to Terraform.

    Raises:
        InvalidInput: with all faults of the settings, alone and beside the app's other clusters.
    """

    def __init__(self, scope: Construct, id_: str, settings: ClusterSettings) -> None:
        neighbour = Neighbour((id_,), settings.model_copy(update={"id": id_}))
        neighbours = _NEIGHBOURS.setdefault(App.of(scope), Neighbours())
        if faults := [*check_cluster(settings), *neighbours.clashes(neighbour)]:
            raise InvalidInput(faults, f"stack {id_}")
        super().__init__(scope, id_)
        neighbours.add(neighbour)
        said = notices(settings)
        settings = self._settings = expanded(settings)
        self.add_override("terraform.required_version", TERRAFORM_REQUIRED)
        self._place_backend()
        aws_provider(self, settings)
        live = self._place_cluster()
        helm_provider(self, settings, live)
        self.iam = KarpenterIam(self, "iam", iam_settings(settings, issuer=_issuer(live)))
        self.release = KarpenterRelease(
            self,
            "release",
            release_settings(
                settings,
                endpoint=live.attribute("endpoint"),
                controller_role_arn=self.iam.controller_role_arn,
                queue_name=self.iam.queue_name,
                default_instance_profile=self.iam.instance_profile_name,
            ),
            after=self.iam.dependencies,
        )
        self.provisioners = KarpenterProvisioners(
            self,
            "provisioners",
            provisioner_settings(settings, node_role_name=self.iam.node_role_name),
            chart=f"${{path.module}}/{_CHART}",
            after=[self.release.controller],
        )
        self._place_outputs()
        for text in said:
            Annotations.of(self).add_info(text)

    def _place_backend(self) -> None:
        block = backend_block(self._settings, self.node.id, self._folder())
        if "s3" in block:
            S3Backend(self, bucket=block["s3"]["bucket"], key=block["s3"]["key"])
            # The bindings lack use_lockfile.
            self.add_override("terraform.backend", block)
        else:
            LocalBackend(self, path=block["local"]["path"])

    def _place_cluster(self) -> Placed:
        settings = self._settings
        cluster = DataAwsEksCluster(self, "cluster", name=template(settings.name))
        live = place(cluster, data=True)
        checked = conditions(settings, iam_settings(settings, issuer=_issuer(live)))
        cluster.add_override(
            "lifecycle.postcondition",
            [{"condition": str(holds), "error_message": message} for holds, message in checked],
        )
        return live

    def prepare_stack(self) -> None:
        """CDKTF calls this as the synthesis begins."""
        super().prepare_stack()
        chart_package.write(self._folder() / _CHART)

    def _folder(self) -> Path:
        """Where the stack is synthesized to, and Terraform will run."""
        return Path(App.of(self).outdir).absolute() / STACKS / self.node.id

    def _place_outputs(self) -> None:
        outputs: dict[str, tuple[object, str]] = {
            "controller_role_arn": (self.iam.controller_role_arn, "ARN of the controller's role."),
            "controller_role_name": (self.iam.controller_role_name, "Name of the same."),
            "node_role_arn": (self.iam.node_role_arn, "ARN of the role that nodes run with."),
            "node_role_name": (self.iam.node_role_name, "Name of the same."),
            "queue_arn": (self.iam.queue_arn, "ARN of the interruption queue."),
            "queue_name": (self.iam.queue_name, "Name of the same."),
            "crd_version": (self.release.crd_version, "Version of Karpenter's CRDs."),
            "controller_version": (self.release.controller_version, "Version of the controller."),
            "class_names": (self.provisioners.class_names, "Names of the node classes."),
            "pool_names": (self.provisioners.pool_names, "Names of the node pools."),
        }
        for name, (value, description) in outputs.items():
            if value is None:
                continue
            text = "" if isinstance(value, list) else template(value)
            output = TerraformOutput(self, name, value=text, description=description)
            if isinstance(value, list):
                # CDKTF's own way of taking a list makes Node print a warning.
                output.add_override("value", [template(item) for item in value])


def _issuer(live: Placed) -> Expr:
    return live.attribute("identity[0].oidc[0].issuer")
