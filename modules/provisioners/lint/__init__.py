"""What is allowed in Karpenter's objects and still goes wrong, each as a rule with a code."""
