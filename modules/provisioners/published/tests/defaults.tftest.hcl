mock_provider "helm" {}

variables {
  cluster_name   = "demo"
  node_role_name = "KarpenterNodeRole-demo"
}

run "without_pools_and_classes_there_is_no_release" {
  command = plan

  assert {
    condition     = length(helm_release.classes) == 0 && length(helm_release.pools) == 0
    error_message = "There should be no release without anything in it."
  }
}

run "a_class_and_a_pool_are_a_release_each" {
  command = plan

  variables {
    node_classes = {
      default = { amiSelectorTerms = [{ alias = "al2023@v20260917" }] }
    }
    node_pools = {
      default = { template = { spec = { requirements = [] } } }
    }
  }

  assert {
    condition     = length(helm_release.classes) == 1 && length(helm_release.pools) == 1
    error_message = "There should be one release of classes and one of pools."
  }

  assert {
    condition     = join(",", output.node_pool_names) == "default"
    error_message = "The pool should be named."
  }
}
