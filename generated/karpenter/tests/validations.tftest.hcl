# The called modules say what else is refused: see the tests of each. A test of this module cannot
# expect a failure in one of them.

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
  cluster_name          = "demo"
  cluster_endpoint      = "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com"
  oidc_issuer           = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
  interruption_handling = false

  node_classes = {
    default = { amiSelectorTerms = [{ alias = "al2023@v20260917" }] }
  }
}

run "spot_needs_interruption_handling" {
  command = plan

  variables {
    node_pools = {
      default = { template = { spec = { requirements = [] } } }
    }
  }

  expect_failures = [var.interruption_handling]
}

run "on_demand_does_not" {
  command = plan

  variables {
    node_pools = {
      default = {
        template = {
          spec = {
            requirements = [
              { key = "karpenter.sh/capacity-type", operator = "In", values = ["on-demand"] }
            ]
          }
        }
      }
    }
  }

  assert {
    condition     = output.queue_name == null
    error_message = "There should be no queue."
  }
}
