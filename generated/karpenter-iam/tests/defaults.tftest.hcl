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

variables {
  cluster_name = "demo"
  oidc_issuer  = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
}

run "names_come_from_the_cluster" {
  command = plan

  assert {
    condition     = aws_iam_role.controller.name == "KarpenterController-demo"
    error_message = "The controller's role should be named after the cluster."
  }

  assert {
    condition     = one(aws_sqs_queue.interruption[*].name) == "Karpenter-demo"
    error_message = "The queue should be named after the cluster."
  }
}

run "without_interruption_handling_there_is_no_queue" {
  command = plan

  variables {
    interruption_handling = false
  }

  assert {
    condition     = length(aws_sqs_queue.interruption) == 0
    error_message = "There should be no queue."
  }

  assert {
    condition     = output.queue_name == null
    error_message = "The output should be null where there is no queue."
  }
}
