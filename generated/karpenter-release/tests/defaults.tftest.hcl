mock_provider "helm" {}

variables {
  cluster_name        = "demo"
  cluster_endpoint    = "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com"
  controller_role_arn = "arn:aws:iam::111122223333:role/KarpenterController-demo"
  queue_name          = "Karpenter-demo"
}

run "both_charts_have_the_same_version" {
  command = plan

  assert {
    condition     = helm_release.controller.version == helm_release.crds.version
    error_message = "The controller and its CRDs should be of one version."
  }

  assert {
    condition     = helm_release.controller.skip_crds
    error_message = "The controller's chart should leave the CRDs to their own release."
  }
}
