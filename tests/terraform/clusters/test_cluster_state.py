"""Where the state of a stack lies."""
