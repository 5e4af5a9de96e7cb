"""Slurm's logs, however they came out of Slurm."""
