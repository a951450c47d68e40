output "node_pool_names" {
  description = "Names of the NodePools."
  value       = module.karpenter_provisioners.node_pool_names
}
