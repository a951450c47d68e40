"""Tests of the published modules, as they lie in `generated/`, in real Terraform."""
