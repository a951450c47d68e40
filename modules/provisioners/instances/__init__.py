"""EC2's instance types: what is known of them, and which of them a pool can launch."""
