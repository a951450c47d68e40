mock_provider "helm" {}

variables {
  cluster_name   = "demo"
  node_role_name = "KarpenterNodeRole-demo"

  node_classes = {
    default = { amiSelectorTerms = [{ alias = "al2023@v20260917" }] }
  }
}

run "a_misspelt_key_of_a_pool_is_refused" {
  command = plan

  variables {
    node_pools = {
      default = { wieght = 10, template = { spec = { requirements = [] } } }
    }
  }

  expect_failures = [var.node_pools]
}

run "a_pool_names_a_class_that_is_given" {
  command = plan

  variables {
    node_pools = {
      default = { template = { spec = { nodeClassRef = { name = "other" }, requirements = [] } } }
    }
  }

  expect_failures = [var.node_pools]
}

run "values_of_specs_are_judged_before_the_first_release" {
  command = plan

  variables {
    node_pools = {
      default = { weight = 101, template = { spec = { requirements = [] } } }
    }
  }

  expect_failures = [helm_release.classes]
}

run "a_weight_of_a_hundred_is_taken" {
  command = plan

  variables {
    node_pools = {
      default = { weight = 100, template = { spec = { requirements = [] } } }
    }
  }

  assert {
    condition     = length(helm_release.pools) == 1
    error_message = "The pool should be made."
  }
}

run "tags_that_karpenter_sets_are_not_yours" {
  command = plan

  variables {
    tags = { "karpenter.sh/nodepool" = "mine" }
  }

  expect_failures = [var.tags]
}
