# Two classes and two pools, extra permissions, and an OIDC provider that nothing else made.

module "karpenter" {
  # From another repository:
  # source = "git::https://git.example.com/platform/karpenter-cdktf.git//generated/karpenter?ref=v1.0.0"
  source = "../.."

  cluster_name     = data.aws_eks_cluster.cluster.name
  cluster_endpoint = data.aws_eks_cluster.cluster.endpoint
  oidc_issuer      = data.aws_eks_cluster.cluster.identity[0].oidc[0].issuer

  name_suffix          = "-blue"
  create_oidc_provider = true
  controller_policy_statements = [
    {
      Sid      = "UseVolumeKey"
      Effect   = "Allow"
      Action   = ["kms:CreateGrant", "kms:Decrypt", "kms:GenerateDataKeyWithoutPlaintext"]
      Resource = ["arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"]
    },
  ]
  node_role_policy_arns = {
    cloudwatch = "arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy"
  }

  values = {
    replicas = 2
    logLevel = "debug"
  }

  node_classes = {
    general = {
      amiSelectorTerms           = [{ alias = "al2023@v20260917" }]
      subnetSelectorTerms        = [{ tags = { Name = "${var.cluster_name}-private-*" } }]
      securityGroupSelectorTerms = [{ tags = { Name = "${var.cluster_name}-node" } }]
    }
    # A manifest in Karpenter's own form; its kind and version are known, its name is its key.
    bottlerocket = {
      apiVersion = "karpenter.k8s.aws/v1"
      kind       = "EC2NodeClass"
      metadata   = { annotations = { "example.com/owner" = "platform" } }
      spec = {
        amiSelectorTerms = [{ alias = "bottlerocket@v1.49.0" }]
      }
    }
  }

  node_pools = {
    general = {
      weight = 20
      template = {
        spec = {
          expireAfter = "720h"
          requirements = [
            { key = "kubernetes.io/arch", operator = "In", values = ["amd64"] },
            { key = "karpenter.sh/capacity-type", operator = "In", values = ["spot", "on-demand"] },
            { key = "topology.kubernetes.io/zone", operator = "NotIn", values = ["us-west-2c"] },
          ]
        }
      }
      disruption = {
        consolidationPolicy = "WhenEmptyOrUnderutilized"
        consolidateAfter    = "1m"
      }
      limits = { cpu = 1000, memory = "4000Gi" }
    }
    arm = {
      template = {
        metadata = { labels = { "example.com/pool" = "arm" } }
        spec = {
          nodeClassRef = {
            group = "karpenter.k8s.aws"
            kind  = "EC2NodeClass"
            name  = "bottlerocket"
          }
          requirements = [
            { key = "kubernetes.io/arch", operator = "In", values = ["arm64"] },
          ]
          taints = [{ key = "example.com/arm", value = "true", effect = "NoSchedule" }]
        }
      }
    }
  }
  drain_timeout_seconds = 3600

  tags = { environment = "development" }
}
