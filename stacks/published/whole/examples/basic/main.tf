# One node class, one node pool, everything else by default.

module "karpenter" {
  # From another repository:
  # source = "git::https://git.example.com/platform/karpenter-cdktf.git//generated/karpenter?ref=v1.0.0"
  source = "../.."

  cluster_name     = data.aws_eks_cluster.cluster.name
  cluster_endpoint = data.aws_eks_cluster.cluster.endpoint
  oidc_issuer      = data.aws_eks_cluster.cluster.identity[0].oidc[0].issuer

  node_classes = {
    default = {
      amiSelectorTerms = [{ alias = "al2023@v20260917" }]
    }
  }

  node_pools = {
    default = {
      template = {
        spec = {
          requirements = [
            { key = "kubernetes.io/arch", operator = "In", values = ["amd64"] },
            { key = "karpenter.sh/capacity-type", operator = "In", values = ["spot", "on-demand"] },
          ]
        }
      }
      limits = { cpu = 100 }
    }
  }
}
