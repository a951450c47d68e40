"""The kinds of Karpenter's first API: Provisioner and AWSNodeTemplate."""

from __future__ import annotations

from modules.core import names
from modules.core.catalogue import Api
from modules.provisioners.api.alpha_rules import provisioner_rules, template_rules
from modules.provisioners.api.hints_alpha import ALPHA_HINTS
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.node_template import AWSNodeTemplateSpec
from modules.provisioners.api.provisioner import ProvisionerSpec

ALPHA_KINDS = (
    Kind(
        names.NODE_CLASS_GROUP,
        "v1alpha1",
        names.NODE_TEMPLATE,
        AWSNodeTemplateSpec,
        template_rules,
        api=Api.V1ALPHA5,
        hints=ALPHA_HINTS[names.NODE_TEMPLATE],
    ),
    Kind(
        names.NODE_POOL_GROUP,
        "v1alpha5",
        names.PROVISIONER,
        ProvisionerSpec,
        provisioner_rules,
        api=Api.V1ALPHA5,
        hints=ALPHA_HINTS[names.PROVISIONER],
    ),
)
