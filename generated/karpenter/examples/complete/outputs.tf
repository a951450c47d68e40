output "node_pool_names" {
  description = "Names of the NodePools."
  value       = module.karpenter.node_pool_names
}

output "node_role_arn" {
  description = "ARN of the nodes' role."
  value       = module.karpenter.node_role_arn
}
