"""Karpenter's API: models of its kinds, and the API server's verdict on their objects."""
