"""What should not be read by everyone who reads a plan stays out of it."""
