"""The constructs of karpenter-cdktf: IAM, Helm release and provisioner manifests."""
