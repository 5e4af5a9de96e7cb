"""Demand: the cube of GPU time by workload and hour, its classes and its curves."""
