module "karpenter_iam" {
  source = "../../../karpenter-iam"

  cluster_name = data.aws_eks_cluster.cluster.name
  oidc_issuer  = data.aws_eks_cluster.cluster.identity[0].oidc[0].issuer
}

module "karpenter_release" {
  # From another repository:
  # source = "git::https://git.example.com/platform/karpenter-cdktf.git//generated/karpenter-release?ref=v1.0.0"
  source = "../.."

  cluster_name        = data.aws_eks_cluster.cluster.name
  cluster_endpoint    = data.aws_eks_cluster.cluster.endpoint
  controller_role_arn = module.karpenter_iam.controller_role_arn
  queue_name          = module.karpenter_iam.queue_name
}
