module "karpenter_iam" {
  # From another repository:
  # source = "git::https://git.example.com/platform/karpenter-cdktf.git//generated/karpenter-iam?ref=v1.0.0"
  source = "../.."

  cluster_name = data.aws_eks_cluster.cluster.name
  oidc_issuer  = data.aws_eks_cluster.cluster.identity[0].oidc[0].issuer
}
