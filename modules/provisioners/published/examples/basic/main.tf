# On a cluster where Karpenter runs already.

module "karpenter_provisioners" {
  # From another repository:
  # source = "git::https://git.example.com/platform/karpenter-cdktf.git//generated/karpenter-provisioners?ref=v1.0.0"
  source = "../.."

  cluster_name   = data.aws_eks_cluster.cluster.name
  node_role_name = "KarpenterNodeRole-${var.cluster_name}"

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
          ]
        }
      }
    }
  }
}
