"""Declared figures of what is paid: runs, models and teams, changes, energy, GPUs of our own, what moved a plan."""
