"""Where the three modules are wired: cluster stacks and published modules."""
