"""Demand that commitments serve: by pool and GPU model, in slices, with its growth and volatility."""
