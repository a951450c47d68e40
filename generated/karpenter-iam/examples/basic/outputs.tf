output "controller_role_arn" {
  description = "ARN of the controller's role."
  value       = module.karpenter_iam.controller_role_arn
}
