"""The way from one Karpenter release to another: stops, steps by hand, what a plan will change."""
