variable "cluster_name" {
  type        = string
  description = "Name of the EKS cluster."
  default     = "blueprint-construct-dev"
  nullable    = false
}

variable "region" {
  type        = string
  description = "AWS region of the cluster."
  default     = "us-west-2"
  nullable    = false
}
