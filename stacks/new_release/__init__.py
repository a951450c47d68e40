"""Adding a Karpenter release to the catalogue, out of its chart and its policy template."""
