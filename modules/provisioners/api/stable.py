"""The kinds of Karpenter's stable API, v1, and those that stand beside the generations."""

from __future__ import annotations

from modules.core import names
from modules.core.catalogue import Api
from modules.provisioners.api.capacity_buffer import CapacityBufferSpec, buffer_rules
from modules.provisioners.api.class_rules import class_rules
from modules.provisioners.api.hints import HINTS
from modules.provisioners.api.kind import Kind
from modules.provisioners.api.node_class import EC2NodeClassSpec
from modules.provisioners.api.node_overlay import NodeOverlaySpec, overlay_rules
from modules.provisioners.api.node_pool import NodePoolSpec
from modules.provisioners.api.open_kubelet import closed_kubelet
from modules.provisioners.api.pool_rules import pool_rules

NODE_POOL = Kind(
    names.NODE_POOL_GROUP,
    "v1",
    names.NODE_POOL,
    NodePoolSpec,
    pool_rules,
    api=Api.V1,
    needs_spec="0.33.6",
    hints=HINTS[names.NODE_POOL],
)
NODE_CLASS = Kind(
    names.NODE_CLASS_GROUP,
    "v1",
    names.NODE_CLASS,
    EC2NodeClassSpec,
    class_rules,
    api=Api.V1,
    further=closed_kubelet,
    hints=HINTS[names.NODE_CLASS],
)
NODE_OVERLAY = Kind(
    names.NODE_POOL_GROUP,
    "v1alpha1",
    "NodeOverlay",
    NodeOverlaySpec,
    overlay_rules,
    spans=(("1.7.0", None),),
    needs_spec="1.7.0",
)
CAPACITY_BUFFER = Kind(
    "autoscaling.x-k8s.io",
    "v1beta1",
    "CapacityBuffer",
    CapacityBufferSpec,
    buffer_rules,
    spans=(("1.14.0", None),),
    needs_spec="1.14.0",
)
STABLE_KINDS = (NODE_POOL, NODE_CLASS, NODE_OVERLAY, CAPACITY_BUFFER)
