"""Telling which instance types pools can launch, for people and for programs."""
