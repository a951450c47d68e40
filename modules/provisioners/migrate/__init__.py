"""Manifests of older generations of Karpenter's API, in the words of a later one."""
