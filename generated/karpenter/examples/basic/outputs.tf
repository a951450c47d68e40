output "node_pool_names" {
  description = "Names of the NodePools."
  value       = module.karpenter.node_pool_names
}
