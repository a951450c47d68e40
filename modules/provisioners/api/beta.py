"""The kinds of Karpenter's API v1beta1."""

from __future__ import annotations

from modules.core import names
from modules.core.catalogue import Api
from modules.provisioners.api.beta_rules import beta_class_rules, beta_pool_rules
from modules.provisioners.api.hints_beta import BETA_HINTS
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.node_class_beta import EC2NodeClassSpec
from modules.provisioners.api.node_pool_beta import NodePoolSpec

_VERSION = "v1beta1"

BETA_KINDS = (
    Kind(
        names.NODE_CLASS_GROUP,
        _VERSION,
        names.NODE_CLASS,
        EC2NodeClassSpec,
        beta_class_rules,
        api=Api.V1BETA1,
        hints=BETA_HINTS[names.NODE_CLASS],
    ),
    Kind(
        names.NODE_POOL_GROUP,
        _VERSION,
        names.NODE_POOL,
        NodePoolSpec,
        beta_pool_rules,
        api=Api.V1BETA1,
        needs_spec="0.35.0",
        hints=BETA_HINTS[names.NODE_POOL],
    ),
)
