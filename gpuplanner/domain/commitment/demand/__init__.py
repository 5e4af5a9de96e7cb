"""Demand that a plan must serve: by pool and model, in slices, as it grows and varies."""
