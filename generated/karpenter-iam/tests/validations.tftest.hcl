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

run "a_cluster_name_has_no_spaces" {
  command = plan

  variables {
    cluster_name = "my cluster"
  }

  expect_failures = [var.cluster_name]
}

run "without_a_node_role_of_its_own_it_needs_the_arn_of_yours" {
  command = plan

  variables {
    create_node_role = false
  }

  expect_failures = [var.node_role_arn]
}

run "the_arn_of_your_node_role_is_enough" {
  command = plan

  variables {
    create_node_role = false
    node_role_arn    = "arn:aws:iam::111122223333:role/nodes"
  }

  assert {
    condition     = output.node_role_name == "nodes"
    error_message = "The role of the nodes should be the one that was given."
  }
}

run "a_statement_of_yours_has_no_principal" {
  command = plan

  variables {
    controller_policy_statements = [
      { Effect = "Allow", Action = "kms:Decrypt", Resource = "*", Principal = "*" }
    ]
  }

  expect_failures = [var.controller_policy_statements]
}
