mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }
  mock_data "aws_region" {
    defaults = { region = "us-west-2" }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "111122223333" }
  }
}

mock_provider "helm" {}

variables {
  cluster_name     = "demo"
  cluster_endpoint = "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com"
  oidc_issuer      = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
}

run "an_installation_needs_only_facts_of_the_cluster" {
  command = plan

  assert {
    condition     = length(output.node_pool_names) == 0
    error_message = "There should be no pool that nobody asked for."
  }
}
