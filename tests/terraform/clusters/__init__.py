"""Cluster stacks, as synthesized, planned, applied and destroyed by Terraform on the stand-in."""
