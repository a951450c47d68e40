mock_provider "helm" {}

variables {
  cluster_name        = "demo"
  cluster_endpoint    = "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com"
  controller_role_arn = "arn:aws:iam::111122223333:role/KarpenterController-demo"
  queue_name          = "Karpenter-demo"
}

run "the_name_of_the_cluster_is_not_yours_to_set_again" {
  command = plan

  variables {
    values = { settings = { clusterName = "other" } }
  }

  expect_failures = [var.values]
}

run "a_misspelt_value_is_refused" {
  command = plan

  variables {
    values = { settings = { batchMaxDuraton = "10s" } }
  }

  expect_failures = [var.values]
}

run "a_duration_has_a_unit" {
  command = plan

  variables {
    values = { settings = { batchMaxDuration = 10 } }
  }

  expect_failures = [var.values]
}

run "a_value_of_the_chart_is_taken" {
  command = plan

  variables {
    values = { settings = { batchMaxDuration = "10s" } }
  }

  assert {
    condition     = jsondecode(helm_release.controller.values[1]).settings.batchMaxDuration == "10s"
    error_message = "The chart should be given the value."
  }
}

run "interruption_handling_needs_a_queue" {
  command = plan

  variables {
    queue_name = null
  }

  expect_failures = [var.queue_name]
}
