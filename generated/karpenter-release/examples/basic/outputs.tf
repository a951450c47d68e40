output "controller_version" {
  description = "Version of the installed controller chart."
  value       = module.karpenter_release.controller_version
}
