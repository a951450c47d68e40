"""Every outside name that more than one place needs, written once.

Names that a single file needs stand in that file. Sources: Karpenter's reference
documentation (labels, tags, chart addresses), AWS's service authorization reference and
EventBridge's event reference (principals, event names).
"""

from __future__ import annotations

from typing import Final

# Karpenter's API
NODE_POOL: Final = "NodePool"
NODE_CLASS: Final = "EC2NodeClass"
PROVISIONER: Final = "Provisioner"
NODE_TEMPLATE: Final = "AWSNodeTemplate"
NODE_POOL_GROUP: Final = "karpenter.sh"
NODE_CLASS_GROUP: Final = "karpenter.k8s.aws"
AUTO_MODE_GROUP: Final = "eks.amazonaws.com"

# Labels and tags
NODE_POOL_LABEL: Final = "karpenter.sh/nodepool"
PROVISIONER_LABEL: Final = "karpenter.sh/provisioner-name"
MANAGED_BY_TAG: Final = "karpenter.sh/managed-by"
NODE_CLASS_LABEL: Final = "karpenter.k8s.aws/ec2nodeclass"
NODE_CLAIM_TAG: Final = "karpenter.sh/nodeclaim"
DISCOVERY_TAG: Final = "karpenter.sh/discovery"
CAPACITY_TYPE_LABEL: Final = "karpenter.sh/capacity-type"
ARCH_LABEL: Final = "kubernetes.io/arch"
OS_LABEL: Final = "kubernetes.io/os"
INSTANCE_TYPE_LABEL: Final = "node.kubernetes.io/instance-type"
ZONE_LABEL: Final = "topology.kubernetes.io/zone"
REGION_LABEL: Final = "topology.kubernetes.io/region"
EKS_CLUSTER_TAG: Final = "eks:eks-cluster-name"
CLUSTER_TAG_PREFIX: Final = "kubernetes.io/cluster/"
SPOT: Final = "spot"
DO_NOT_DISRUPT_ANNOTATION: Final = "karpenter.sh/do-not-disrupt"
DO_NOT_CONSOLIDATE_ANNOTATION: Final = "karpenter.sh/do-not-consolidate"
DO_NOT_EVICT_ANNOTATION: Final = "karpenter.sh/do-not-evict"

# Charts and the objects they make
CHART: Final = "karpenter"
CRD_CHART: Final = "karpenter-crd"
CLASSES_RELEASE: Final = "karpenter-classes"
POOLS_RELEASE: Final = "karpenter-pools"
SERVICE_ACCOUNT: Final = "karpenter"
DEFAULT_NAMESPACE: Final = "kube-system"
ROLE_ANNOTATION: Final = "eks.amazonaws.com/role-arn"

# AWS
STS_AUDIENCE: Final = "sts.amazonaws.com"
OIDC_HOST_PREFIX: Final = "oidc.eks."
EC2_PRINCIPAL: Final = "ec2.amazonaws.com"
EVENTS_PRINCIPAL: Final = "events.amazonaws.com"
SQS_PRINCIPAL: Final = "sqs.amazonaws.com"
CHINA_PARTITION: Final = "aws-cn"
CHINA_SUFFIX: Final = ".cn"
POLICY_VERSION: Final = "2012-10-17"
SPOT_SERVICE_LINKED_ROLE: Final = "spot.amazonaws.com"
